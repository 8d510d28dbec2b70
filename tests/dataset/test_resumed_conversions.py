"""A conversion may be killed at any moment: it goes on, and nothing half-written is taken."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import regiht
from regiht import dataset

# The converter, with little memory so that there are many steps; before each it waits for a byte.
_CONVERTER = """
import sys
from regiht import dataset
from regiht.dataset import _convert, _spool
from regiht.dataset._sources import libsvm
_convert.entries_of = lambda memory: 30_000
_spool.entries_of = lambda memory, share: 10_000
_spool.bytes_of = lambda memory, share: float(sys.argv[3])
libsvm._PIECE_BYTES = 100_000

def step(share):
    sys.stdin.read(1)
    print(share, flush=True)

dataset.convert(sys.argv[1], sys.argv[2], report=step)
"""


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    """LIBSVM text of some megabytes, its length and the header it must lead to."""
    folder = tmp_path_factory.mktemp("text")
    rng = np.random.default_rng(0)
    with (folder / "a.svm").open("w") as file:
        for _ in range(12_000):
            columns = np.unique(rng.integers(1, 500, 30))
            cells = " ".join(f"{j}:{v:.6g}" for j, v in zip(columns, rng.random(30), strict=False))
            file.write(f"{rng.integers(2)} {cells}\n")
    dataset.convert(folder / "a.svm", folder / "whole")
    return folder / "a.svm", (folder / "whole" / "header.json").read_bytes()


class Converter:
    """A process that converts step by step, with so many bytes at once in memory."""

    def __init__(self, file, out, held=300_000):
        self._process = subprocess.Popen(
            [sys.executable, "-c", _CONVERTER, file, out, str(held)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._process.kill()
        self._process.communicate()

    def steps(self, most=10**9):
        """Go on for some steps; the shares that it tells."""
        shares = []
        while len(shares) < most:
            self._process.stdin.write(".")  # for the step to come
            self._process.stdin.flush()
            line = self._process.stdout.readline()
            if not line:
                break
            shares.append(float(line))
        return shares

    def let_go(self):
        self._process.stdin.write("." * 1000)
        self._process.stdin.flush()

    def kill(self):
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()


def test_killed_at_several_moments_the_files_are_the_same(text, tmp_path):
    file, expected = text
    out, aside = tmp_path / "out", tmp_path / ".out.part"
    started = []
    for most in (12, 12, 14, 14):
        with Converter(file, out) as converter:
            started.append(converter.steps(most)[0])
            converter.kill()
        assert not out.exists()
        assert aside.exists()
    with Converter(file, out) as converter:
        started.append(converter.steps()[0])
    assert (out / "header.json").read_bytes() == expected
    dataset.open(out)
    assert not aside.exists()
    assert started == sorted(started)  # each went on where the one before was, or a step earlier
    assert started[-1] > 0.6  # the last one had only columns left to write


def test_what_fits_into_memory_is_read_again_but_its_columns_are_kept(text, tmp_path):
    file, expected = text
    out, aside = tmp_path / "out", tmp_path / ".out.part"
    with Converter(file, out, held=10**9) as converter:
        shares = [0.0]
        while shares[-1] < 0.8:
            shares += converter.steps(1)
        converter.kill()
    assert list(aside.glob("run-*")) == []
    with Converter(file, out, held=10**9) as converter:
        again = converter.steps()
    assert again[0] < 0.1
    assert min(share for share in again if share > 0.6) >= shares[-2]
    assert (out / "header.json").read_bytes() == expected


def test_killed_without_a_pause(text, tmp_path):
    file, expected = text
    out = tmp_path / "out"
    for seconds in (0.05, 0.4, 0.7):
        with Converter(file, out) as converter:
            converter.let_go()
            time.sleep(seconds)
            converter.kill()
    if not out.exists():
        dataset.convert(file, out)
    assert (out / "header.json").read_bytes() == expected
    with pytest.raises(regiht.InvalidArgumentError, match="exists already"):
        dataset.convert(file, out)  # removes what is left if the last kill came at the very end
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_conversion_killed_at_its_very_end_left_its_folder_behind(text, tmp_path, monkeypatch):
    file, expected = text
    out = tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr("regiht.dataset._journal.Journal.remove", lambda journal: None)
        dataset.convert(file, out)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".out.part", "out"]
    with pytest.raises(regiht.InvalidArgumentError, match="exists already"):
        dataset.convert(file, out)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (out / "header.json").read_bytes() == expected


def test_a_folder_of_that_name_that_is_not_ours_stays(text, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / ".out.part").mkdir()
    with pytest.raises(regiht.InvalidArgumentError, match="exists already"):
        dataset.convert(text[0], tmp_path / "out")
    assert (tmp_path / ".out.part").is_dir()


def test_what_a_loss_of_power_damaged_is_made_again(text, tmp_path):
    file, expected = text
    out, aside = tmp_path / "out", tmp_path / ".out.part"
    runs = ("run-00002", "run-00002.values", "run-00002.y.npy")
    for place in (*runs, "out/values.npy", "out/means.npy"):
        with Converter(file, out) as converter:
            converter.steps(50)
            converter.kill()
        damaged = aside / place
        damaged.write_bytes(damaged.read_bytes()[:-100] + b"\0" * 100)
        dataset.convert(file, out)
        assert (out / "header.json").read_bytes() == expected
        out.rename(tmp_path / place.replace("/", "-"))


def test_a_changed_file_or_task_begins_anew(text, tmp_path):
    file = tmp_path / "a.svm"
    file.write_bytes(text[0].read_bytes())
    out = tmp_path / "out"
    with Converter(file, out) as converter:
        converter.steps(4)
        converter.kill()
    with file.open("a") as more:
        more.write("1 1:1\n")
    dataset.convert(file, out, dtype=np.float32)
    X, y = regiht.datasets.load_libsvm(file, dtype=np.float32)
    dataset.write(tmp_path / "expected", X, y)
    found, wanted = (
        json.loads((path / "header.json").read_text())["regiht"]["files"]
        for path in (out, tmp_path / "expected")
    )
    assert found == wanted


@pytest.mark.skipif(os.name != "posix", reason="needs flock")
def test_two_converters_do_not_share_a_directory(text, tmp_path):
    file, _ = text
    with Converter(file, tmp_path / "out") as converter:
        converter.steps(2)
        with pytest.raises(regiht.InvalidArgumentError, match="another process"):
            dataset.convert(file, tmp_path / "out")
        assert len(converter.steps()) > 1
    assert (tmp_path / "out" / "header.json").exists()


def test_a_directory_that_appears_meanwhile_is_not_replaced(text, tmp_path):
    file, _ = text
    out = tmp_path / "out"

    def appear(share):
        if share > 0.9:
            out.mkdir(exist_ok=True)

    with pytest.raises(regiht.InvalidArgumentError, match="exists already"):
        dataset.convert(file, out, report=appear)
    assert list(out.iterdir()) == []


def test_ctrl_c_keeps_what_is_done(text, tmp_path):
    file, expected = text

    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dataset.convert(file, tmp_path / "out", report=interrupt)
    assert not (tmp_path / "out").exists()
    dataset.convert(file, tmp_path / "out")
    assert (tmp_path / "out" / "header.json").read_bytes() == expected
