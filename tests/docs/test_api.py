"""Every public name has a docstring with all its sections, and its examples run."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

import regiht

ROOT = Path(__file__).resolve().parents[2]
MODULES = ["regiht", *(f"regiht.{name}" for name in (
    "dataset", "datasets", "distributed", "lowrank", "onnx", "plotting", "reference", "theory",
))]  # fmt: skip
SECTION = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}$", re.MULTILINE)
# What scikit-learn puts into its estimators.
REQUESTS = re.compile(r"set_\w+_request\Z")


def is_installed(module: str) -> bool:
    return module != "regiht.onnx" or importlib.util.find_spec("skl2onnx") is not None


def public_objects() -> dict[str, type | object]:
    """Functions and classes by the first name under which they are public."""
    pytest.importorskip("sklearn")
    found: dict[str, object] = {}
    for module in filter(is_installed, MODULES):
        space = importlib.import_module(module)
        for name in space.__all__:
            thing = getattr(space, name)
            ours = getattr(thing, "__module__", "").startswith("regiht")
            is_code = inspect.isclass(thing) or inspect.isfunction(thing)
            if ours and is_code and thing not in found.values():
                found[f"{module}.{name}"] = thing
    return found


OBJECTS = public_objects()


def sections(thing: object) -> set[str]:
    return set(SECTION.findall(inspect.getdoc(thing) or ""))


def needed(name: str, thing: object) -> set[str]:
    """A class describes what it holds or takes; a function what it takes, gives and refuses."""
    always = {"See Also", "Examples"}
    if inspect.isclass(thing):
        return always
    signature = inspect.signature(thing)
    wanted = set(always)
    if signature.parameters:
        wanted |= {"Parameters"}
        # The reference is written to be read, and checks nothing.
        wanted |= set() if name.startswith("regiht.reference.") else {"Raises"}
    if signature.return_annotation not in (None, "None"):
        wanted |= {"Returns"}
    return wanted


def has_fields(kind: type) -> bool:
    """Whether there is something to describe: protocols and exceptions have methods only."""
    return not (getattr(kind, "_is_protocol", False) or issubclass(kind, Exception))


@pytest.mark.parametrize("name", OBJECTS)
def test_a_public_name_has_all_sections(name):
    thing = OBJECTS[name]
    has = sections(thing)
    assert not needed(name, thing) - has
    if inspect.isclass(thing) and has_fields(thing):
        assert has & {"Parameters", "Attributes"}


def described(thing: object) -> set[str]:
    """The parameters that a docstring lists, itself or by naming a function that has them too."""
    text = inspect.getdoc(thing)
    parts = re.split(SECTION, text)
    terms = re.findall(r"^(\S[^:\n]*)", parts[parts.index("Parameters") + 1], re.MULTILINE)
    names = set(re.findall(r"\w+", " ".join(terms)))
    others = re.search(r"Parameters that are not listed are those of `(?:regiht\.)?(\w+)`", text)
    return names | (described(getattr(regiht, others[1])) if others else set())


def takes_something(thing: object) -> bool:
    return inspect.isfunction(thing) and bool(inspect.signature(thing).parameters)


@pytest.mark.parametrize("name", [n for n, o in OBJECTS.items() if takes_something(o)])
def test_every_parameter_is_described(name):
    thing = OBJECTS[name]
    assert set(inspect.signature(thing).parameters) <= described(thing)


@pytest.mark.parametrize("name", [n for n, o in OBJECTS.items() if inspect.isclass(o)])
def test_every_public_method_says_what_it_does(name):
    kind = OBJECTS[name]
    for member, value in vars(kind).items():
        function = getattr(value, "fget", None) or getattr(value, "__func__", value)
        if not member.startswith("_") and not REQUESTS.match(member) and callable(function):
            assert inspect.getdoc(function), member


@pytest.mark.parametrize("name", OBJECTS)
def test_examples_of_a_docstring_run(name, tmp_path, monkeypatch):
    mpl = pytest.importorskip("matplotlib")
    if "pandas" in inspect.getsource(OBJECTS[name]):
        pytest.importorskip("pandas")
    mpl.use("Agg")
    monkeypatch.chdir(tmp_path)
    finder = doctest.DocTestFinder(recurse=inspect.isclass(OBJECTS[name]))
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.REPORT_NDIFF)
    report: list[str] = []
    for each in finder.find(OBJECTS[name], name, module=owner(OBJECTS[name])):
        runner.run(each, out=report.append)
    import matplotlib.pyplot as plt  # noqa: PLC0415  (after its backend is chosen)

    plt.close("all")
    assert runner.failures == 0, "".join(report)
    assert runner.tries > 0


def owner(thing: object) -> ModuleType:
    return importlib.import_module(thing.__module__)


def test_the_reference_lists_every_public_name():
    page = ROOT / "docs" / "api" / "index.md"
    if not page.exists():
        pytest.skip("a source distribution has no docs")
    text = page.read_text(encoding="utf-8")
    listed = set(re.findall(r"^   ([\w.]+)$", text, re.MULTILINE))
    public = {name.removeprefix("regiht.") for name in OBJECTS}
    assert public <= listed
    for name in listed:
        space, _, last = f"regiht.{name}".rpartition(".")
        if is_installed(space):
            assert getattr(importlib.import_module(space), last) is not None
    assert "solve" in public
    assert regiht.solve in OBJECTS.values()
