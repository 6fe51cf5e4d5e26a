// SPDX-License-Identifier: Apache-2.0
#include "aclnn_cts/program.h"

namespace aclnn_cts {
namespace {

// The start of a list through all registrations. It needs no initialisation at run time, so it is
// there before the first of them, in whatever order the sources are initialised.
const Registration *newest = nullptr;

}  // namespace

Registration::Registration(const Operator &registered) noexcept
    : registered_(registered), next_(newest) {
  newest = this;
}

const Operator *FindOperator(const std::string &name) {
  for (const Registration *each = newest; each != nullptr; each = each->next_) {
    if (name == each->registered_.name) return &each->registered_;
  }
  return nullptr;
}

}  // namespace aclnn_cts
