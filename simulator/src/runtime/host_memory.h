// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_HOST_MEMORY_H_
#define SIMULATOR_RUNTIME_HOST_MEMORY_H_

#include <cstddef>

namespace simulator {

/// Whether the address lies in a live allocation of aclrtMallocHost.
bool IsPinnedHostAddress(const void *address);

/// Ends the program if `host` lies in an allocation of aclrtMallocHost and `bytes` bytes exceed it.
/// The simulator does not know other host memory, which passes.
void RequireHostBytes(const void *host, size_t bytes, const char *user);

}  // namespace simulator

#endif  // SIMULATOR_RUNTIME_HOST_MEMORY_H_
