from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__version__: str

class _PybindType(type): ...

class Design(metaclass=_PybindType):
    @property
    def rows(self) -> int: ...
    @property
    def cols(self) -> int: ...
    def apply(self, x: NDArray[np.float64], n_threads: int = 1) -> NDArray[np.float64]: ...
    def apply_transpose(
        self, v: NDArray[np.float64], n_threads: int = 1
    ) -> NDArray[np.float64]: ...
    def apply_transpose_columns(
        self, columns: NDArray[np.int64], v: NDArray[np.float64], n_threads: int = 1
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
    def __init__(
        self,
        *,
        sparsity: int,
        step: float | None,
        weight_step: float | None,
        adaptive_weight_step: bool,
        max_iter: int,
        tol: float,
        round_threshold: float,
        safeguard: bool,
        refit: bool,
        swap: bool,
        target: float | None,
        seed: int,
        history: bool,
        keep: NDArray[np.int64] | None,
        positive: bool,
        groups: NDArray[np.int64] | None,
        x0: NDArray[np.float64] | None,
        w0: NDArray[np.float64] | None,
    ) -> None: ...

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
def loss_names() -> list[str]: ...
def loss_targets(loss: str) -> str: ...
def loss_max_curvature(loss: str) -> float: ...
def first_bad_target(loss: str, target: NDArray[np.float64]) -> int: ...
def loss_evaluate(
    loss: str, prediction: NDArray[np.float64], target: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]: ...
def loss_curvature(
    loss: str, prediction: NDArray[np.float64], target: NDArray[np.float64]
) -> NDArray[np.float64]: ...
def loss_conjugate(
    loss: str, slope: NDArray[np.float64], target: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
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
def method_names(*, positive: bool = False, groups: bool = False) -> list[str]: ...
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

class MatrixOperator(metaclass=_PybindType): ...

class ObservedEntries(metaclass=_PybindType):
    def __init__(
        self, rows: int, cols: int, row_of: NDArray[np.int64], col_of: NDArray[np.int64]
    ) -> None: ...
    @property
    def order(self) -> NDArray[np.int64]: ...
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
    def alternating_step(
        self,
        left: bool,
        derivative: NDArray[np.float64],
        curvature: float,
        ridge: float,
        other: NDArray[np.float64],
        factor: NDArray[np.float64],
        n_threads: int = 1,
    ) -> NDArray[np.float64]: ...

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
def truncated_svd(
    matrix: NDArray[np.float64], rank: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...
def symmetric_eigen(
    matrix: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
