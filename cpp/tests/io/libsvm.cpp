#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "regiht/io/libsvm.hpp"

using namespace regiht::io;

namespace {

double decimal(const std::string& text) {
  double value = 0.0;
  CHECK(parse_decimal(text.data(), text.data() + text.size(), value) == text.data() + text.size());
  return value;
}

}  // namespace

TEST_CASE("decimal numbers are read to the nearest double") {
  CHECK(decimal("0") == 0.0);
  CHECK(decimal("+12.50") == 12.5);
  CHECK(decimal("-.5e1") == -5.0);
  CHECK(decimal("0.1") == 0.1);
  CHECK(decimal("9007199254740993") == 9007199254740992.0);
  CHECK(decimal("9007199254740993e1") == 90071992547409930.0);  // rounded once, not twice
  CHECK(decimal("1.7976931348623157e308") == 1.7976931348623157e308);
  CHECK(decimal("123456789012345678901234567890e-29") == 1.2345678901234567890123456789);
  CHECK(decimal("1e-999999999999") == 0.0);
  CHECK(std::isinf(decimal("1e999999999999")));
}

TEST_CASE("what is no decimal number is not read") {
  for (const std::string text : {"", "-", ".", "e5", "1e", "1e+", "nan", "inf"}) {
    double value = 0.0;
    CHECK(parse_decimal(text.data(), text.data() + text.size(), value) == text.data());
  }
}

TEST_CASE("text may come in pieces of any size") {
  const std::string text = "\xEF\xBB\xBF+1 1:0.5 3:-2e-1 # note\r\n\n-1 qid:4 2:7\n0";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    LibsvmReader<float> reader;
    for (std::size_t start = 0; start < text.size(); start += size)
      reader.feed(std::string_view(text).substr(start, size));
    LibsvmRows<float>& rows = reader.finish();
    CHECK(rows.labels == std::vector<double>{1.0, -1.0, 0.0});
    CHECK(rows.values == std::vector<float>{0.5F, -0.2F, 7.0F});
    CHECK(rows.columns.as_short() == std::vector<std::int32_t>{1, 3, 2});
    CHECK(rows.offsets == std::vector<std::int64_t>{0, 2, 3, 3});
    CHECK(rows.smallest == 1);
    CHECK(rows.largest == 3);
    CHECK(rows.largest_line == 1);
  }
}

TEST_CASE("column numbers become wide when one needs it") {
  LibsvmReader<double> reader;
  reader.feed("1 1:1 2147483648:1\n1 5:1\n");
  LibsvmRows<double>& rows = reader.finish();
  CHECK(rows.columns.wide());
  CHECK(rows.columns.as_long() == std::vector<std::int64_t>{1, 2147483648, 5});
}

TEST_CASE("a malformed line is named") {
  LibsvmReader<double> reader;
  CHECK_THROWS_WITH_AS(reader.feed("1 1:1\n2 4:1 3:1\n"),
                       "line 2: columns must ascend, and 4 comes before \"3:1\"",
                       std::invalid_argument);
}

TEST_CASE("a column that comes twice, a label beyond double precision, and the like are refused") {
  for (const std::string line : {"1 3:1 3:2", "1e999 1:1", "1 1:1e999", "1 1:", "1 :2", "1:2 3:4",
                                 "x 1:1", "1 1:1x", "1 9999999999999999999:1", "1 qid:x 1:1"}) {
    CAPTURE(line);
    LibsvmReader<double> reader;
    CHECK_THROWS_AS(reader.feed(line + "\n"), std::invalid_argument);
  }
}
