// SPDX-License-Identifier: Apache-2.0
#include "aclnn_cts/case.h"

namespace aclnn_cts {

const char *NameOf(Circumstance circumstance) {
  switch (circumstance) {
    case Circumstance::kSecondStream:
      return "second-stream";
    case Circumstance::kKeptWorkspace:
      return "kept-workspace";
    case Circumstance::kAfterOthers:
      return "after-others";
    case Circumstance::kInFlight:
      return "in-flight";
    case Circumstance::kPlannedBetween:
      return "planned-between";
    case Circumstance::kRepeatableExecutor:
      return "repeatable-executor";
    default:
      return "ordinary";
  }
}

}  // namespace aclnn_cts
