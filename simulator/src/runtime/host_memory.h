// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_HOST_MEMORY_H_
#define SIMULATOR_RUNTIME_HOST_MEMORY_H_

#include <cstddef>

namespace simulator {

/// Whether the address lies in a live piece from aclrtMallocHost.
bool IsPinnedHostAddress(const void *address);

/// Ends the program when `host` lies in a piece from aclrtMallocHost and `bytes` bytes from there
/// leave it. Other host memory is not known to the simulator and passes.
void RequireHostBytes(const void *host, size_t bytes, const char *user);

}  // namespace simulator

#endif  // SIMULATOR_RUNTIME_HOST_MEMORY_H_
