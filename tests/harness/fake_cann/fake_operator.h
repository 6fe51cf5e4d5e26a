// SPDX-License-Identifier: Apache-2.0
/// What the fake operators share.
#ifndef FAKE_OPERATOR_H_
#define FAKE_OPERATOR_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "fake_handles.h"

namespace fake {

using Tensors = std::map<std::string, const aclTensor *>;

/// Calls `visit(row-major index, storage element)` for every element of the view.
void ForEachElement(const aclTensor &tensor,
                    const std::function<void(int64_t index, int64_t element)> &visit);

/// Phase one. Faults: `refuse` makes it fail; `write:TENSOR@ELEMENT` writes a float there (with
/// `refuse` at once, else with the work); `workspace:BYTES` is asked for; `write-workspace:BYTE`
/// writes there; `stale-workspace` writes one element of `out` if a launch has used the workspace.
aclnnStatus Plan(const Tensors &tensors, std::function<void()> work, uint64_t *workspaceSize,
                 aclOpExecutor **executor);

/// Phase two. Faults: `launch-fails`, `crash`; `lose-launch:N` does no work at the Nth launch;
/// `one-plan` does the work that was planned last; `one-buffer` does for all launches that are
/// waited for at once the work of the last one.
aclnnStatus Launch(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, void *stream);

}  // namespace fake

#endif  // FAKE_OPERATOR_H_
