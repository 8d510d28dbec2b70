"""Names of what comes out of the steps of a pipeline, as a reader would write them.

Steps are told by what they have learnt, not by their classes, so that scikit-learn is not imported
and others like its own are understood too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Names = Sequence[str] | None


def names_out(step: Any, names: Names) -> Names:
    """Name the columns that a fitted transformer answers with; None if nothing is known."""
    if step is None or step == "passthrough":
        return names
    for is_one, name_columns in _KINDS:
        if is_one(step):
            return name_columns(step, names)
    return _own_names(step, names)


def _through_steps(pipeline: Any, names: Names) -> Names:
    for _, step in pipeline.steps:
        names = names_out(step, names)
    return names


def _side_by_side(union: Any, names: Names) -> Names:
    """Of a FeatureUnion."""
    listed = [names_out(step, names) for _, step in union.transformer_list if step != "drop"]
    if any(each is None for each in listed):
        return _own_names(union, names)
    return [name for each in listed for name in each or ()]


def _by_columns(transformer: Any, names: Names) -> Names:
    """Of a ColumnTransformer, whose parts take some columns each."""
    given = given_names(transformer, names)
    own = _own_names(transformer, names)
    if own is None:
        return None
    out = [str(name) for name in own]
    for label, step, columns in transformer.transformers_:
        place = transformer.output_indices_.get(label)
        if place is None or step == "drop" or place.start == place.stop:
            continue
        chosen = chosen_names(columns, given)
        readable = None if chosen is None else names_out(step, chosen)
        if readable is not None and len(readable) == place.stop - place.start:
            out[place] = list(readable)
    return out


def given_names(step: Any, names: Names) -> Names:
    """Names of the columns that a step takes: those given, else those it was fitted with."""
    if names is not None:
        return names
    learnt = getattr(step, "feature_names_in_", None)
    return [f"x{j}" for j in range(step.n_features_in_)] if learnt is None else list(learnt)


def chosen_names(columns: Any, names: Names) -> Names:
    """Names of columns given by name, number, slice or mask."""
    if names is None:
        return None
    if isinstance(columns, str):
        return [columns]
    if isinstance(columns, slice):
        if isinstance(columns.start, str) or isinstance(columns.stop, str):
            return None
        return list(names[columns])
    listed = np.atleast_1d(np.asarray(columns))
    if listed.dtype.kind in "UOT":
        return [str(each) for each in listed]
    return [str(each) for each in np.asarray(names, dtype=object)[listed]]


def _categories(encoder: Any, names: Names) -> Names:
    """Of a OneHotEncoder: which category of which column; its own names hold both."""
    given = given_names(encoder, names)
    own = _own_names(encoder, given)
    counts = getattr(encoder, "_n_features_outs", None)
    if own is None or counts is None or given is None or sum(counts) != len(own):
        return own
    columns = np.repeat(np.asarray(given, dtype=object), counts)
    learnt = _own_names(encoder, None) or own
    prefixes = np.repeat(
        np.asarray(getattr(encoder, "feature_names_in_", given), dtype=object), counts
    )
    return [
        f"[{column} = {str(name).removeprefix(f'{prefix}_')}]"
        for column, name, prefix in zip(columns, learnt, prefixes, strict=True)
    ]


def _terms(vectorizer: Any, names: Names) -> Names:
    """Of a vectorizer of text."""
    del names
    weighted = hasattr(vectorizer, "idf_") or hasattr(vectorizer, "use_idf")
    kind = "tf-idf" if weighted else "count"
    return [f'{kind}("{term}")' for term in vectorizer.get_feature_names_out()]


def _standardized(scaler: Any, names: Names) -> Names:
    """Of a StandardScaler or RobustScaler: (x − mean) / scale."""
    given = given_names(scaler, names)
    shift = getattr(scaler, "mean_", None) if getattr(scaler, "with_mean", True) else None
    shift = getattr(scaler, "center_", shift)
    if given is None or len(given) != scaler.n_features_in_:
        return _own_names(scaler, names)
    return _moved(given, shift, getattr(scaler, "scale_", None))


def _ranged(scaler: Any, names: Names) -> Names:
    """Of a MinMaxScaler, which answers x · scale + min."""
    given = given_names(scaler, names)
    if given is None:
        return None
    return _moved(given, -scaler.min_ / scaler.scale_, 1.0 / scaler.scale_)


def _moved(names: Sequence[str], shift: Any, scale: Any) -> list[str]:
    shifts = np.zeros(len(names)) if shift is None else np.asarray(shift)
    scales = np.ones(len(names)) if scale is None else np.asarray(scale)
    return [
        _affine(str(name), float(by), float(unit))
        for name, by, unit in zip(names, shifts, scales, strict=True)
    ]


def _affine(name: str, shift: float, scale: float) -> str:
    inner = name if shift == 0.0 else f"{name} {'−' if shift > 0 else '+'} {_number(abs(shift))}"
    if scale == 1.0:
        return inner if shift == 0.0 else f"({inner})"
    return f"{name if shift == 0.0 else f'({inner})'} / {_number(scale)}"


def _number(value: float) -> str:
    """Four digits, as people write them."""
    if 1e-3 <= value < 1e7:
        return np.format_float_positional(
            value, precision=4, unique=False, fractional=False, trim="-"
        )
    return f"{value:.4g}"


def _selected(selector: Any, names: Names) -> Names:
    given = given_names(selector, names)
    if given is None:
        return None
    return [str(given[j]) for j in np.flatnonzero(selector.get_support()).tolist()]


def _unchanged(step: Any, names: Names) -> Names:
    """Of a TfidfTransformer, whose columns are those it was given, weighted."""
    given = given_names(step, names)
    return None if given is None else [_weighted(str(name)) for name in given]


def _weighted(name: str) -> str:
    return f"tf-idf{name.removeprefix('count')}" if name.startswith("count(") else f"tf-idf({name})"


def _own_names(step: Any, names: Names) -> Names:
    """What the step itself calls its columns; it may refuse names other than those it has seen."""
    if not hasattr(step, "get_feature_names_out"):
        return None
    for given in (names, None):
        try:
            return [str(name) for name in step.get_feature_names_out(given)]
        except (ValueError, TypeError):
            continue
    return None


# How a kind of step is told, and what names its columns.
_KINDS: tuple[tuple[Callable[[Any], bool], Callable[[Any, Names], Names]], ...] = (
    (lambda step: hasattr(step, "steps"), _through_steps),
    (lambda step: hasattr(step, "transformer_list"), _side_by_side),
    (lambda step: hasattr(step, "output_indices_"), _by_columns),
    (lambda step: hasattr(step, "drop_idx_") and hasattr(step, "categories_"), _categories),
    (lambda step: hasattr(step, "vocabulary_"), _terms),
    (lambda step: hasattr(step, "idf_") or hasattr(step, "use_idf"), _unchanged),
    (lambda step: hasattr(step, "data_min_") and hasattr(step, "min_"), _ranged),
    (lambda step: hasattr(step, "scale_") and hasattr(step, "inverse_transform"), _standardized),
    (lambda step: hasattr(step, "get_support"), _selected),
)
