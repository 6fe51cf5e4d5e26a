// SPDX-License-Identifier: Apache-2.0
#include "workspace.h"

#include <string>
#include <utility>

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

void Workspace::Retire() {
  if (memory_) memory_->Fill(Content::kFirstPoison);
  retired_ = std::move(memory_);
}

std::vector<Finding> Workspace::Check() const {
  std::vector<Finding> findings = memory_ ? CheckZones(*memory_) : std::vector<Finding>();
  if (retired_) {
    const std::vector<Finding> late = CheckRetired(*retired_, Content::kFirstPoison);
    findings.insert(findings.end(), late.begin(), late.end());
  }
  return findings;
}

}  // namespace aclnn_cts
