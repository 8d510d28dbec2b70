from collections.abc import Callable
from typing import Any, Literal, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

__version__: str

_Real = TypeVar("_Real", np.float64, np.float32)

class _PybindType(type): ...

class Design(metaclass=_PybindType):
    @property
    def rows(self) -> int: ...
    @property
    def cols(self) -> int: ...
    def apply(self, x: NDArray[np.float64], n_threads: int = 1) -> NDArray[np.float64]: ...
    def apply_columns(
        self,
        columns: NDArray[np.int64],
        values: NDArray[np.float64],
        start: float = 0.0,
        n_threads: int = 1,
    ) -> NDArray[np.float64]: ...
    def apply_transpose(
        self, v: NDArray[np.float64], n_threads: int = 1
    ) -> NDArray[np.float64]: ...
    def apply_transpose_columns(
        self, columns: NDArray[np.int64], v: NDArray[np.float64], n_threads: int = 1
    ) -> NDArray[np.float64]: ...
    def weighted_products(
        self,
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        weights: NDArray[np.float64],
        n_threads: int = 1,
    ) -> NDArray[np.float64]: ...
    def weighted_squares(
        self, columns: NDArray[np.int64], weights: NDArray[np.float64], n_threads: int = 1
    ) -> NDArray[np.float64]: ...
    def column_norms(self) -> NDArray[np.float64]: ...

class Iteration(metaclass=_PybindType):
    @property
    def number(self) -> int: ...
    @property
    def fun(self) -> float: ...
    @property
    def regularized_fun(self) -> float: ...
    @property
    def elapsed(self) -> float: ...
    @property
    def support_changes(self) -> int: ...
    @property
    def support(self) -> NDArray[np.int64]: ...
    @property
    def x(self) -> NDArray[np.float64]: ...
    @property
    def weights(self) -> NDArray[np.float64]: ...

class Options(metaclass=_PybindType):
    def __init__(self, **fields: Any) -> None: ...

class Method(metaclass=_PybindType):
    @property
    def name(self) -> str: ...
    @property
    def knows_positive(self) -> bool: ...
    @property
    def knows_groups(self) -> bool: ...
    @property
    def refits(self) -> bool: ...
    @property
    def is_nested(self) -> bool: ...
    @property
    def makes_all_iterations(self) -> bool: ...
    @property
    def draws(self) -> bool: ...
    @property
    def reads_x0(self) -> bool: ...
    @property
    def reads_step(self) -> bool: ...
    @property
    def reads_weight_step(self) -> bool: ...
    @property
    def reads_weights(self) -> bool: ...
    @property
    def reads_target_value(self) -> bool: ...
    @property
    def reads_effort(self) -> bool: ...

class Loss(metaclass=_PybindType):
    @property
    def name(self) -> str: ...
    @property
    def targets(self) -> Literal["real", "binary", "nonnegative"]: ...
    @property
    def link(self) -> Literal["identity", "log", "logit", "sign"]: ...
    @property
    def predictor(self) -> str: ...
    @property
    def likelihood(self) -> Literal["none", "exact", "unknown-variance"]: ...
    @property
    def is_quadratic(self) -> bool: ...
    @property
    def max_curvature(self) -> float: ...

class SolveResult(metaclass=_PybindType):
    @property
    def x(self) -> NDArray[np.float64]: ...
    @property
    def support(self) -> NDArray[np.int64]: ...
    @property
    def fun(self) -> float: ...
    @property
    def intercept(self) -> float: ...
    @property
    def weights(self) -> NDArray[np.float64]: ...
    @property
    def step(self) -> float: ...
    @property
    def n_iter(self) -> int: ...
    @property
    def n_gradients(self) -> float: ...
    @property
    def status(self) -> str: ...
    @property
    def rank_deficient(self) -> bool: ...
    @property
    def attained(self) -> bool: ...
    @property
    def swap_optimal(self) -> bool | None: ...
    @property
    def alternatives(self) -> list[tuple[NDArray[np.int64], NDArray[np.float64], float]]: ...
    @property
    def history(self) -> dict[str, NDArray[Any]] | None: ...

class LibsvmReader(metaclass=_PybindType):
    def feed(self, text: bytes | bytearray | memoryview) -> None: ...
    def finish(self) -> dict[str, Any]: ...

class LibsvmReaderFloat32(metaclass=_PybindType):
    def feed(self, text: bytes | bytearray | memoryview) -> None: ...
    def finish(self) -> dict[str, Any]: ...

def dense_design(X: NDArray[Any]) -> Design: ...
def compressed_design(
    values: NDArray[Any],
    indices: NDArray[Any],
    offsets: NDArray[Any],
    rows: int,
    cols: int,
    by_columns: bool,
) -> Design: ...
def standardized_design(
    design: Design, center: bool, scale: bool
) -> tuple[Design, NDArray[np.float64], NDArray[np.float64]]: ...
def rescaled_design(
    design: Design, means: NDArray[np.float64], factors: NDArray[np.float64]
) -> Design: ...
def inspect_structure(
    indices: NDArray[Any], offsets: NDArray[Any], slices: int, slice_size: int
) -> str: ...
def all_finite(array: NDArray[Any]) -> bool: ...
def is_plain_vector(array: NDArray[Any], size: int) -> bool: ...
def is_plain_matrix(array: NDArray[Any]) -> bool: ...
def hard_threshold(
    x: NDArray[np.float64], sparsity: int, keep: NDArray[np.int64]
) -> NDArray[np.float64]: ...
def losses() -> tuple[Loss, ...]: ...
def first_bad_target(loss: str, target: NDArray[np.float64]) -> int: ...
def loss_evaluate(
    loss: str,
    prediction: NDArray[np.float64],
    target: NDArray[np.float64],
    sample_weight: NDArray[np.float64] | None = None,
) -> tuple[float, NDArray[np.float64]]: ...
def loss_curvature(
    loss: str,
    prediction: NDArray[np.float64],
    target: NDArray[np.float64],
    sample_weight: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]: ...
def loss_conjugate(
    loss: str, slope: NDArray[np.float64], target: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def loss_conjugate_sum(
    loss: str,
    slope: NDArray[np.float64],
    target: NDArray[np.float64],
    sample_weight: NDArray[np.float64] | None = None,
) -> tuple[float, float]: ...
def relaxed_threshold(
    v: NDArray[np.float64], penalty: float, sparsity: int, keep: NDArray[np.int64]
) -> tuple[NDArray[np.float64], float]: ...
def lower_bound(
    *,
    design: Design,
    loss: str,
    target: NDArray[np.float64],
    x: NDArray[np.float64],
    fun: float,
    sparsity: int,
    keep: NDArray[np.int64] | None,
    ridge: float,
    sample_weight: NDArray[np.float64] | None,
    n_threads: int,
    time_limit: float | None,
) -> float: ...
def methods() -> tuple[Method, ...]: ...
def option_names() -> tuple[str, ...]: ...
def statuses() -> list[tuple[str, str, bool]]: ...
def solve_linear(
    design: Design,
    loss: str,
    target: NDArray[np.float64],
    method: str,
    options: Options,
    ridge: float,
    sample_weight: NDArray[np.float64] | None,
    intercept: bool,
    screening: bool,
    n_threads: int,
    callback: Callable[[Iteration], Any] | None,
    progress: Callable[[int, float], None] | None,
    time_limit: float | None,
) -> SolveResult: ...
def solve_many(
    *,
    design: Design,
    loss: str,
    targets: NDArray[np.float64],
    method: str,
    options: list[Options],
    ridge: float,
    sample_weight: NDArray[np.float64] | None,
    intercept: bool,
    screening: bool,
    n_threads: int,
    progress: Callable[[int, float], None] | None,
    time_limit: float | None,
) -> list[SolveResult]: ...
def solve_objective(
    *,
    objective: object,
    dimension: int,
    method: str,
    options: Options,
    callback: Callable[[Iteration], Any] | None,
    progress: Callable[[int, float], None] | None,
    time_limit: float | None,
) -> SolveResult: ...

_Triplets: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]

_Weights: TypeAlias = tuple[
    NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], float
]

class MatrixOperator(metaclass=_PybindType): ...

class ObservedEntries(metaclass=_PybindType):
    @overload
    def __init__(
        self, rows: int, cols: int, row_of: NDArray[np.int64], col_of: NDArray[np.int64]
    ) -> None: ...
    @overload
    def __init__(
        self, rows: int, cols: int, row_of: NDArray[np.int32], col_of: NDArray[np.int32]
    ) -> None: ...
    def arrange(
        self, row_of: NDArray[np.int64] | NDArray[np.int32], values: NDArray[_Real]
    ) -> NDArray[_Real]: ...
    @property
    def most_repeats(self) -> int: ...
    def predict(
        self, left: NDArray[np.float64], right: NDArray[np.float64], n_threads: int = 1
    ) -> NDArray[np.float64]: ...
    def times(
        self,
        values: NDArray[np.float64],
        block: NDArray[np.float64],
        transposed: bool,
        n_threads: int = 1,
    ) -> NDArray[np.float64]: ...
    def slope_towards(
        self,
        slopes: NDArray[np.float64],
        predictions: NDArray[np.float64],
        left: NDArray[np.float64],
        right: NDArray[np.float64],
        n_threads: int = 1,
    ) -> float: ...
    def alternating_step(
        self,
        left: bool,
        loss: EntryLoss,
        other: NDArray[np.float64],
        factor: NDArray[np.float64],
        base: NDArray[np.float64],
        penalty_per_entry: float,
        shift: float,
        n_threads: int = 1,
    ) -> NDArray[np.float64]: ...
    def sweep(
        self,
        loss: EntryLoss,
        U: NDArray[np.float64],
        s: NDArray[np.float64],
        V: NDArray[np.float64],
        ridge: float,
        shift: float,
        n_threads: int = 1,
    ) -> _Triplets: ...
    def total_loss(
        self,
        loss: EntryLoss,
        left: NDArray[np.float64],
        right: NDArray[np.float64],
        n_threads: int = 1,
    ) -> float: ...
    def total_loss_of(
        self, loss: EntryLoss, predictions: NDArray[np.float64], n_threads: int = 1
    ) -> float: ...

class EveryEntry(metaclass=_PybindType):
    def __init__(self, rows: int, cols: int) -> None: ...
    def sweep(
        self,
        loss: EntryLoss,
        U: NDArray[np.float64],
        s: NDArray[np.float64],
        V: NDArray[np.float64],
        ridge: float,
        shift: float,
        n_threads: int = 1,
    ) -> _Triplets: ...

class EntryLoss(metaclass=_PybindType):
    def __init__(
        self,
        logistic: bool,
        target: NDArray[np.float64] | NDArray[np.float32],
        weights: NDArray[np.float64] | None = None,
    ) -> None: ...

class LowRankPoint(metaclass=_PybindType):
    @property
    def value(self) -> float: ...
    def gradient(self) -> MatrixOperator: ...
    def slope_towards(self, other: LowRankPoint) -> float: ...

class LowRankObjective(metaclass=_PybindType):
    def at(
        self,
        U: NDArray[np.float64],
        s: NDArray[np.float64],
        V: NDArray[np.float64],
        n_threads: int = 1,
    ) -> LowRankPoint: ...
    def corrective(
        self,
        U: NDArray[np.float64],
        V: NDArray[np.float64],
        X: NDArray[np.float64],
        weights: _Weights | None,
        n_threads: int = 1,
    ) -> NDArray[np.float64]: ...

def entry_objective(
    entries: ObservedEntries, loss: EntryLoss, ridge: float, constant: float, most_kept: int
) -> LowRankObjective: ...
def dense_objective(rows: int, cols: int, loss: EntryLoss, ridge: float) -> LowRankObjective: ...
def measurement_objective(
    C: NDArray[np.float64], rows: int, cols: int, loss: EntryLoss, ridge: float
) -> LowRankObjective: ...
def callable_objective(
    rows: int,
    cols: int,
    ridge: float,
    evaluate: Callable[
        [NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], int], object
    ],
    corrective: Callable[
        [
            NDArray[np.float64],
            NDArray[np.float64],
            NDArray[np.float64],
            _Weights | None,
            int,
        ],
        NDArray[np.float64],
    ],
) -> LowRankObjective: ...

class TimeIsUpError(Exception): ...

class TimeLimit(metaclass=_PybindType):
    def __init__(self, seconds: float) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *args: object) -> None: ...

def poll() -> None: ...
def regularized_iht(
    objective: LowRankObjective,
    U: NDArray[np.float64],
    s: NDArray[np.float64],
    V: NDArray[np.float64],
    *,
    rank: int,
    max_iter: int,
    tol: float,
    step: float | None,
    smoothness: float,
    weight_step: float,
    round_threshold: float,
    weighted_part: float,
    observe: Callable[[_Triplets, float, _Weights, float], str | None] | None,
    n_threads: int,
) -> tuple[_Triplets, float, str, _Weights, int]: ...

_ExchangeObserver: TypeAlias = Callable[[_Triplets, float, str, _Weights | None, float], str | None]

_Exchanged: TypeAlias = tuple[_Triplets, float, str, str, int]

def greedy(
    objective: LowRankObjective,
    U: NDArray[np.float64],
    s: NDArray[np.float64],
    V: NDArray[np.float64],
    *,
    rank: int,
    max_iter: int,
    tol: float,
    observe: _ExchangeObserver | None,
    n_threads: int,
) -> tuple[_Exchanged, None]: ...
def local_search(
    objective: LowRankObjective,
    U: NDArray[np.float64],
    s: NDArray[np.float64],
    V: NDArray[np.float64],
    *,
    rank: int,
    max_iter: int,
    tol: float,
    observe: _ExchangeObserver | None,
    n_threads: int,
) -> tuple[_Exchanged, None]: ...
def regularized_local_search(
    objective: LowRankObjective,
    U: NDArray[np.float64],
    s: NDArray[np.float64],
    V: NDArray[np.float64],
    *,
    rank: int,
    max_iter: int,
    tol: float,
    target_rank: int,
    target: float,
    smoothness: float,
    sufficient: float,
    reoptimize: bool,
    observe: _ExchangeObserver | None,
    n_threads: int,
) -> tuple[_Exchanged, _Weights]: ...
def dense_operator(matrix: NDArray[np.float64]) -> MatrixOperator: ...
def observed_operator(entries: ObservedEntries, values: NDArray[np.float64]) -> MatrixOperator: ...
def callable_operator(
    rows: int,
    cols: int,
    apply: Callable[[NDArray[np.float64]], Any],
    apply_transpose: Callable[[NDArray[np.float64]], Any],
) -> MatrixOperator: ...
def leading_singular(
    matrix: MatrixOperator,
    *,
    scale: float,
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    count: int,
    tol: float,
    max_blocks: int,
    start_left: NDArray[np.float64],
    start_right: NDArray[np.float64],
    n_threads: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], bool, int, float]: ...
def product(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    n_threads: int = 1,
) -> NDArray[np.float64]: ...
def dot(a: NDArray[np.float64], b: NDArray[np.float64], n_threads: int = 1) -> float: ...
def thin_qr(
    matrix: NDArray[np.float64], n_threads: int = 1
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def truncated_svd(matrix: NDArray[np.float64], rank: int) -> _Triplets: ...
def factors_of_product(
    U: NDArray[np.float64], X: NDArray[np.float64], V: NDArray[np.float64], n_threads: int = 1
) -> _Triplets: ...
def factors_of_terms(
    left: NDArray[np.float64], right: NDArray[np.float64], n_threads: int = 1
) -> _Triplets: ...
def squared_norm_of_terms(
    left: NDArray[np.float64], right: NDArray[np.float64], n_threads: int = 1
) -> float: ...
def weights_times(
    Q: NDArray[np.float64],
    d: NDArray[np.float64],
    block: NDArray[np.float64],
    root: bool,
    n_threads: int = 1,
) -> NDArray[np.float64]: ...
def lowered_weights(
    Q: NDArray[np.float64],
    d: NDArray[np.float64],
    removed: NDArray[np.float64],
    n_threads: int = 1,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def measurement_sweep(
    C: NDArray[np.float64],
    y: NDArray[np.float64],
    U: NDArray[np.float64],
    s: NDArray[np.float64],
    V: NDArray[np.float64],
    ridge: float,
    n_threads: int = 1,
) -> _Triplets: ...
def symmetric_eigen(
    matrix: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
