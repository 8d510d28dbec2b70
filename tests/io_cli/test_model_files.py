"""Model files that somebody damaged or made up, and disks that are full."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import sys
import tracemalloc
import zipfile

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.6")

import regiht
from regiht import SparseClassifier, SparseRegressor

# As the docstring of load_model says.
BYTES_FOR_EACH_BYTE = 256


@pytest.fixture(scope="module")
def models():
    X = np.random.default_rng(0).normal(size=(40, 6))
    y = X[:, 1] - X[:, 4]
    return {
        "regressor": SparseRegressor(2).fit(X, y),
        "classifier": SparseClassifier(2).fit(X, np.where(y > 0, "yes", "no")),
        "three": SparseClassifier(2).fit(X, np.digitize(y, [-0.7, 0.7])),
    }


def content_of(model, folder):
    regiht.save_model(model, folder / "good.json")
    return json.loads((folder / "good.json").read_text(encoding="utf-8"))


def refused(path, match):
    with pytest.raises(regiht.InvalidArgumentError, match=match):
        regiht.load_model(path)


MISSING = object()


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        ("regressor", {"coef": [[float("nan"), 1.0]]}, "not all finite"),
        ("regressor", {"coef": [[1e999, 1.0]]}, "not all finite"),
        ("regressor", {"coef": [["1.0", "2.0"]]}, "coef has a wrong type or value"),
        ("regressor", {"coef": [[1.0], [2.0, 3.0]]}, "coef has a wrong type or value"),
        ("regressor", {"coef": [[1.0, 2.0, 3.0]]}, r"coef has shape \(1, 3\)"),
        ("regressor", {"coef": [[1, 2], [3, 4]], "intercept": [0, 0]}, "no 2 targets"),
        ("regressor", {"coef": [[10**400, 2.0]]}, "coef has a wrong type or value"),
        ("regressor", {"coef": []}, "coef has a wrong type or value"),
        ("regressor", {"coef": None}, "coef has a wrong type or value"),
        ("regressor", {"intercept": [float("inf")]}, "not all finite"),
        ("regressor", {"support": [-1, 4]}, "between 0 and 5 in ascending order"),
        ("regressor", {"support": [1, 6]}, "between 0 and 5 in ascending order"),
        ("regressor", {"support": [4, 4]}, "between 0 and 5 in ascending order"),
        ("regressor", {"support": [4, 1]}, "between 0 and 5 in ascending order"),
        ("regressor", {"support": [1.5, 4]}, "support has a wrong type or value"),
        ("regressor", {"support": [True, 4]}, "support has a wrong type or value"),
        ("regressor", {"support": [2**70, 4]}, "support has a wrong type or value"),
        ("regressor", {"n_features_in": 6.0}, "n_features_in has a wrong type or value"),
        ("regressor", {"n_features_in": 2**40}, "max_coefficients"),
        ("regressor", {"feature_names_in": ["a"]}, "feature_names_in has a wrong type"),
        ("regressor", {"feature_names_in": [1, 2, 3, 4, 5, 6]}, "feature_names_in has a wrong"),
        ("regressor", {"status": "fine"}, "'fine' is not a valid Status"),
        ("regressor", {"n_iter": "many"}, "n_iter has a wrong type or value"),
        ("regressor", {"objective": [1.0, 2.0]}, "objective has a wrong type or value"),
        ("classifier", {"classes": ["yes"]}, "1 classes for 1 decisions"),
        ("classifier", {"classes": ["yes", "yes"]}, "classes has a wrong type or value"),
        ("classifier", {"classes": ["yes", 1]}, "classes has a wrong type or value"),
        ("classifier", {"classes": ["indeed", "no"]}, "classes has a wrong type or value"),
        ("classifier", {"classes_dtype": "<U400000000"}, "classes has a wrong type"),
        ("classifier", {"classes_dtype": "V8"}, "classes has a wrong type or value"),
        ("classifier", {"classes_dtype": "nonsense"}, "classes has a wrong type or value"),
        ("three", {"classes": [0, 1, 300], "classes_dtype": "|i1"}, "classes has a wrong type"),
        ("three", {"classes": [0, 1]}, "2 classes for 3 decisions"),
        *(
            ("classifier", {name: MISSING}, f"{name} is missing")
            for name in (
                "n_features_in", "support", "coef", "intercept", "n_iter", "status", "objective",
                "classes", "classes_dtype",
            )
        ),
    ],
)  # fmt: skip
def test_files_with_wrong_content_were_loaded_or_raised_key_errors(
    kind, change, message, models, tmp_path
):
    content = content_of(models[kind], tmp_path)
    content["fitted"] |= change
    content["fitted"] = {k: v for k, v in content["fitted"].items() if v is not MISSING}
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    refused(path, f"model.json does not contain a regiht model: .*{message}")


@pytest.mark.parametrize(
    "change",
    [
        {"parameters": MISSING},
        {"parameters": {"callback": 1}},
        {"parameters": {"loss": "logistic"}},
        {"parameters": {"loss": []}},
        {"fitted": MISSING},
        {"fitted": []},
        {"format": MISSING},
        {"kind": ["SparseRegressor"]},
        {"kind": "SparseRegressorCV"},
        {"format_version": MISSING},
    ],
)
def test_files_without_a_part_are_refused(change, models, tmp_path):
    content = content_of(models["regressor"], tmp_path) | change
    content = {k: v for k, v in content.items() if v is not MISSING}
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    refused(path, "does not contain a regiht model: |another version")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "9" * 100_000, "\ud800"])
def test_deep_nesting_raised_a_recursion_error(text, tmp_path):
    path = tmp_path / "model.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    refused(path, "does not contain a regiht model")


def npz_members(model, folder):
    regiht.save_model(model, folder / "good.npz")
    with zipfile.ZipFile(folder / "good.npz") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write_npz(path, members, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def array_bytes(array, version=None):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(array), version=version)
    return stream.getvalue()


def header_of(descr, shape):
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def peak_of(call):
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_small_npz_that_inflates_took_the_memory(models, tmp_path):
    members = npz_members(models["regressor"], tmp_path)
    members["coef.npy"] = array_bytes(np.zeros((1, 20_000_000)))
    path = tmp_path / "bomb.npz"
    write_npz(path, members, zipfile.ZIP_DEFLATED)
    peak = peak_of(lambda: refused(path, "it would take 16[0-9]* bytes; its size allows for"))
    assert peak < 20_000_000


@pytest.mark.parametrize(
    "header",
    [
        header_of("<U400000000", "()"),
        header_of("<f8", "(200000000,)"),
        header_of("<f8", "(4611686018427387904, 4)"),
        header_of("<U0", "(200000000,)"),
        header_of("|O", "(1,)"),
        header_of("<f88", "(1,)"),
        header_of("<f8", "(" + "1, " * 40 + ")"),
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff{",
        b"not an array",
        b"",
    ],
)
def test_a_dtype_of_gigabytes_took_the_memory(header, models, tmp_path):
    members = npz_members(models["regressor"], tmp_path)
    for name in ("header.npy", "coef.npy"):
        path = tmp_path / "claims.npz"
        write_npz(path, members | {name: header})
        peak = peak_of(lambda path=path: refused(path, "does not contain a regiht model"))
        assert peak < 1_000_000


@pytest.mark.parametrize("piece", ["{},", '{"":0},', "[0],", '"ab",', "1e9,"])
@pytest.mark.parametrize("suffix", [".json", ".npz"])
def test_reading_takes_at_most_the_stated_multiple_of_the_file(piece, suffix, models, tmp_path):
    text = '{"format": "regiht-model", "fitted": [' + piece * 100_000 + "0]}"
    path = tmp_path / f"large{suffix}"
    if suffix == ".npz":
        members = npz_members(models["regressor"], tmp_path)
        members["header.npy"] = array_bytes(np.array(text))
        members["coef.npy"] = array_bytes(np.random.default_rng(0).normal(size=(1, 5_000)))
        write_npz(path, members, zipfile.ZIP_DEFLATED)
    else:
        path.write_text(text, encoding="utf-8")
    peak = peak_of(lambda: refused(path, "another version|does not contain"))
    assert peak < BYTES_FOR_EACH_BYTE * path.stat().st_size


def test_other_writers_and_recompressed_files_are_read(models, tmp_path):
    model = models["three"]
    members = npz_members(model, tmp_path)
    members["coef.npy"] = array_bytes(np.asfortranarray(model.coef_[:, model.support_]), (2, 0))
    write_npz(tmp_path / "again.npz", members, zipfile.ZIP_DEFLATED)
    again = regiht.load_model(tmp_path / "again.npz")
    np.testing.assert_array_equal(again.coef_, model.coef_)


def test_more_coefficients_are_read_if_asked(models, tmp_path):
    content = content_of(models["regressor"], tmp_path)
    content["fitted"]["n_features_in"] = 1_000
    path = tmp_path / "wide.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(regiht.InvalidArgumentError, match="at most 999 coefficients"):
        regiht.load_model(path, max_coefficients=999)
    assert regiht.load_model(path, max_coefficients=1_000).coef_.shape == (1_000,)


def test_a_model_without_finite_coefficients_is_not_saved(tmp_path):
    model = SparseRegressor(1).fit(np.eye(3), [1.0, 2.0, 3.0])
    model.coef_[0] = np.nan
    with pytest.raises(regiht.InvalidArgumentError, match="not all finite"):
        regiht.save_model(model, tmp_path / "model.json")


FULL_DISK = """if True:
    import resource, signal, sys
    import numpy as np
    import regiht
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    X = np.random.default_rng(0).normal(size=(30, 4))
    model = regiht.SparseRegressor(2).fit(X, X[:, 0])
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
    for path in sys.argv[1:]:
        try:
            regiht.save_model(model, path)
        except OSError as error:
            print(type(error).__name__)
"""


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files of a process")
def test_a_full_disk_lost_the_old_model(models, tmp_path):
    paths = [tmp_path / "model.json", tmp_path / "model.npz"]
    for path in paths:
        regiht.save_model(models["regressor"], path)
    before = [path.read_bytes() for path in paths]
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, *paths], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "OSError\n" * 2, "")
    assert [path.read_bytes() for path in paths] == before
    assert sorted(tmp_path.iterdir()) == paths


@pytest.mark.skipif(os.name != "posix", reason="links and permissions")
def test_saving_keeps_links_and_permissions(models, tmp_path):
    path, link = tmp_path / "model.json", tmp_path / "link.json"
    regiht.save_model(models["regressor"], path)
    path.chmod(0o640)
    link.symlink_to(path)
    regiht.save_model(models["classifier"], link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert isinstance(regiht.load_model(path), SparseClassifier)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_path_that_is_none_raised_an_error_of_pathlib():
    with pytest.raises(regiht.InvalidArgumentError, match="path must be a str or a path; got 3"):
        regiht.load_model(3)
