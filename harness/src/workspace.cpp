// SPDX-License-Identifier: Apache-2.0
#include "workspace.h"

#include <string>

#include "errors.h"

namespace aclnn_cts {

void Workspace::Provide(uint64_t bytes, const Margins &margins, Content content) {
  if (bytes > uint64_t{1} << 50) {
    throw RuntimeError("aclrtMalloc of a workspace of " + std::to_string(bytes) + " bytes", -1,
                       "no device has that much memory");
  }
  const auto size = static_cast<int64_t>(bytes);
  if (memory_ && memory_->Layout().payload == size) return;
  memory_.reset();
  if (size != 0) memory_ = std::make_unique<WorkspaceMemory>(size, margins, content);
}

void Workspace::Fill(Content content) {
  if (memory_) memory_->Fill(content);
}

std::vector<Finding> Workspace::Check() const {
  return memory_ ? CheckWorkspace(*memory_) : std::vector<Finding>();
}

}  // namespace aclnn_cts
