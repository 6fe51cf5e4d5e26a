// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_LIFECYCLE_H_
#define SIMULATOR_RUNTIME_LIFECYCLE_H_

#include <functional>

#pragma GCC visibility push(default)
namespace simulator {

/// Ends the program if neither aclInit nor aclnnInit has been called. `caller` is the calling
/// public function.
void RequireInitialised(const char *caller);

/// As RequireInitialised; also ends the program if no device is set.
void RequireDevice(const char *caller);

/// Records a call of aclnnInit (true) or aclnnFinalize (false).
void SetOperatorsInitialised(bool initialised);

/// Adds a check for aclFinalize, which must end the program if something was not released.
void AddFinalCheck(std::function<void()> check);

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_RUNTIME_LIFECYCLE_H_
