// SPDX-License-Identifier: Apache-2.0
/// Finds what a call wrote where it had no business, and compares the outputs of two runs.
#ifndef ACLNN_CTS_MEMORY_CHECKS_H_
#define ACLNN_CTS_MEMORY_CHECKS_H_

#include <cstdint>
#include <vector>

#include "device_memory.h"
#include "host_bytes.h"

namespace aclnn_cts {

/// How many places differ, and the first of them (-1 when none does).
struct Difference {
  int64_t count = 0;
  int64_t first = -1;

  void Add(int64_t index) {
    if (count++ == 0) first = index;
  }
};

/// One kind of damage to one tensor or workspace.
///
///     kind            unit     where `first` counts from
///     guard-front     byte     the payload's start; so it is negative
///     slack           byte     the payload's start
///     guard-rear      byte     the end of the payload's room
///     input           element  the view's first element, in row-major order
///     gap             element  the storage's first element
///     output-touched  element  the storage's first element
///     retired         byte     the start of a workspace of an earlier launch
struct Finding {
  const char *kind;
  Difference difference;
  const char *unit;
};

/// Compares what the memory of a tensor holds with what it must hold. `mayWrite`: the view of an
/// output may have changed. Throws RuntimeError.
std::vector<Finding> CheckTensor(const TensorFacts &facts, const TensorMemory &memory,
                                 bool mayWrite);

/// The same for the zones around a tensor or a workspace.
std::vector<Finding> CheckZones(const GuardedMemory &memory);

/// Finds what was written to a workspace that no launch may use, since it was filled.
std::vector<Finding> CheckRetired(const WorkspaceMemory &memory, Content content);

/// What two runs say about an output.
struct Repetition {
  Difference different;       ///< elements whose bytes differ between the runs
  Difference unwritten;       ///< elements that hold the poison of their run in both
  int64_t missingBefore = 0;  ///< how many hold it in the first alone
  int64_t missing = 0;        ///< how many hold it in the second alone
};

/// Compares an output with that of an earlier run, given what each element held before the runs.
/// Throws RuntimeError, and what `first` throws.
Repetition CompareRuns(const TensorFacts &facts, const ByteSource &first,
                       const Pattern &firstPoison, const TensorMemory &second,
                       const Pattern &secondPoison);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_MEMORY_CHECKS_H_
