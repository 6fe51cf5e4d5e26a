// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftMarginLoss.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_soft_margin_loss.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/sums.h"

using namespace simulator;

namespace {

template <typename Number>
Number SoftMarginLoss(Number self, Number target) {
  return std::log(Number(1.0) + std::exp(-(target * self)));
}

void CheckSoftMarginLoss(const TensorParameter &self, const TensorParameter &target,
                         int64_t reduction, const TensorParameter &out) {
  RequireNotNull({self, target, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self, target, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self, target, out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self, target, out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequirePublicFormat({self, target, out});
  RequireRank({self, target}, 1, 8);
  RequireRank({out}, 0, 8);
  RequireShape(out, reduction == 0 ? BroadcastShape({self, target}) : Shape{});
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
}

}  // namespace

aclnnStatus aclnnSoftMarginLossGetWorkspaceSize(const aclTensor *self, const aclTensor *target,
                                                int64_t reduction, aclTensor *out,
                                                uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnSoftMarginLoss", workspaceSize, executor, [&] {
    CheckSoftMarginLoss({"self", self}, {"target", target}, reduction, {"out", out});
    return Work{0, [self = *self, target = *target, out = *out, reduction = reduction,
                    shape = BroadcastShape({{"self", self}, {"target", target}})](void *) {
                  const auto kernel = [](float selfElement, float targetElement) {
                    return SoftMarginLoss(selfElement, targetElement);
                  };
                  const std::vector<float> losses =
                      Mapped(kernel, BroadcastTo(self, shape), BroadcastTo(target, shape));
                  if (reduction == 0) return WriteAll(out, losses);
                  const float sum = PairwiseSum(losses.data(), static_cast<int64_t>(losses.size()));
                  WriteAll(out, {reduction == 1 ? sum / static_cast<float>(losses.size()) : sum});
                }};
  });
}

aclnnStatus aclnnSoftMarginLoss(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream) {
  return LaunchOperator("aclnnSoftMarginLoss", workspace, workspaceSize, executor, stream);
}
