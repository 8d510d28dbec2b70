#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "regiht/lowrank/leading_of_dense.hpp"
#include "regiht/lowrank/matrix_operator.hpp"
#include "regiht/lowrank/orthonormalize.hpp"
#include "regiht/lowrank/poll.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

struct LeadingOptions {
  Index count = 1;         ///< how many triplets
  double tol = 1e-10;      ///< ‖Mᵀu − σv‖ at most tol · σ₁, for each
  Index max_blocks = 500;  ///< products with M, and as many with Mᵀ
  int threads = 1;
  Poll poll = [] {};  ///< between products
};

struct LeadingTriplets {
  SingularTriplets triplets;
  bool converged;
  Index blocks;     ///< products made with M
  double residual;  ///< the largest ‖Mᵀu − σv‖; Mv = σu holds to rounding
};

/// Block Lanczos bidiagonalization with full orthogonalization and thick restarts.
///
/// M · V = U · B holds, and Mᵀ · U = V · Bᵀ but for the last block of U, where what is missing lies
/// in the directions next · R. So the singular triplets of the small B give those of M, with
/// residuals that are known without another product. Blocks are as wide as the number of triplets
/// wanted, so that equal singular values are all found.
class BlockLanczos {
 public:
  /// M must have at least as many rows as columns.
  BlockLanczos(const MatrixOperator& matrix, const LeadingOptions& options, ConstBlockView start)
      : matrix_(matrix),
        options_(options),
        cols_(matrix.cols()),
        count_(std::min(options.count, cols_)),
        capacity_(std::min(cols_, std::max(6 * count_, count_ + 24))),
        U_(matrix.rows(), capacity_),
        V_(cols_, capacity_ + count_),
        B_(Basis::Zero(capacity_, capacity_)) {
    Block first(cols_, count_);
    const Index given = std::min<Index>(start.cols(), count_);
    first.leftCols(given) = start.leftCols(given);
    for (Index j = given; j < count_; ++j)
      for (Index i = 0; i < cols_; ++i) first(i, j) = random_.next();
    Basis ignored(count_, count_);
    append_orthonormal(V_, 0, first, 0.0, random_, ignored, options_.threads);
    width_ = count_;
  }

  LeadingTriplets run() {
    for (Index blocks = 1;; ++blocks) {
      expand();
      const bool must_answer = blocks >= options_.max_blocks;
      if (!must_answer && size_ + width_ <= capacity_ && is_far_from_converged()) continue;
      const SingularTriplets ritz = thin_svd(B_.topLeftCorner(size_, size_));
      const double residual = largest_residual(ritz);
      const bool converged = residual <= options_.tol * ritz.s[0];
      if (converged || must_answer) return answer(ritz, residual, blocks);
      if (size_ + width_ > capacity_) restart(ritz);
    }
  }

 private:
  /// Extends U by the images of the next block of V, and finds the block after it.
  void expand() {
    options_.poll();
    Block image(matrix_.rows(), width_);
    matrix_.apply(Block(V_.middleCols(size_, width_)), image, options_.threads);
    note_scale(image);
    Basis coefficients(size_ + width_, width_);
    append_orthonormal(U_, size_, image, negligible(), random_, coefficients, options_.threads);
    B_.block(0, size_, size_ + width_, width_) = coefficients;

    options_.poll();
    Block back(cols_, width_);
    matrix_.apply_transpose(Block(U_.middleCols(size_, width_)), back, options_.threads);
    note_scale(back);
    size_ += width_;
    const Index last_width = width_;
    width_ = std::min(count_, cols_ - size_);
    find_next(back, last_width);
  }

  /// next · R is the part of Mᵀ · (last block of U) outside V.
  void find_next(const Block& back, Index last_width) {
    const Index common = std::min(width_, last_width);
    Block next = Block::Zero(cols_, width_);
    next.leftCols(common) = back.leftCols(common);
    Basis appended(size_ + width_, width_);
    append_orthonormal(V_, size_, next, negligible(), random_, appended, options_.threads);
    Basis coefficients = Basis::Zero(size_ + width_, last_width);
    coefficients.leftCols(common) = appended.leftCols(common);
    for (Index j = common; j < last_width; ++j) {
      // Fewer directions are left than the block was wide, so V is complete now.
      Vector v = back.col(j);
      project_out(V_.leftCols(size_ + width_), v, coefficients.col(j));
    }
    R_ = coefficients.bottomRows(width_);
  }

  double largest_residual(const SingularTriplets& ritz) const {
    return largest_residual(Basis(ritz.U.leftCols(std::min(count_, size_))));
  }

  /// Given the leading left singular vectors of B.
  double largest_residual(const Basis& vectors) const {
    if (width_ == 0) return 0.0;
    return (R_ * vectors.bottomRows(R_.cols())).colwise().norm().maxCoeff();
  }

  /// By the squares of B, whose decomposition takes a third of the time: large singular values are
  /// as good, and only the small ones are wrong.
  bool is_far_from_converged() const {
    if (scale_ == 0.0) return false;
    const Basis B = B_.topLeftCorner(size_, size_) / scale_;
    const SymmetricEigen squares = symmetric_eigen(B * B.transpose());
    const double largest = scale_ * std::sqrt(squares.values[size_ - 1]);
    return largest_residual(Basis(squares.vectors.rightCols(std::min(count_, size_)))) >
           2.0 * options_.tol * largest;
  }

  void restart(const SingularTriplets& ritz) {
    const Index kept = std::min(size_, count_ + (capacity_ - 2 * count_) / 2);
    const Block next = V_.middleCols(size_, width_);
    U_.leftCols(kept) = combined(U_, ritz.U, kept);
    V_.leftCols(kept) = combined(V_, ritz.V, kept);
    V_.middleCols(kept, width_) = next;
    B_.setZero();
    B_.diagonal().head(kept) = ritz.s.head(kept);
    size_ = kept;
  }

  LeadingTriplets answer(const SingularTriplets& ritz, double residual, Index blocks) const {
    const Index found = std::min(count_, size_);
    return {{combined(U_, ritz.U, found), ritz.s.head(found), combined(V_, ritz.V, found)},
            residual <= options_.tol * ritz.s[0],
            blocks,
            residual};
  }

  /// Singular vectors of M from those of B.
  Block combined(const Block& basis, const Basis& coefficients, Index count) const {
    return product(basis.leftCols(size_), Block(coefficients.leftCols(count)), options_.threads);
  }

  void note_scale(const Block& image) {
    if (!image.allFinite()) throw std::overflow_error("a product left the finite numbers");
    if (image.size() > 0) scale_ = std::max(scale_, image.colwise().norm().maxCoeff());
  }

  double negligible() const { return 4.0 * std::numeric_limits<double>::epsilon() * scale_; }

  const MatrixOperator& matrix_;
  const LeadingOptions& options_;
  Index cols_, count_, capacity_;
  Block U_, V_;
  Basis B_, R_;
  FixedRandom random_;
  Index size_ = 0;   ///< columns of U, and of V without the next block
  Index width_ = 0;  ///< columns of the next block, which stand behind the first size_ of V
  double scale_ = 0.0;
};

/// The same, from the matrix written out.
inline LeadingTriplets leading_from_entries(const MatrixOperator& matrix,
                                            const LeadingOptions& options) {
  options.poll();
  Block dense(matrix.rows(), matrix.cols());
  matrix.write(dense, options.threads);
  return {leading_of_dense(dense, options.count, options.tol), true, 1, 0.0};
}

/// The leading singular triplets of a matrix that is known by its products; `start` holds first
/// guesses of right singular vectors, or no columns.
inline LeadingTriplets leading_singular(const MatrixOperator& matrix, const LeadingOptions& options,
                                        ConstBlockView start_left, ConstBlockView start_right) {
  // So few entries that all triplets take less time than a search from nothing.
  constexpr Index few_entries = 4096;
  const bool has_start = start_right.cols() > 0;
  if (!has_start && matrix.rows() * matrix.cols() <= few_entries)
    return leading_from_entries(matrix, options);
  if (matrix.rows() >= matrix.cols()) return BlockLanczos(matrix, options, start_right).run();
  const Transposed transposed(matrix);
  LeadingTriplets found = BlockLanczos(transposed, options, start_left).run();
  found.triplets.U.swap(found.triplets.V);
  return found;
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
