// SPDX-License-Identifier: Apache-2.0
/// What the fake toolkit is asked to do wrong: FAKE_CANN_FAULTS holds a blank-separated list of
/// NAME or NAME:VALUE.
#ifndef FAKE_FAULTS_H_
#define FAKE_FAULTS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace fake {

/// The values of every fault of that name ("" for one without a value).
std::vector<std::string> Faults(const std::string &name);

inline bool HasFault(const std::string &name) { return !Faults(name).empty(); }

/// The value of the first fault of that name as a number, or `otherwise`.
int64_t FaultNumber(const std::string &name, int64_t otherwise);

}  // namespace fake

#endif  // FAKE_FAULTS_H_
