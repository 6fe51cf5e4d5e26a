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

template <typename Number>
Number ShiftLeft(Number a, Number count) {
  return static_cast<Number>(static_cast<uint64_t>(a) << count);
}

template <typename Number>
Number ShiftRight(Number a, Number count) {
  return static_cast<Number>(a >> count);
}

}  // namespace simulator::bits

#endif  // SIMULATOR_NNOPBASE_BITS_H_
