// instructions KERNEL REPEATS: runs one kernel so many times, for instructions.py to count.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "regiht/regiht.hpp"

using namespace regiht;

namespace {

/// The same numbers in every run and on every machine.
class Random {
 public:
  double uniform() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }

 private:
  std::uint64_t state_ = 1;
};

struct Text {
  Index rows = 2000, cols = 5000;
  std::vector<double> values;
  std::vector<std::int32_t> indices, offsets = {0};

  /// Columns of a few to some hundred entries, most of them short.
  Text() {
    Random random;
    for (Index j = 0; j < cols; ++j) {
      const double share = 0.1 * std::pow(random.uniform(), 6) + 0.001;
      for (Index i = 0; i < rows; ++i) {
        if (random.uniform() >= share) continue;
        indices.push_back(static_cast<std::int32_t>(i));
        values.push_back(0.1 + random.uniform());
      }
      offsets.push_back(static_cast<std::int32_t>(values.size()));
    }
  }

  CscDesign<double, std::int32_t> design() const {
    return {{values.data(), indices.data(), offsets.data()}, rows, cols};
  }
};

Vector random_vector(Index size) {
  Random random;
  Vector v(size);
  for (double& entry : v) entry = random.uniform() - 0.5;
  return v;
}

double repeat_pass(const Design& design, int repeats) {
  const Vector v = random_vector(design.rows());
  Vector out(design.cols());
  for (int k = 0; k < repeats; ++k) design.apply_transpose(v, out, 1);
  return out.sum();
}

double dense_pass(int repeats) {
  const Index rows = 1000, cols = 2000;
  const Vector entries = random_vector(rows * cols);
  return repeat_pass(ColumnMajorDesign<double>(entries.data(), rows, cols, rows), repeats);
}

double csc_pass(int repeats) {
  const Text text;
  return repeat_pass(text.design(), repeats);
}

class NeverStop final : public Observer {
 public:
  std::optional<Status> observe(const Iteration&) override { return std::nullopt; }
};

double logistic_run(int repeats) {
  const Text text;
  const auto base = std::make_shared<CscDesign<double, std::int32_t>>(text.design());
  const auto design = standardize(base, true, true);
  const auto loss = make_loss("logistic");
  SparseVector coef{{3, 500, 1200, 4000}, {8.0, -8.0, 6.0, -5.0}};
  Vector target(text.rows);
  design->apply(coef, 0.0, target, 1);
  target = (target.array() > 0.0).cast<double>();
  Options options;
  options.sparsity = 10;
  options.step = 1.6;
  options.max_iter = 200;
  NeverStop observer;
  double value = 0.0;
  for (int k = 0; k < repeats; ++k) {
    DesignCache cache;
    ModelSettings settings;
    settings.ridge = 0.1;
    const ObjectiveFactory factory(*design, *loss, target, cache, settings);
    value = regularized_iht(*factory.make(), options, observer).value;
  }
  return value;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const std::string kernel = arguments[1];
  const int repeats = std::atoi(arguments[2]);
  const double answer = kernel == "dense-pass"     ? dense_pass(repeats)
                        : kernel == "csc-pass"     ? csc_pass(repeats)
                        : kernel == "logistic-run" ? logistic_run(repeats)
                                                   : std::nan("");
  std::printf("%.17g\n", answer);
  return std::isnan(answer) ? 1 : 0;
}
