"""The list of faults: what each changes, and which test must notice it."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CPP = ROOT / "cpp"


@dataclass(frozen=True)
class Fault:
    """One text of one source file, what it becomes, and the test that must notice."""

    name: str
    kind: str
    file: str
    text: str
    becomes: str
    test: str

    @property
    def is_in_bindings(self) -> bool:
        return self.file.startswith("bindings/")

    def put_into(self, folder: Path) -> None:
        """Change the copy of cpp, or of the part of it with the file, that the folder holds."""
        path = folder / self.file
        source = path.read_text()
        path.write_text(source.replace(self.text, self.becomes))

    def problem(self) -> str | None:
        """Why the list is wrong about this fault, if it is."""
        file, _, _ = self.test.partition("::")
        if not ((ROOT if self.is_in_bindings else CPP / "tests") / file).is_file():
            return f"{self.name}: there is no {file}"
        if self.test.startswith("library/") and not self.file.startswith("library/"):
            return f"{self.name}: tests of the library are for faults in its source files"
        found = (CPP / self.file).read_text().count(self.text)
        return None if found == 1 else f"{self.name}: its text is {found} times in {self.file}"


def read_faults() -> list[Fault]:
    listed = tomllib.loads((HERE / "faults.toml").read_text())["fault"]
    return [Fault(**entry) for entry in listed]


def problems_of(faults: list[Fault]) -> list[str]:
    """What is wrong with the list itself."""
    twice = [name for name, count in Counter(fault.name for fault in faults).items() if count > 1]
    found = [f"{name}: two faults of this name" for name in twice]
    return found + [problem for fault in faults if (problem := fault.problem())]
