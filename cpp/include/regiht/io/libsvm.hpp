#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "regiht/io/decimal.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace io {

/// Column numbers, stored in 32 bits each until one needs 64.
class ColumnNumbers {
 public:
  void append(std::int64_t column) {
    if (wide_) {
      long_.push_back(column);
    } else if (column <= std::numeric_limits<std::int32_t>::max()) {
      short_.push_back(static_cast<std::int32_t>(column));
    } else {
      widen();
      long_.push_back(column);
    }
  }

  bool wide() const { return wide_; }
  std::int64_t size() const {
    return static_cast<std::int64_t>(wide_ ? long_.size() : short_.size());
  }
  std::vector<std::int32_t>& as_short() { return short_; }
  std::vector<std::int64_t>& as_long() { return long_; }

 private:
  void widen() {
    long_.assign(short_.begin(), short_.end());
    short_ = {};
    wide_ = true;
  }

  bool wide_ = false;
  std::vector<std::int32_t> short_;
  std::vector<std::int64_t> long_;
};

/// The contents of a LIBSVM text: compressed rows, with column numbers as in the text.
template <class Value>
struct LibsvmRows {
  std::vector<double> labels;
  std::vector<Value> values;
  ColumnNumbers columns;
  std::vector<std::int64_t> offsets{0};
  /// Over all column numbers; `largest` is −1 if there are none. `largest_line` has the largest.
  std::int64_t smallest = std::numeric_limits<std::int64_t>::max(), largest = -1, largest_line = 0;
};

/// Reads LIBSVM text, `label [qid:number] column:value … [# comment]` line by line, from pieces
/// that may end anywhere. A malformed line throws std::invalid_argument with its number and the
/// reason.
template <class Value>
class LibsvmReader {
 public:
  void feed(std::string_view text) {
    if (!unfinished_.empty()) {
      const std::size_t end = text.find('\n');
      unfinished_.append(text.substr(0, end));
      if (end == std::string_view::npos) return;
      read_line(unfinished_);
      unfinished_.clear();
      text.remove_prefix(end + 1);
    }
    for (std::size_t end; (end = text.find('\n')) != std::string_view::npos;) {
      read_line(text.substr(0, end));
      text.remove_prefix(end + 1);
    }
    unfinished_.assign(text);
  }

  /// The rows, after all text has been fed; the last line needs no line break.
  LibsvmRows<Value>& finish() {
    if (!unfinished_.empty()) read_line(unfinished_);
    unfinished_.clear();
    return rows_;
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  static const char* skip_spaces(const char* at, const char* end) {
    while (at != end && is_space(*at)) ++at;
    return at;
  }

  void read_line(std::string_view line) {
    ++line_;
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (line_ == 1 && line.substr(0, 3) == byte_order_mark) line.remove_prefix(3);
    const char* at = line.data();
    const void* comment = line.empty() ? nullptr : std::memchr(at, '#', line.size());
    const char* const end =
        comment != nullptr ? static_cast<const char*>(comment) : at + line.size();
    at = skip_spaces(at, end);
    if (at == end) return;
    at = read_label(at, end);
    at = skip_query(skip_spaces(at, end), end);
    std::int64_t previous = -1;
    const std::int64_t before = rows_.columns.size();
    while ((at = skip_spaces(at, end)) != end) at = read_entry(at, end, previous);
    if (rows_.columns.size() > before && previous > rows_.largest) {
      rows_.largest = previous;
      rows_.largest_line = line_;
    }
    rows_.offsets.push_back(rows_.columns.size());
  }

  const char* read_label(const char* at, const char* end) {
    double label = 0.0;
    const char* const stop = parse_decimal(at, end, label);
    if (stop != end && *stop == ':') fail("no label before ", at, end);
    if (stop == at || (stop != end && !is_space(*stop)))
      fail("the label is not a number: ", at, end);
    if (!std::isfinite(label)) fail("the label is too large: ", at, end);
    rows_.labels.push_back(label);
    return stop;
  }

  const char* skip_query(const char* at, const char* end) {
    constexpr std::string_view name = "qid:";
    if (std::string_view(at, static_cast<std::size_t>(end - at)).substr(0, name.size()) != name)
      return at;
    std::uint64_t query = 0;
    const char* const start = at + name.size();
    const char* const stop = detail::take_digits(start, end, query);
    if (stop == start || (stop != end && !is_space(*stop))) fail("qid is not a number: ", at, end);
    return stop;
  }

  /// Appends `column:value`; `previous` is the previous column in this line.
  const char* read_entry(const char* at, const char* end, std::int64_t& previous) {
    constexpr std::ptrdiff_t safe_digits = 18;
    std::uint64_t number = 0;
    const char* const colon = detail::take_digits(at, end, number);
    if (colon == at || colon == end || *colon != ':') fail("expected column:value, got ", at, end);
    if (colon - at > safe_digits) fail("the column number is too large: ", at, end);
    const auto column = static_cast<std::int64_t>(number);
    if (column <= previous)
      fail("columns must ascend, and " + std::to_string(previous) + " comes before ", at, end);
    double value = 0.0;
    const char* const stop = parse_decimal(colon + 1, end, value);
    if (stop == colon + 1 || (stop != end && !is_space(*stop)))
      fail("the value is not a number: ", at, end);
    if (std::abs(value) > static_cast<double>(std::numeric_limits<Value>::max()))
      fail("the value is too large: ", at, end);
    if (previous < 0 && column < rows_.smallest) rows_.smallest = column;
    rows_.columns.append(column);
    rows_.values.push_back(static_cast<Value>(value));
    previous = column;
    return stop;
  }

  /// Throws, quoting the word at `at`, shortened and with `?` for unprintable characters.
  [[noreturn]] void fail(const std::string& reason, const char* at, const char* end) const {
    constexpr std::size_t longest = 40;
    std::string word;
    for (; at != end && !is_space(*at) && word.size() < longest; ++at)
      word += *at > ' ' && *at < '\x7f' ? *at : '?';
    if (at != end && !is_space(*at)) word += "...";
    throw std::invalid_argument("line " + std::to_string(line_) + ": " + reason + '"' + word + '"');
  }

  std::int64_t line_ = 0;
  std::string unfinished_;
  LibsvmRows<Value> rows_;
};

}}}  // namespace regiht::REGIHT_ABI::io
