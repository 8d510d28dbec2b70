#pragma once

#include <cstddef>
#include <cstdint>

namespace regiht::fuzz {

/// Each makes what it tests of any bytes and ends the program if a promise is broken. Memory errors
/// are for the sanitizers to see.

/// LIBSVM text in one piece and in several: the same rows, or the same refusal.
void libsvm(const std::uint8_t* data, std::size_t size);

/// Matrices, targets and settings through regiht.h: a model that keeps to s, or a sentence.
void c_interface(const std::uint8_t* data, std::size_t size);

/// Ends the program, saying what did not hold.
void require(bool condition, const char* text);

}  // namespace regiht::fuzz
