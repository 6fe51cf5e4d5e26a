// SPDX-License-Identifier: Apache-2.0
/// The workspace of a run's calls.
#ifndef ACLNN_CTS_WORKSPACE_H_
#define ACLNN_CTS_WORKSPACE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "device_memory.h"
#include "memory_checks.h"

namespace aclnn_cts {

/// Has exactly the size that phase one requested; no memory for 0.
class Workspace {
 public:
  /// Provides a workspace of a size; an existing one of this size is kept unchanged. Throws
  /// RuntimeError.
  void Provide(uint64_t bytes, const Margins &margins, Content content);
  /// Retires the current one, so that the next one has another address. Throws RuntimeError.
  void Retire();
  /// nullptr if there is none.
  void *Address() const { return memory_ ? memory_->Address() : nullptr; }
  /// Findings around it, and in the retired one. Throws RuntimeError.
  std::vector<Finding> Check() const;

 private:
  std::unique_ptr<WorkspaceMemory> memory_;
  std::unique_ptr<WorkspaceMemory> retired_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_WORKSPACE_H_
