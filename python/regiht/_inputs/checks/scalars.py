"""Words, numbers and flags."""

from __future__ import annotations

import difflib
import math
import operator
import os
from collections.abc import Sequence
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import DTypeLike

from regiht._inputs.checks.errors import InvalidArgumentError

THREADS_VARIABLE = "REGIHT_NUM_THREADS"
ADAPTIVE: Final = "adaptive"
DEFAULT_MAX_ITER = 800
DEFAULT_ADAPTIVE_MAX_ITER = 20_000
_LARGEST_INTEGER = 2**53
_MOST_THREADS = 4096


def check_choice(name: str, value: object, allowed: Sequence[str]) -> str:
    """One of a few words; a misspelt one is answered with the closest."""
    if isinstance(value, str) and value in allowed:
        return value
    close = difflib.get_close_matches(value, allowed, n=1) if isinstance(value, str) else []
    hint = f" Did you mean {close[0]!r}?" if close else ""
    listed = ", ".join(repr(word) for word in allowed)
    raise InvalidArgumentError(f"{name} must be one of {listed}; got {value!r}.{hint}")


def check_integer(name: str, value: object, least: int, most: int = _LARGEST_INTEGER) -> int:
    """Check for a whole number within bounds."""
    if type(value) is int and least <= value <= most:  # by far the most common
        return value
    bounded = most < _LARGEST_INTEGER
    kind = f"an integer {f'between {least} and {most}' if bounded else f'of at least {least}'}"
    if isinstance(value, (bool, np.bool_)):
        raise InvalidArgumentError(f"{name} must be {kind}; got {value!r}.")
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidArgumentError(f"{name} must be {kind}; got {value!r}.") from None
    if number > most and not bounded:
        raise InvalidArgumentError(f"{name} must be at most {most}; got {number}.")
    if not least <= number <= most:
        bounds = f"between {least} and {most}" if bounded else f"at least {least}"
        raise InvalidArgumentError(f"{name} must be {bounds}; got {number}.")
    return int(number)


def check_real(
    name: str,
    value: object,
    *,
    least: float = -math.inf,
    most: float = math.inf,
    strict: bool = False,
) -> float:
    """Check for a finite real number in [least, most], or above least if strict."""
    if type(value) is float and least < value <= most and value != math.inf:
        return value
    bounds = _bounds(least, most, strict)
    if isinstance(value, (bool, np.bool_, str, bytes)) or value is None:
        raise InvalidArgumentError(f"{name} must be a number{bounds}; got {value!r}.")
    kind = getattr(getattr(value, "dtype", None), "kind", "f")
    if isinstance(value, bytearray) or kind not in "fiu":
        # Python would read the text, and numpy drop an imaginary part.
        raise InvalidArgumentError(f"{name} must be a real number{bounds}; got {value!r}.")
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InvalidArgumentError(
            f"{name} must be a number{bounds}; got {type(value).__name__}."
        ) from None
    except OverflowError:
        raise InvalidArgumentError(f"{name} must be a finite number{bounds}.") from None
    if not math.isfinite(number) or not least <= number <= most or (strict and number == least):
        raise InvalidArgumentError(f"{name} must be a finite number{bounds}; got {value!r}.")
    return number


def _bounds(least: float, most: float, strict: bool) -> str:
    if most < math.inf:
        return f" between {least:g} and {most:g}"
    if least == -math.inf:
        return ""
    return f" {'greater than' if strict else 'of at least'} {least:g}"


def check_weight_step(name: str, value: object) -> float | Literal["adaptive"] | None:
    """Check for None, a number or "adaptive"."""
    if value is None:
        return None
    if not isinstance(value, str):
        return check_real(name, value, least=0.0)
    if value != ADAPTIVE:
        raise InvalidArgumentError(
            f"{name} must be a number of at least 0, {ADAPTIVE!r} or None; got {value!r}."
        )
    return ADAPTIVE


def check_max_iter(name: str, value: object) -> int | Literal["auto"]:
    """Check for a number of iterations or "auto"."""
    if not isinstance(value, str):
        return check_integer(name, value, 0)
    if value != "auto":
        raise InvalidArgumentError(
            f"{name} must be an integer of at least 0 or 'auto'; got {value!r}."
        )
    return "auto"


def check_time_limit(time_limit: float | None) -> float | None:
    """Check for None or a number of seconds."""
    if time_limit is None:
        return None
    return check_real("time_limit", time_limit, least=0.0, strict=True)


def check_flag(name: str, value: object) -> bool:
    """Check for True or False."""
    if value is True or value is False:
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    raise InvalidArgumentError(f"{name} must be True or False; got {value!r}.")


def refuse_unknown(option: str, method: str, known: Sequence[str]) -> None:
    """Refuse an option for a method that is not among those that support it."""
    if method not in known:
        listed = ", ".join(repr(word) for word in known)
        raise InvalidArgumentError(
            f"method={method!r} does not support {option}; these do: {listed}."
        )


def check_float_dtype(name: str, value: DTypeLike) -> np.dtype[Any]:
    """Check for float64 or float32."""
    try:
        dtype = np.dtype(value)
    except TypeError:
        dtype = np.dtype(object)
    if dtype not in {np.dtype(np.float64), np.dtype(np.float32)}:
        raise InvalidArgumentError(f"{name} must be float64 or float32; got {value!r}.")
    return dtype


def check_progress(value: Any) -> Any:
    """Check for True, False or something that can be called."""
    return value if callable(value) else check_flag("progress", value)


def check_callback(callback: object) -> None:
    """Check for something that can be called."""
    if callback is not None and not callable(callback):
        raise InvalidArgumentError(
            f"callback must be a function of one iteration; got {type(callback).__name__}."
        )


def check_threads(n_threads: object) -> int:
    """Take the argument, else the environment variable, else the cores this process may use."""
    if n_threads is not None:
        return check_integer("n_threads", n_threads, 1, _MOST_THREADS)
    given = os.environ.get(THREADS_VARIABLE)
    if given is None:
        return _AVAILABLE_CORES
    try:
        return check_integer(THREADS_VARIABLE, int(given), 1, _MOST_THREADS)
    except ValueError:
        raise InvalidArgumentError(
            f"the environment variable {THREADS_VARIABLE} must be an integer between 1 and "
            f"{_MOST_THREADS}; got {given!r}."
        ) from None


def check_jobs(n_jobs: int | None) -> int | None:
    """Check for None or a number of jobs as joblib counts them: below 0 from all cores down."""
    if n_jobs is None:
        return None
    jobs = check_integer("n_jobs", n_jobs, -_MOST_THREADS, _MOST_THREADS)
    if jobs == 0:
        raise InvalidArgumentError("n_jobs must not be 0: 1 is one thread, -1 are all cores.")
    return jobs


def _available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_AVAILABLE_CORES = _available_cores()
