#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace regiht::fuzz {

/// Takes numbers from the bytes that a fuzzer made up; zeros once they are used up.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  bool empty() const { return size_ == 0; }

  /// A number from first to last, both included.
  std::int64_t between(std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(take<std::uint16_t>()) % (last - first + 1);
  }

  template <class T>
  T take() {
    T value{};
    const std::size_t count = size_ < sizeof(T) ? size_ : sizeof(T);
    if (count > 0) std::memcpy(&value, data_, count);
    data_ += count;
    size_ -= count;
    return value;
  }

  /// A number as programs have them: mostly small, now and then any bits at all.
  double number() {
    const std::uint8_t kind = take<std::uint8_t>();
    if (kind < 16) return take<double>();
    return static_cast<double>(take<std::int8_t>()) / 16.0;
  }

  /// So many, in memory of exactly that size, so that a sanitizer sees what is read beyond it.
  template <class T>
  std::vector<T> numbers(std::int64_t count) {
    std::vector<T> values;
    values.reserve(static_cast<std::size_t>(count));
    for (std::int64_t k = 0; k < count; ++k) values.push_back(static_cast<T>(number()));
    return values;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace regiht::fuzz
