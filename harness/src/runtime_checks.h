// SPDX-License-Identifier: Apache-2.0
/// Checks of the runtime functions that programs call around operators.
#ifndef ACLNN_CTS_RUNTIME_CHECKS_H_
#define ACLNN_CTS_RUNTIME_CHECKS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "device_memory.h"

namespace aclnn_cts {

/// A runtime function that does not do what its page says.
struct BrokenFunction {
  const char *function;
  std::string what;  ///< what it did, or did not
};

/// Tries the functions for memory, streams, system parameters and error messages. Sets the
/// determinism parameter to `determinism` afterwards. A function that returns an error is not
/// taken for broken, because products may lack it. Throws RuntimeError if a copy or a
/// synchronisation fails.
std::vector<BrokenFunction> CheckRuntime(aclrtStream stream, int32_t timeoutMs,
                                         int64_t determinism);

/// Asynchronous copies of the first bytes of outputs, queued behind the launch that writes them.
class QueuedCopies {
 public:
  /// Adds an output of that size. Throws RuntimeError.
  void Add(const void *output, int64_t bytes);
  /// Queues a copy of each output.
  void Enqueue(aclrtStream stream);
  /// Compares the copies with the outputs, once the stream is done. Throws RuntimeError.
  std::vector<BrokenFunction> Check() const;

 private:
  struct Copy {
    const void *output;
    int64_t bytes;
    std::unique_ptr<DeviceMemory> memory;
    bool queued;
  };
  std::vector<Copy> copies_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_RUNTIME_CHECKS_H_
