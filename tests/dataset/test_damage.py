"""Directories that are not as they were written are refused, in one sentence."""

import hashlib
import json
import shutil

import numpy as np
import pytest

import regiht
from regiht import dataset

ARRAYS = ["values", "indices_1", "pointers_to_1", "means", "norms", "centred_norms", "y"]


def refused(path, message, **options):
    with pytest.raises(regiht.InvalidArgumentError, match=message) as caught:
        regiht.Design.open(path, **options)
    assert str(path) in str(caught.value)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def change_header(path, change, *, signed=True):
    """Change a header, and unless told otherwise make it look as if it had been written so."""
    file = path / "header.json"
    content = json.loads(file.read_text())
    change(content)
    content.pop("sha256")
    plain = json.dumps(content, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(plain.encode()).hexdigest() if signed else "0" * 64
    file.write_text(json.dumps(content | {"sha256": digest}))


def replace_file(path, name, array):
    """Put another array in the place of one, with a header that agrees."""
    np.save(path / f"{name}.npy", array)
    content = (path / f"{name}.npy").read_bytes()
    facts = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    change_header(path, lambda header: header["regiht"]["files"].update({f"{name}.npy": facts}))


@pytest.mark.parametrize("verify", [False, True])
@pytest.mark.parametrize("name", [*ARRAYS, "feature_names"])
def test_truncated_and_missing_files(directory, name, verify):
    (file,) = directory.glob(f"{name}.*")
    content = file.read_bytes()
    file.write_bytes(content[:-1])
    refused(directory, name, verify=verify)
    file.write_bytes(content + b"\0")
    refused(directory, name, verify=verify)
    file.write_bytes(b"")
    refused(directory, name, verify=verify)
    file.unlink()
    refused(directory, f"{name}.* is missing", verify=verify)


@pytest.mark.parametrize("name", [*ARRAYS, "feature_names"])
def test_one_changed_bit(directory, name):
    (file,) = directory.glob(f"{name}.*")
    content = bytearray(file.read_bytes())
    content[-3] ^= 1
    file.write_bytes(content)
    refused(directory, r"(checksum differs|do not rise)")


def test_a_change_after_the_first_look_is_seen(directory):
    regiht.Design.open(directory)
    content = bytearray((directory / "values.npy").read_bytes())
    content[-3] ^= 1
    (directory / "values.npy").write_bytes(content)
    refused(directory, "values.npy has changed since it was written")


def test_foreign_directories(tmp_path, directory):
    refused(tmp_path / "nothing", "does not exist")
    refused(directory / "values.npy", "is no directory")
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "empty", "no header.json, so regiht did not write it")
    for text, message in [
        ("", "not JSON"), ("{", "not JSON"), ("[" * 100_000, "not JSON"), ("[]", "not written by"),
        ('{"binsparse": {"version": "0.1"}}', "not written by regiht"),
        ('{"regiht": 3}', "not written by"), ('{"regiht": {}}', "changed after"),
    ]:  # fmt: skip
        (directory / "header.json").write_text(text)
        refused(directory, message)


def test_later_formats_ask_for_an_update(directory):
    change_header(directory, lambda header: header["regiht"].update(version=2), signed=False)
    refused(directory, "format 2 and this regiht reads up to 1; update")


def test_a_changed_header(directory):
    change_header(directory, lambda header: header["regiht"].update(target="z"), signed=False)
    refused(directory, "header.json was changed")


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("binsparse", {"shape": [400, 61]}),
        ("binsparse", {"shape": [10**15, 60]}),
        ("binsparse", {"shape": [400, 10**18]}),
        ("binsparse", {"shape": [400, 0]}),
        ("binsparse", {"shape": [400]}),
        ("binsparse", {"shape": ["400", 60]}),
        ("binsparse", {"number_of_stored_values": 10**17}),
        ("binsparse", {"number_of_stored_values": -1}),
        ("binsparse", {"format": "CSR"}),
        ("regiht", {"version": 0}),
        ("regiht", {"data_types": {}}),
        ("regiht", {"data_types": None}),
        ("regiht", {"files": {}}),
        ("regiht", {"files": {"../values.npy": {"bytes": 1, "sha256": ""}}}),
        ("regiht", {"classes": 3}),
        ("regiht", {"target": 3}),
        ("regiht", {"columns_from": 3}),
    ],
)
def test_headers_that_claim_what_is_not_there(directory, part, change):
    change_header(directory, lambda header: header[part].update(change))
    refused(directory, "cannot be opened", verify=False)


@pytest.mark.parametrize("name", ["values", "indices_1", "means"])
def test_arrays_of_another_type(directory, name):
    array = np.load(directory / f"{name}.npy")
    replace_file(directory, name, array.astype(">" + array.dtype.str[1:]))
    refused(directory, f"{name}.npy holds")
    replace_file(directory, name, np.full(array.size, "x"))
    refused(directory, f"{name}.npy holds")


def test_indices_that_lead_out_of_the_matrix_never_reach_the_core(directory):
    indices = np.load(directory / "indices_1.npy")
    for place, value in ((0, -1), (5, 400), (-1, 2**31 - 1), (1, indices[0])):
        wrong = indices.copy()
        wrong[place] = value
        replace_file(directory, "indices_1", wrong)
        refused(directory, "not in order")


def test_offsets_that_fall_are_refused_even_without_verification(directory):
    offsets = np.load(directory / "pointers_to_1.npy")
    for place, value in ((0, 1), (3, offsets[-1] + 1), (3, -1), (-1, offsets[-1] - 1)):
        wrong = offsets.copy()
        wrong[place] = value
        replace_file(directory, "pointers_to_1", wrong)
        refused(directory, "offsets do not rise", verify=False)


def test_values_that_are_not_finite(directory):
    values = np.load(directory / "values.npy")
    values[7] = np.nan
    replace_file(directory, "values", values)
    refused(directory, "NaN or infinity")


def test_a_directory_can_be_moved(directory, tmp_path):
    expected = dataset.open(directory).matrix.toarray()
    shutil.move(directory, tmp_path / "elsewhere")
    assert np.array_equal(dataset.open(tmp_path / "elsewhere").matrix.toarray(), expected)
