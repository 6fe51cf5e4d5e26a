// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_LIFECYCLE_H_
#define SIMULATOR_RUNTIME_LIFECYCLE_H_

#include <functional>

#pragma GCC visibility push(default)
namespace simulator {

/// Ends the program when neither aclInit nor aclnnInit has been called. `caller` is the public
/// function on whose behalf this is asked.
void RequireInitialised(const char *caller);

/// RequireInitialised, and ends the program when no device is set.
void RequireDevice(const char *caller);

/// Notes that aclnnInit (true) or aclnnFinalize (false) was called.
void SetOperatorsInitialised(bool initialised);

/// Adds a check that aclFinalize makes; it must end the program if something was not released.
void AddFinalCheck(std::function<void()> check);

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_RUNTIME_LIFECYCLE_H_
