#include "regiht/io/libsvm.hpp"

#include <string>

#include "bytes.hpp"
#include "harnesses.hpp"

namespace regiht::fuzz {
namespace {

struct Outcome {
  std::string refusal;
  io::LibsvmRows<float> rows;
};

Outcome read(std::string_view text, std::size_t piece) {
  Outcome outcome;
  io::LibsvmReader<float> reader;
  try {
    for (; text.size() > piece; text.remove_prefix(piece)) reader.feed(text.substr(0, piece));
    reader.feed(text);
    outcome.rows = reader.finish();
  } catch (const std::invalid_argument& error) {
    outcome.refusal = error.what();
  }
  return outcome;
}

}  // namespace

void libsvm(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const auto piece = static_cast<std::size_t>(bytes.between(1, 40));
  const std::size_t used = size < 2 ? size : 2;
  const std::string_view text(reinterpret_cast<const char*>(data) + used, size - used);
  Outcome whole = read(text, text.size() + 1), parts = read(text, piece);
  require(whole.refusal == parts.refusal, "pieces are refused as the whole is");
  if (!whole.refusal.empty()) return;
  require(whole.rows.labels == parts.rows.labels, "pieces have the labels of the whole");
  require(whole.rows.offsets == parts.rows.offsets, "pieces have the rows of the whole");
  require(whole.rows.values == parts.rows.values, "pieces have the values of the whole");
  require(whole.rows.columns.as_short() == parts.rows.columns.as_short(), "and the columns");
  require(whole.rows.columns.as_long() == parts.rows.columns.as_long(), "and the wide columns");
  require(whole.rows.offsets.size() == whole.rows.labels.size() + 1, "one row for every label");
  require(whole.rows.offsets.back() == whole.rows.columns.size(), "all entries are in a row");
}

}  // namespace regiht::fuzz
