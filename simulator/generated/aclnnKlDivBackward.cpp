// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnKlDivBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_kl_div_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0, typename T1, typename T2, typename T3>
Number KlDivBackward(Number gradOutput, Number, Number target, T0 reduction, T1 logTarget, T2 count,
                     T3 batch) {
  const Number slope = bool(logTarget) ? -std::exp(target) : -target;
  const Number share =
      Number(reduction) == Number(3.0) ? Number(1.0) / Number(batch) : Number(1.0) / Number(count);
  return Number(reduction) == Number(1.0) || Number(reduction) == Number(3.0)
             ? gradOutput * slope * share
             : gradOutput * slope;
}

void CheckKlDivBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                        const TensorParameter &target, int64_t reduction,
                        const TensorParameter &out) {
  RequireNotNull({gradOutput, self, target, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({gradOutput, target, out}, self);
  RequirePublicFormat({gradOutput, self, target, out});
  RequireRank({gradOutput, self, target, out}, 1, 8);
  RequireSameShape({out}, self);
  RequireBroadcastTo(gradOutput, self);
  RequireBroadcastTo(target, self);
  Require(0 <= reduction && reduction <= 3, "reduction is 0, 1, 2 or 3");
}

}  // namespace

aclnnStatus aclnnKlDivBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
                                               const aclTensor *target, int64_t reduction,
                                               bool logTarget, aclTensor *out,
                                               uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnKlDivBackward", workspaceSize, executor, [&] {
    CheckKlDivBackward({"gradOutput", gradOutput}, {"self", self}, {"target", target}, reduction,
                       {"out", out});
    return Work{0, [gradOutput = *gradOutput, self = *self, target = *target, out = *out,
                    reduction = reduction, logTarget = logTarget, count = ElementCount(self->shape),
                    batch = Extent(self, 0)](void *) {
                  const auto kernel = [reduction, logTarget, count, batch](float gradOutputElement,
                                                                           float selfElement,
                                                                           float targetElement) {
                    return KlDivBackward(gradOutputElement, selfElement, targetElement, reduction,
                                         logTarget, count, batch);
                  };
                  Map(out, kernel, BroadcastTo(gradOutput, out.shape), self,
                      BroadcastTo(target, out.shape));
                }};
  });
}

aclnnStatus aclnnKlDivBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                               aclrtStream stream) {
  return LaunchOperator("aclnnKlDivBackward", workspace, workspaceSize, executor, stream);
}
