"""What a conversion has done so far, so that another process can go on with it."""

from __future__ import annotations

import contextlib
import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

from regiht._export.atomic_write import write_atomically
from regiht._inputs.checks import InvalidArgumentError
from regiht.dataset._aside import aside_of
from regiht.dataset._runs import Run

_JOURNAL = "journal.json"
_LOCK = "lock"
_OUTPUT = "out"
_VERSION = 1


class Journal:
    """The folder of a conversion, with its runs and a file that lists them.

    Only one process at a time may have it. ``task`` says what is converted and how: what another
    task has left there is removed, and so are runs that a loss of power has damaged.
    """

    def __init__(self, folder: Path, task: dict[str, Any]) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self._lock = _locked(folder / _LOCK)
        self._task = task
        self.runs: list[Run] = []
        self.position: Any = None
        self.is_spooled = False
        self.columns_done = 0
        self.checksums: dict[str, str] = {}
        if not self._resume():
            self._remove_all()

    @property
    def output(self) -> Path:
        """Where the new directory is made."""
        return self.folder / _OUTPUT

    @property
    def rows(self) -> int:
        """How many rows the runs have."""
        return sum(run.rows for run in self.runs)

    def _resume(self) -> bool:
        try:
            kept = json.loads((self.folder / _JOURNAL).read_bytes())
            if kept["version"] != _VERSION or kept["task"] != self._task:
                return False
            self.runs = [Run(**each) for each in kept["runs"]]
            self.position, self.is_spooled = kept["position"], kept["is_spooled"]
            self.columns_done, self.checksums = kept["columns_done"], kept["checksums"]
        except (OSError, ValueError, KeyError, TypeError):
            return False
        return all(run.is_intact(self.folder) for run in self.runs)

    def _remove_all(self) -> None:
        self.__dict__.update(runs=[], position=None, is_spooled=False)
        for path in self.folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path.name != _LOCK:
                path.unlink()
        self.forget_columns()

    def forget_columns(self) -> None:
        """Let the output begin anew."""
        self.columns_done, self.checksums = 0, {}
        shutil.rmtree(self.output, ignore_errors=True)
        self.output.mkdir()

    def keep(self) -> None:
        """Write down what is done."""
        content = {
            "version": _VERSION,
            "task": self._task,
            "runs": [asdict(run) for run in self.runs],
            "position": self.position,
            "is_spooled": self.is_spooled,
            "columns_done": self.columns_done,
            "checksums": self.checksums,
        }
        write_atomically(self.folder / _JOURNAL, json.dumps(content).encode())

    def remove(self) -> None:
        """Leave nothing behind."""
        shutil.rmtree(self.folder)

    def close(self) -> None:
        """Let another process have it."""
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def remove_finished(target: Path) -> None:
    """Remove the folder of a conversion that was killed when only that was left to do."""
    if not (target.name and target.exists()):
        return
    folder = aside_of(target)
    is_ours = (folder / _LOCK).exists() or (folder / _JOURNAL).exists()
    if not is_ours or (folder / _OUTPUT).exists():
        return
    # Refused where another process is about to do the same.
    with contextlib.suppress(InvalidArgumentError), _locked(folder / _LOCK):
        shutil.rmtree(folder)


def _locked(path: Path) -> Any:
    """Open a file that only one process may have open; the system lets go of it at a kill."""
    file = path.open("ab")
    try:
        import fcntl  # noqa: PLC0415  (not on Windows)
    except ImportError:
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise InvalidArgumentError(
            f"another process is writing there now, in {path.parent}."
        ) from None
    return file
