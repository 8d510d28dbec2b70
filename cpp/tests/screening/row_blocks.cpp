#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "regiht/screening/off_support_gradient.hpp"
#include "storage.hpp"

using namespace regiht;
using testing::Random;

namespace {

/// Some rows, with their part of the derivative vector and of the references: what a worker or a
/// file would hold.
struct RowBlock {
  Matrix A;
  Vector target, r, newer, older;
};

/// ½‖Ax − b‖² over rows in blocks. No vector of all rows is ever made: blocks are asked for sums.
class BlockedLeastSquares final : public ColumnProducts {
 public:
  explicit BlockedLeastSquares(std::vector<RowBlock> blocks)
      : blocks_(std::move(blocks)), norms_(norms_of(blocks_)) {
    move_to({});
  }

  double move_to(const SparseVector& x) {
    x_ = x;
    const Vector dense = x.dense(cols());
    for (RowBlock& block : blocks_) block.r = block.A * dense - block.target;
    return 0.5 * sum([](const RowBlock& block) { return block.r.squaredNorm(); });
  }

  Index rows() const override {
    Index total = 0;
    for (const RowBlock& block : blocks_) total += block.A.rows();
    return total;
  }
  Index cols() const override { return blocks_.front().A.cols(); }
  double column_cost(Index) const override { return static_cast<double>(rows()); }
  double full_cost() const override { return static_cast<double>(rows() * cols()); }
  const ColumnNorms& norms() override { return norms_; }
  const SparseVector& point() const override { return x_; }

  void at(const Support& columns, VectorView out) override {
    columns_read_ += static_cast<Index>(columns.size());
    out.setZero();
    for (const RowBlock& block : blocks_)
      for (std::size_t k = 0; k < columns.size(); ++k)
        out[static_cast<Index>(k)] += block.A.col(columns[k]).dot(block.r);
  }

  void all(VectorView out) override {
    ++full_products_;
    out.setZero();
    for (const RowBlock& block : blocks_) out += block.A.transpose() * block.r;
  }

  double take_reference() override {
    for (RowBlock& block : blocks_) block.older = std::exchange(block.newer, block.r);
    return std::sqrt(sum([](const RowBlock& block) { return block.r.squaredNorm(); }));
  }

  double distance() override {
    return std::sqrt(
        sum([](const RowBlock& block) { return (block.r - block.newer).squaredNorm(); }));
  }

  Index full_products() const { return full_products_; }
  Index columns_read() const { return columns_read_; }

 private:
  template <class Part>
  double sum(Part&& part) const {
    double total = 0.0;
    for (const RowBlock& block : blocks_) total += part(block);
    return total;
  }

  static ColumnNorms norms_of(const std::vector<RowBlock>& blocks) {
    Index rows = 0;
    Vector squares = Vector::Zero(blocks.front().A.cols());
    for (const RowBlock& block : blocks) {
      rows += block.A.rows();
      squares += block.A.colwise().squaredNorm().transpose();
    }
    return {rows, squares.cwiseSqrt(), squares.cwiseSqrt()};
  }

  std::vector<RowBlock> blocks_;
  ColumnNorms norms_;
  SparseVector x_;
  Index full_products_ = 0, columns_read_ = 0;
};

}  // namespace

TEST_CASE("rows that lie in blocks are screened without a vector of all rows") {
  constexpr Index cols = 900;
  Random random(66);
  std::vector<RowBlock> blocks;
  for (const Index rows : {30, 7, 50}) {
    const Matrix A = random.matrix(rows, cols, 1.0);
    blocks.push_back({A, random.vector(rows), {}, {}, {}});
  }
  BlockedLeastSquares products(blocks);
  OffSupportGradient outside(products, true);
  SparseVector x = random.sparse_vector(cols, 6), entries;
  constexpr int moves = 60;
  for (int move = 0; move < moves; ++move) {
    for (double& value : x.values) value += 0.01 * std::pow(0.8, move) * random.number();
    outside.move_to(products.move_to(x));
    Vector full = Vector::Zero(cols);
    for (const RowBlock& block : blocks)
      full += block.A.transpose() * (block.A * x.dense(cols) - block.target);
    for (const Index j : x.indices) full[j] = 0.0;
    const double largest = full.cwiseAbs().maxCoeff();
    outside.read(0.95 * largest, {cols, {}}, entries);
    for (Index j = 0; j < cols; ++j)
      if (std::abs(full[j]) > 0.95 * largest * (1.0 + 1e-12)) REQUIRE(entries.lists(j));
    for (std::size_t k = 0; k < entries.indices.size(); ++k)
      REQUIRE(entries.values[k] == doctest::Approx(full[entries.indices[k]]).epsilon(1e-10));
    outside.read_largest(3, entries);
    std::sort(full.data(), full.data() + cols,
              [](double a, double b) { return std::abs(a) > std::abs(b); });
    Index larger = 0;
    for (const double entry : entries.values)
      larger += std::abs(entry) >= std::abs(full[2]) * (1.0 - 1e-12);
    REQUIRE(larger >= 3);
  }
  CHECK(products.full_products() <= 6);
  CHECK(products.columns_read() < moves * cols / 2);
}
