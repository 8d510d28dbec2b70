#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "regiht/options/options.hpp"

using namespace regiht;

namespace {

std::string complaint(const std::function<void(Options&)>& change) {
  Options options;
  options.sparsity = 2;
  change(options);
  try {
    options.check(5);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a weight step is given or adaptive, not both") {
  CHECK(complaint([](Options& o) { o.adaptive_weight_step = true; }).empty());
  CHECK(complaint([](Options& o) {
          o.adaptive_weight_step = true;
          o.weight_step = 0.1;
        }) == "weight_step must not be given when it is adaptive");
}

TEST_CASE("options within their bounds pass") {
  CHECK(complaint([](Options&) {}).empty());
  CHECK(complaint([](Options& o) {
          o.sparsity = 5;
          o.step = 1e-300;
          o.weight_step = 0.0;
          o.max_iter = 0;
          o.round_threshold = 1.0;
          o.keep = {0, 4};
          o.x0 = {{1, 2, 3}, {1.0, 0.0, -1.0}};
          o.w0 = Vector::Zero(5);
        }).empty());
}

TEST_CASE("each violated condition is named") {
  const double nan = std::nan(""), huge = std::numeric_limits<double>::infinity();
  const std::string sparsity = "sparsity must be between 1 and the dimension";
  CHECK(complaint([](Options& o) { o.sparsity = 0; }) == sparsity);
  CHECK(complaint([](Options& o) { o.sparsity = 6; }) == sparsity);
  const std::string step = "step must be positive and finite";
  for (const double bad : {0.0, -1.0, nan, huge})
    CHECK(complaint([=](Options& o) { o.step = bad; }) == step);
  const std::string weight_step = "weight_step must be finite and not negative";
  for (const double bad : {-1.0, nan, huge})
    CHECK(complaint([=](Options& o) { o.weight_step = bad; }) == weight_step);
  CHECK(complaint([](Options& o) { o.max_iter = -1; }) == "max_iter must not be negative");
  for (const double bad : {-1e-9, nan})
    CHECK(complaint([=](Options& o) { o.tol = bad; }) == "tol must not be negative");
  const std::string round_threshold = "round_threshold must be between 0 and 1";
  for (const double bad : {-0.1, 1.1, nan})
    CHECK(complaint([=](Options& o) { o.round_threshold = bad; }) == round_threshold);
  CHECK(complaint([](Options& o) { o.w0 = Vector::Ones(4); }) ==
        "w0 must have one entry for every column");
  CHECK(complaint([](Options& o) { o.keep = {0, 1, 2}; }) ==
        "keep must not list more than s entries");
  CHECK(complaint([](Options& o) { o.x0 = {{1, 2}, {1.0}}; }) ==
        "x0 must have as many values as indices");
}

TEST_CASE("indices must ascend and stay below the dimension") {
  const std::string rest = " must list indices in ascending order, each below the dimension";
  for (const Support& bad : {Support{1, 1}, Support{2, 1}, Support{5}, Support{-1}}) {
    CHECK(complaint([&](Options& o) { o.keep = bad; }) == "keep" + rest);
    CHECK(complaint([&](Options& o) { o.x0 = {bad, std::vector<double>(bad.size(), 1.0)}; }) ==
          "x0" + rest);
  }
}

TEST_CASE("the default weight step is that of the paper") {
  Options options;
  options.sparsity = 6;
  options.max_iter = 300;
  CHECK(options.effective_weight_step() == 6.0 / 300.0);
  options.safeguard = true;
  CHECK(options.effective_weight_step() == 6.0 / 1200.0);
  options.weight_step = 0.7;
  CHECK(options.effective_weight_step() == 0.7);
}

TEST_CASE("a method alone refuses what only solve() does after it") {
  for (const auto change :
       {+[](Options& o) { o.refit = true; }, +[](Options& o) { o.swap = true; }})
    CHECK(complaint(change) == "refit and swap are made by solve(), not by a method alone");
}
