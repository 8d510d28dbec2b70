//! Recovers the features behind a small sparse regression, through the C interface.
use std::ffi::{c_char, c_int, c_void, CStr, CString};

#[repr(C)]
struct Handle {
    _private: [u8; 0],
}

type Observer = Option<extern "C" fn(i64, f64, *mut c_void) -> c_int>;

extern "C" {
    fn regiht_last_error() -> *const c_char;
    fn regiht_design_new_dense_columns(
        values: *const c_void, value_type: c_int, rows: i64, cols: i64, stride: i64,
    ) -> *mut Handle;
    fn regiht_design_free(design: *mut Handle);
    fn regiht_problem_new(
        design: *const Handle, loss: *const c_char, targets: *const f64,
    ) -> *mut Handle;
    fn regiht_problem_free(problem: *mut Handle);
    fn regiht_solve(
        problem: *const Handle, method: *const c_char, s: i64, observer: Observer,
        context: *mut c_void,
    ) -> *mut Handle;
    fn regiht_result_count(result: *const Handle) -> i64;
    fn regiht_result_columns(result: *const Handle) -> *const i64;
    fn regiht_result_coefficients(result: *const Handle) -> *const f64;
    fn regiht_result_free(result: *mut Handle);
}

const FLOAT64: c_int = 0;

/// The library's message for the last failed call.
fn last_error() -> String {
    unsafe { CStr::from_ptr(regiht_last_error()) }.to_string_lossy().into_owned()
}

/// The best least-squares model with at most `s` columns, as (column, coefficient) pairs.
fn best_subset(columns: &[f64], rows: usize, targets: &[f64], s: i64) -> Result<Vec<(i64, f64)>, String> {
    if rows == 0 || columns.len() % rows != 0 || targets.len() != rows {
        return Err("columns and targets must have as many rows".into());
    }
    let loss = CString::new("squared").unwrap();
    let method = CString::new("best").unwrap();
    // The matrix and the targets outlive every handle: all are freed before this returns.
    unsafe {
        let cols = (columns.len() / rows) as i64;
        let design = regiht_design_new_dense_columns(
            columns.as_ptr().cast(), FLOAT64, rows as i64, cols, rows as i64,
        );
        if design.is_null() {
            return Err(last_error());
        }
        let problem = regiht_problem_new(design, loss.as_ptr(), targets.as_ptr());
        regiht_design_free(design);
        if problem.is_null() {
            return Err(last_error());
        }
        let fit = regiht_solve(problem, method.as_ptr(), s, None, std::ptr::null_mut());
        regiht_problem_free(problem);
        if fit.is_null() {
            return Err(last_error());
        }
        let count = regiht_result_count(fit) as usize;
        let chosen = std::slice::from_raw_parts(regiht_result_columns(fit), count);
        let values = std::slice::from_raw_parts(regiht_result_coefficients(fit), count);
        let model = chosen.iter().copied().zip(values.iter().copied()).collect();
        regiht_result_free(fit);
        Ok(model)
    }
}

fn main() {
    let (rows, cols) = (100, 30);
    // A small random number generator on [-1, 1).
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    };
    let columns: Vec<f64> = (0..rows * cols).map(|_| next()).collect();
    let targets: Vec<f64> =
        (0..rows).map(|i| 3.0 * columns[4 * rows + i] - 2.0 * columns[17 * rows + i]).collect();

    let model = best_subset(&columns, rows, &targets, 2).expect("a model");
    for (column, value) in &model {
        println!("feature {column}: {value:.3}");
    }
    assert_eq!(model.iter().map(|pair| pair.0).collect::<Vec<_>>(), [4, 17]);
    println!("refused: {}", best_subset(&columns, rows, &targets, 31).unwrap_err());
}
