// SPDX-License-Identifier: Apache-2.0
/// Finds forbidden writes of a call, and compares the outputs of two runs.
#ifndef ACLNN_CTS_MEMORY_CHECKS_H_
#define ACLNN_CTS_MEMORY_CHECKS_H_

#include <cstdint>
#include <vector>

#include "device_memory.h"
#include "host_bytes.h"

namespace aclnn_cts {

/// Number of differing places, and the first of them (-1 if none).
struct Difference {
  int64_t count = 0;
  int64_t first = -1;

  void Add(int64_t index) {
    if (count++ == 0) first = index;
  }
};

/// One kind of damage to a tensor or workspace.
///
///     kind            unit     where `first` counts from
///     guard-front     byte     the payload's start; so it is negative
///     slack           byte     the payload's start
///     guard-rear      byte     the end of the payload's room
///     input           element  the view's first element, in row-major order
///     gap             element  the storage's first element
///     output-touched  element  the storage's first element
///     retired         byte     the start of a workspace of an earlier launch; of a tensor of one,
///                              any of the above
struct Finding {
  const char *kind;
  Difference difference;
  const char *unit;
};

/// Compares the memory of a tensor with its expected content. `mayWrite`: whether the view may have
/// changed. Of a tensor in the storage of another one only its own elements are compared. Throws
/// RuntimeError.
std::vector<Finding> CheckTensor(const TensorFacts &facts, const TensorMemory &memory,
                                 bool mayWrite);

/// The same for the zones around a tensor or a workspace.
std::vector<Finding> CheckZones(const GuardedMemory &memory);

/// Finds writes to a workspace that no launch may use, since it was filled.
std::vector<Finding> CheckRetired(const WorkspaceMemory &memory, Content content);

/// Comparison of an output of two runs.
struct Repetition {
  Difference different;       ///< elements whose bytes differ between the runs
  Difference unwritten;       ///< elements with the poison of their run in both
  int64_t missingBefore = 0;  ///< elements with it only in the first
  int64_t missing = 0;        ///< elements with it only in the second
};

/// Compares an output with that of an earlier run, given the initial elements of both. Throws
/// RuntimeError, and the exceptions of `first`.
Repetition CompareRuns(const TensorFacts &facts, const ByteSource &first,
                       const Pattern &firstPoison, const TensorMemory &second,
                       const Pattern &secondPoison);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_MEMORY_CHECKS_H_
