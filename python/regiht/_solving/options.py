"""How to solve: the one list of options that every way in shares, checked once.

`solve`, `solve_grid`, `solve_batch`, `minimize`, `sparse_path`, the estimators and through them the
command line turn what they are given into `Options`; what lies below checks nothing again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self

from regiht import _core
from regiht._inputs import checks as check
from regiht._inputs.checks import FloatArray, IndexArray
from regiht._solving.registry import EFFORTS, LOSSES, METHODS, POLISHES, Polish, methods_with

Check = Callable[[str, Any, int], Any]


def _option(default: Any, checked: Check) -> dict[str, Any]:
    """The default of an option, and its check: of its name, its value, and the dimension."""
    return {"default": default, "check": checked}


def _plain(checked: Callable[..., Any], **bounds: Any) -> Check:
    """A check that does not depend on the dimension."""
    return lambda name, value, n: checked(name, value, **bounds)


def _optional(checked: Check) -> Check:
    return lambda name, value, n: None if value is None else checked(name, value, n)


def _of_table(table: Mapping[str, Any]) -> Check:
    return lambda name, value, n: table[check.check_choice(name, value, tuple(table))]


def _of_dimension(checked: Callable[[Any, int], Any]) -> Check:
    """A check of a vector that knows its own name."""
    return lambda name, value, n: checked(value, n)


def _checked_before(name: str, value: Any, n: int) -> Any:
    """Groups are numbered by what knows the names of the columns."""
    del name, n
    return value


def _threads(name: str, value: Any, n: int) -> int:
    del name, n
    return check.check_threads(value)


_flag = _plain(check.check_flag)
_positive = _plain(check.check_real, least=0.0, strict=True)
_not_negative = _plain(check.check_real, least=0.0)
_share = _plain(check.check_real, least=0.0, most=1.0)
_seed = _plain(check.check_integer, least=0, most=2**64 - 1)
_weight_step = _plain(check.check_weight_step)
_polish = _plain(check.check_choice, allowed=POLISHES)

# So many of the last s have their core options kept.
_MOST_KEPT = 64


@dataclass(frozen=True, kw_only=True, eq=False)
class Options:
    """How to solve for vectors of n entries, checked; s and the data come on top.

    `check_options` makes it. Fields have the names of the arguments of `solve` and are in their
    order; `groups` are numbers of groups, one for every entry.
    """

    n: int
    loss: _core.Loss = field(metadata=_option("squared", _of_table(LOSSES)))
    method: _core.Method = field(metadata=_option("regiht", _of_table(METHODS)))
    ridge: float = field(metadata=_option(0.0, _not_negative))
    step: float | None = field(metadata=_option(None, _optional(_positive)))
    weight_step: float | Literal["adaptive"] | None = field(metadata=_option(None, _weight_step))
    max_iter: int | Literal["auto"] = field(metadata=_option("auto", _plain(check.check_max_iter)))
    tol: float = field(metadata=_option(0.0, _not_negative))
    round_threshold: float = field(metadata=_option(0.5, _share))
    x0: FloatArray | None = field(metadata=_option(None, _of_dimension(check.check_start)))
    w0: FloatArray | None = field(metadata=_option(None, _of_dimension(check.check_first_weights)))
    safeguard: bool = field(metadata=_option(False, _flag))
    refit: bool = field(metadata=_option(False, _flag))
    polish: Polish | None = field(metadata=_option(None, _optional(_polish)))
    effort: float = field(metadata=_option("default", _of_table(EFFORTS)))
    target_value: float | None = field(metadata=_option(None, _optional(_plain(check.check_real))))
    seed: int = field(metadata=_option(0, _seed))
    screening: bool = field(metadata=_option(True, _flag))
    keep: IndexArray | None = field(metadata=_option(None, check.check_columns))
    positive: bool = field(metadata=_option(False, _flag))
    groups: IndexArray | None = field(metadata=_option(None, _checked_before))
    intercept: bool = field(metadata=_option(False, _flag))
    history: bool = field(metadata=_option(False, _flag))
    time_limit: float | None = field(metadata=_option(None, _optional(_positive)))
    n_threads: int | None = field(metadata=_option(None, _optional(_threads)))
    certify: bool = field(metadata=_option(False, _flag))

    _cores: dict[int, _core.Options] = field(default_factory=dict, init=False, repr=False)

    def changed(self, **values: Any) -> Self:
        """The same with other values of some options, which are checked."""
        checked = {name: CHECKS[name](name, value, self.n) for name, value in values.items()}
        return replace(self, **checked)

    def at_rest(self, x0: FloatArray, *, refit: bool) -> Self:
        """Options to stay at x0, or to go to the minimum on its support."""
        return replace(self, method=METHODS["iht"], max_iter=0, x0=x0, refit=refit, polish=None)

    def shared(self, fits: int, among: int) -> Self:
        """Options for each of many fits that share the effort of a few."""
        return replace(self, effort=self.effort * min(1.0, fits / among))

    def core(self, s: int) -> _core.Options:
        """Options of the core for s features, or groups; what depends on s is checked here."""
        if self.groups is None:
            s = check.check_integer("s", s, 1, self.n)
        else:
            s = check.check_integer("s, which counts groups,", s, 1, int(self.groups.max()) + 1)
        core = self._cores.get(s)
        if core is None:
            if len(self._cores) >= _MOST_KEPT:
                self._cores.clear()
            core = self._cores[s] = self._make_core(s)
        return core

    def _make_core(self, s: int) -> _core.Options:
        adaptive = self.weight_step == check.ADAPTIVE
        return _core.Options(
            **{name: getattr(self, name) for name in _SAME_IN_CORE},
            sparsity=s,
            weight_step=None if adaptive else self.weight_step,
            adaptive_weight_step=adaptive,
            max_iter=self.iterations,
            swap=self.polish == "swap",
            keep=self.kept(s),
        )

    @property
    def iterations(self) -> int:
        """The number of iterations; "auto" depends on what decides when to stop."""
        if isinstance(self.max_iter, int):
            return self.max_iter
        adaptive = self.weight_step == check.ADAPTIVE and self.method.reads_weight_step
        return check.DEFAULT_ADAPTIVE_MAX_ITER if adaptive else check.DEFAULT_MAX_ITER

    def kept(self, s: int) -> IndexArray | None:
        """The columns that are always in, all those of their groups, which must be at most s."""
        return check.check_keep(self.keep, s, self.groups)


DEFAULTS = {
    each.name: each.metadata["default"] for each in fields(Options) if "default" in each.metadata
}
CHECKS: dict[str, Check] = {
    each.name: each.metadata["check"] for each in fields(Options) if "check" in each.metadata
}
# Refused by methods of which the fact does not hold. What a method merely does not read, such as a
# start, is accepted, so that methods can be compared under the same options.
_NOT_FOR_ALL = {
    "positive": "knows_positive",
    "groups": "knows_groups",
    "target_value": "reads_target_value",
}
_SAME_IN_CORE = (DEFAULTS.keys() & set(_core.option_names())) - {"weight_step", "max_iter", "keep"}


@check.remembered
def check_options(n: int, *values: Any) -> Options:
    """Check the values of all options, given in the order of the fields."""
    checked = {
        name: CHECKS[name](name, value, n) for name, value in zip(CHECKS, values, strict=True)
    }
    options = Options(n=n, **checked)
    for name, fact in _NOT_FOR_ALL.items():
        if checked[name] is not None and checked[name] is not False:
            check.refuse_unknown(name, options.method.name, methods_with(fact))
    check.refuse_unlike_weights(options.w0, options.groups)
    return options


def options_from(n: int, **given: Any) -> Options:
    """Check options given by name; the others have their defaults."""
    return check_options(n, *(DEFAULTS | given).values())


def check_further(given: Mapping[str, Any] | None, taken: Collection[str]) -> dict[str, Any]:
    """Check a dict of options, and that it repeats none of those that are taken."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise check.InvalidArgumentError(
            f"options must be a dict of keyword arguments; got {type(given).__name__}."
        )
    clash = sorted(given.keys() & taken)
    if clash:
        raise check.InvalidArgumentError(
            f"options must not repeat what is a parameter of its own: {', '.join(clash)}."
        )
    # A warm start says where to begin. A callback is no option, but what hears of the run.
    allowed = {*DEFAULTS, "callback"} - {"x0", *taken}
    if "seed" in allowed:
        allowed.add("rng")
    for name in given:
        check.check_choice("a key of options", name, sorted(allowed))
    further = dict(given)
    if further.keys() & {"rng", "seed"}:
        further["seed"] = check.check_seed(further.pop("rng", 0), further.pop("seed", None))
    return further
