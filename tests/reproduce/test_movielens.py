"""`regiht reproduce movielens`, on a folder in the format of MovieLens 100K."""

import numpy as np
import pytest

from regiht import cli
from regiht.reproduce import movielens


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Five splits of planted ratings, with a user and a film that only the test has."""
    monkeypatch.setattr(movielens, "RANKS", (1, 2))
    monkeypatch.setattr(movielens, "PENALTIES", (1.0, 4.0))
    rng = np.random.default_rng(0)
    M = 3.0 + rng.normal(size=(40, 1)) * rng.choice([-1.0, 1.0], 30)
    where = tmp_path / "ml-100k"
    where.mkdir()
    users, films = np.nonzero(rng.random(M.shape) < 0.6)
    ratings = np.clip(np.rint(M[users, films]), 1, 5).astype(int)
    of_split = rng.integers(1, 6, users.size)
    for split in movielens.SPLITS:
        for part, chosen in (("base", of_split != split), ("test", of_split == split)):
            lines = np.column_stack(
                [users[chosen] + 1, films[chosen] + 1, ratings[chosen], np.full(chosen.sum(), 8e8)]
            ).astype(int)
            if part == "test":
                lines = np.vstack([lines, [99, 1, 3, 0], [1, 99, 3, 0]])
            np.savetxt(where / f"u{split}.{part}", lines, fmt="%d", delimiter="\t")
    return tmp_path


def test_a_planted_factor_is_found_in_every_split(folder, capsys):
    assert cli.main(["reproduce", "movielens", "--data-dir", str(folder)]) == 0
    printed = capsys.readouterr().out
    for split in movielens.SPLITS:
        line = next(line for line in printed.splitlines() if line.startswith(f"split {split}"))
        means, low_rank = (float(cell) for cell in line.split()[2:4])
        assert low_rank < 0.75 * means
    assert "mean of the splits" in printed
    assert "0.934" in printed


def test_ratings_are_read_as_they_stand(tmp_path):
    path = tmp_path / "u1.base"
    path.write_text("7\t20\t4\t881250949\n943\t1682\t1\t0\n")
    found = movielens.read(path)
    assert found.users.tolist() == [7, 943]
    assert found.films.tolist() == [20, 1682]
    assert found.values.tolist() == [4.0, 1.0]


def test_without_the_files_it_says_what_is_missing(folder, capsys):
    assert cli.main(["reproduce", "movielens"]) == 1
    assert "movielens needs --data-dir with MovieLens 100K" in capsys.readouterr().err
    (folder / "ml-100k" / "u3.test").rename(folder / "u3.test")
    assert cli.main(["reproduce", "movielens", "--data-dir", str(folder)]) == 1
    error = capsys.readouterr().err
    assert "MovieLens 100K is not in" in error
    assert "u3.test missing" in error
    assert error.count("\n") == 1


def test_a_file_of_another_kind_is_named(folder, capsys):
    broken = folder / "ml-100k" / "u1.base"
    for text in ("1::2::3::4\n", "1 2 3\n"):
        broken.write_text(text)
        assert cli.main(["reproduce", "movielens", "--data-dir", str(folder)]) == 1
        assert "u1.base" in capsys.readouterr().err
