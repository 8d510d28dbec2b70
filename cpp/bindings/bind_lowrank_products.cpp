#include "lowrank_handles.hpp"
#include "regiht/lowrank/leading_singular.hpp"
#include "regiht/lowrank/low_rank_sum.hpp"
#include "regiht/lowrank/space_weights.hpp"

namespace regiht::bindings {
namespace {

py::tuple find_leading(const OperatorHandle& handle, double scale, const DoubleArray& left,
                       const DoubleArray& right, Index count, double tol, Index max_blocks,
                       const DoubleArray& start_left, const DoubleArray& start_right,
                       int n_threads) {
  const auto L = as_block(left), R = as_block(right);
  const auto first_left = as_block(start_left), first_right = as_block(start_right);
  LeadingOptions options;
  options.count = count;
  options.tol = tol;
  options.max_blocks = max_blocks;
  options.threads = n_threads;
  options.poll = InterruptPoll();
  LeadingTriplets found = [&] {
    const ReleaseGil release;
    return leading_singular(LowRankSum(*handle.matrix, scale, L, R), options, first_left,
                            first_right);
  }();
  return py::make_tuple(to_block(found.triplets.U), to_array(found.triplets.s),
                        to_block(found.triplets.V), found.converged, found.blocks, found.residual);
}

py::tuple decompose(const DoubleArray& matrix, Index rank) {
  const Basis copy = as_block(matrix);
  const SingularTriplets found = [&] {
    const ReleaseGil release;
    return truncate_rank(copy, rank);
  }();
  return to_tuple(found);
}

py::tuple decompose_symmetric(const DoubleArray& matrix) {
  const Basis copy = as_block(matrix);
  const SymmetricEigen found = [&] {
    const ReleaseGil release;
    return symmetric_eigen(copy);
  }();
  return py::make_tuple(to_array(found.values), to_block(found.vectors));
}

/// A · B, of which each may be transposed.
DoubleArray multiply(const DoubleArray& a, const DoubleArray& b, bool transpose_a, bool transpose_b,
                     int n_threads) {
  constexpr Index few = 256;
  const auto A = as_block(a), given = as_block(b);
  if ((transpose_a ? A.rows() : A.cols()) != (transpose_b ? given.cols() : given.rows()))
    throw py::value_error("the shapes of the factors do not match");
  NewBlock out(transpose_a ? A.cols() : A.rows(), transpose_b ? given.rows() : given.cols());
  {
    const ReleaseGil release;
    const Block turned = transpose_b ? Block(given.transpose()) : Block();
    const ConstBlockView B = transpose_b ? ConstBlockView(turned) : ConstBlockView(given);
    if (!transpose_a)
      out.view = product(A, B, n_threads);
    else if (A.cols() <= few)
      out.view = inner_product(A, B, n_threads);
    else
      transposed_product(A, B, out.view, n_threads);
  }
  return out.array;
}

double dot(const DoubleArray& a, const DoubleArray& b, int n_threads) {
  if (a.size() != b.size()) throw py::value_error("vectors of the same size are needed");
  const Eigen::Map<const Vector> x(a.data(), a.size()), y(b.data(), b.size());
  const ReleaseGil release;
  return dot_product(x, y, n_threads);
}

py::tuple decompose_qr(const DoubleArray& matrix, int n_threads) {
  const auto view = as_block(matrix);
  const QR found = [&] {
    const ReleaseGil release;
    return thin_qr(view, n_threads);
  }();
  return py::make_tuple(to_block(found.Q), to_block(found.R));
}

py::tuple decompose_product(const DoubleArray& U, const DoubleArray& X, const DoubleArray& V,
                            int n_threads) {
  const auto left = as_block(U), core = as_block(X), right = as_block(V);
  const Factors found = [&] {
    const ReleaseGil release;
    return Factors::of_product(left, core, right, n_threads);
  }();
  return to_tuple(found);
}

py::tuple decompose_terms(const DoubleArray& left, const DoubleArray& right, int n_threads) {
  const auto L = as_block(left), R = as_block(right);
  const Factors found = [&] {
    const ReleaseGil release;
    return Factors::of_terms(L, R, n_threads);
  }();
  return to_tuple(found);
}

double squared_norm_of_terms(const DoubleArray& left, const DoubleArray& right, int n_threads) {
  const auto L = as_block(left), R = as_block(right);
  const ReleaseGil release;
  return squared_norm(L, R, n_threads);
}

DoubleArray weigh(const DoubleArray& Q, const DoubleArray& d, const DoubleArray& block, bool root,
                  int n_threads) {
  const SpaceWeights weights{as_block(Q), as_vector(d)};
  const auto X = as_block(block);
  const Block found = [&] {
    const ReleaseGil release;
    return root ? weights.root_times(X, n_threads) : weights.times(X, n_threads);
  }();
  return to_block(found);
}

py::tuple lower_weights(const DoubleArray& Q, const DoubleArray& d, const DoubleArray& removed,
                        int n_threads) {
  const SpaceWeights before{as_block(Q), as_vector(d)};
  const auto X = as_block(removed);
  const SpaceWeights after = [&] {
    const ReleaseGil release;
    return before.lowered_by(X, n_threads);
  }();
  return py::make_tuple(to_block(after.Q), to_array(after.d));
}

}  // namespace

void bind_lowrank_products(py::module_& module) {
  module.def("leading_singular", &find_leading, py::arg("matrix"), py::kw_only(), py::arg("scale"),
             py::arg("left").noconvert(), py::arg("right").noconvert(), py::arg("count"),
             py::arg("tol"), py::arg("max_blocks"), py::arg("start_left").noconvert(),
             py::arg("start_right").noconvert(), py::arg("n_threads"));
  module.def("product", &multiply, py::arg("a").noconvert(), py::arg("b").noconvert(),
             py::kw_only(), py::arg("transpose_a") = false, py::arg("transpose_b") = false,
             py::arg("n_threads") = 1);
  module.def("dot", &dot, py::arg("a").noconvert(), py::arg("b").noconvert(),
             py::arg("n_threads") = 1);
  module.def("thin_qr", &decompose_qr, py::arg("matrix").noconvert(), py::arg("n_threads") = 1);
  module.def("truncated_svd", &decompose, py::arg("matrix").noconvert(), py::arg("rank"));
  module.def("factors_of_product", &decompose_product, py::arg("U").noconvert(),
             py::arg("X").noconvert(), py::arg("V").noconvert(), py::arg("n_threads") = 1);
  module.def("factors_of_terms", &decompose_terms, py::arg("left").noconvert(),
             py::arg("right").noconvert(), py::arg("n_threads") = 1);
  module.def("squared_norm_of_terms", &squared_norm_of_terms, py::arg("left").noconvert(),
             py::arg("right").noconvert(), py::arg("n_threads") = 1);
  module.def("weights_times", &weigh, py::arg("Q").noconvert(), py::arg("d").noconvert(),
             py::arg("block").noconvert(), py::arg("root"), py::arg("n_threads") = 1);
  module.def("lowered_weights", &lower_weights, py::arg("Q").noconvert(), py::arg("d").noconvert(),
             py::arg("removed").noconvert(), py::arg("n_threads") = 1);
  module.def("symmetric_eigen", &decompose_symmetric, py::arg("matrix").noconvert());
}

}  // namespace regiht::bindings
