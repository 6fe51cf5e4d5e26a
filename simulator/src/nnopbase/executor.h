// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_EXECUTOR_H_
#define SIMULATOR_NNOPBASE_EXECUTOR_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"

#pragma GCC visibility push(default)
namespace simulator {

/// The work of an operator on the device.
struct Work {
  /// Bytes of device memory that `run` needs besides the tensors.
  uint64_t workspaceBytes;

  /// Does the work; called when the stream is synchronised, with exactly the requested workspace
  /// (null for 0 bytes), which holds garbage. Everything else is captured by value.
  std::function<void(void *workspace)> run;
};

/// The works one after another, which share a workspace.
Work OneAfterAnother(const std::vector<Work> &works);

/// A tensor or a list of tensors that was passed to phase one, perhaps a null pointer.
struct TensorArgument {
  TensorArgument(const aclTensor *passed) : tensor(passed) {}
  TensorArgument(const aclTensorList *passed) : list(passed) {}

  const aclTensor *tensor = nullptr;
  const aclTensorList *list = nullptr;
};

/// The tensors of a call in the order of the prototype; one that is overwritten is in both.
struct TensorArguments {
  std::vector<TensorArgument> inputs;
  std::vector<TensorArgument> outputs;
};

/// Phase one of an operator: calls `plan`, which checks the parameters and returns the work, and
/// returns its workspace size and a new executor. A Rejection (see checks.h) that `plan` throws
/// becomes the returned status and the recent error message.
aclnnStatus PlanOperator(const char *name, const TensorArguments &tensors, uint64_t *workspaceSize,
                         aclOpExecutor **executor, const std::function<Work()> &plan);

/// Phase two of an operator: enqueues the work that PlanOperator planned under the same name.
aclnnStatus LaunchOperator(const char *name, void *workspace, uint64_t workspaceSize,
                           aclOpExecutor *executor, aclrtStream stream);

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_NNOPBASE_EXECUTOR_H_
