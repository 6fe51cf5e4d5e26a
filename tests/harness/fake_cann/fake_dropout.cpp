// SPDX-License-Identifier: Apache-2.0
// Does nothing but to remember that it ran. Fault: `other-refuses`.
#include "fake_dropout.h"

#include "aclnnop/aclnn_dropout_backward.h"
#include "fake_faults.h"
#include "fake_operator.h"
#include "fake_runtime.h"

bool fake::dropoutHasRun = false;

aclnnStatus aclnnDropoutBackwardGetWorkspaceSize(const aclTensor *, const aclTensor *, double,
                                                 aclTensor *, uint64_t *workspaceSize,
                                                 aclOpExecutor **executor) {
  if (fake::HasFault("other-refuses")) {
    fake::SetErrorMessage("no dropout today");
    return 161002;
  }
  return fake::Plan({}, [] { fake::dropoutHasRun = true; }, workspaceSize, executor);
}

aclnnStatus aclnnDropoutBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                 aclrtStream stream) {
  return fake::Launch(workspace, workspaceSize, executor, stream);
}
