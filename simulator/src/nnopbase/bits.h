// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_BITS_H_
#define SIMULATOR_NNOPBASE_BITS_H_

#include <cstdint>
#include <type_traits>

/// Operators of the bits of integers, of which bool has one.
namespace simulator::bits {

template <typename Number>
Number And(Number a, Number b) {
  return static_cast<Number>(a & b);
}

template <typename Number>
Number Or(Number a, Number b) {
  return static_cast<Number>(a | b);
}

template <typename Number>
Number Xor(Number a, Number b) {
  return static_cast<Number>(a ^ b);
}

template <typename Number>
Number Not(Number a) {
  if constexpr (std::is_same_v<Number, bool>) {
    return !a;
  } else {
    return ~a;
  }
}

/// Of 64 bits, as wide a shift as any promised one is defined.
template <typename Number>
using Word = std::conditional_t<std::is_signed_v<Number>, int64_t, uint64_t>;

template <typename Number>
Number ShiftLeft(Number a, Number count) {
  return static_cast<Number>(static_cast<uint64_t>(a) << (count & 63));
}

template <typename Number>
Number ShiftRight(Number a, Number count) {
  return static_cast<Number>(static_cast<Word<Number>>(a) >> (count & 63));
}

}  // namespace simulator::bits

#endif  // SIMULATOR_NNOPBASE_BITS_H_
