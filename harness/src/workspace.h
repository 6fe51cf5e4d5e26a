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

/// Has exactly the size that phase one asked for; none as long as nothing, or 0, was asked for.
class Workspace {
 public:
  /// Provides a workspace of that size. One that is there already stays, with what it holds, if it
  /// has this size. Throws RuntimeError.
  void Provide(uint64_t bytes, const Margins &margins, Content content);
  /// Keeps what is there from being used again: the next one has another address. Throws
  /// RuntimeError.
  void Retire();
  /// nullptr when there is none.
  void *Address() const { return memory_ ? memory_->Address() : nullptr; }
  /// What was written around it, and to the retired one. Throws RuntimeError.
  std::vector<Finding> Check() const;

 private:
  std::unique_ptr<WorkspaceMemory> memory_;
  std::unique_ptr<WorkspaceMemory> retired_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_WORKSPACE_H_
