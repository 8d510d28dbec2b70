#pragma once

#include <Eigen/Core>

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Some vectors side by side, stored row by row, so that a sparse matrix meets all of them in one
/// piece of memory.
using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using BlockView = Eigen::Ref<Block>;
using ConstBlockView = Eigen::Ref<const Block>;

/// A matrix that grows column by column.
using Basis = Eigen::MatrixXd;

}}}  // namespace regiht::REGIHT_ABI::lowrank
