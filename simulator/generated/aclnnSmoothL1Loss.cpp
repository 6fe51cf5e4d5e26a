// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSmoothL1Loss.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_smooth_l1_loss.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/sums.h"

using namespace simulator;

namespace {

template <typename Number, typename T0>
Number SmoothL1Loss(Number self, Number target, T0 beta) {
  const Number distance = std::abs(self - target);
  const Number loss = distance < Number(beta) ? Number(0.5) * (distance * distance) / Number(beta)
                                              : distance - Number(0.5) * Number(beta);
  return loss;
}

void CheckSmoothL1Loss(const TensorParameter &self, const TensorParameter &target,
                       int64_t reduction, float beta, const TensorParameter &result) {
  RequireNotNull({self, target, result});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self, target, result}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self, target, result}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self, target, result}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireFormat({self, target, result},
                {ACL_FORMAT_ND, ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NHWC});
  RequireRank({self, target, result}, 1, 8);
  RequireShape(result, reduction == 0 ? BroadcastShape({self, target}) : Shape{1});
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
  Require(beta >= 0, "beta is not negative");
}

}  // namespace

aclnnStatus aclnnSmoothL1LossGetWorkspaceSize(const aclTensor *self, const aclTensor *target,
                                              int64_t reduction, float beta, aclTensor *result,
                                              uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnSmoothL1Loss", workspaceSize, executor, [&] {
    CheckSmoothL1Loss({"self", self}, {"target", target}, reduction, beta, {"result", result});
    return Work{
        0, [self = *self, target = *target, result = *result, reduction = reduction, beta = beta,
            shape = BroadcastShape({{"self", self}, {"target", target}})](void *) {
          const auto kernel = [beta](float selfElement, float targetElement) {
            return SmoothL1Loss(selfElement, targetElement, beta);
          };
          const std::vector<float> losses =
              Mapped(kernel, BroadcastTo(self, shape), BroadcastTo(target, shape));
          if (reduction == 0) return WriteAll(result, losses);
          const float sum = PairwiseSum(losses.data(), static_cast<int64_t>(losses.size()));
          WriteAll(result, {reduction == 1 ? sum / static_cast<float>(losses.size()) : sum});
        }};
  });
}

aclnnStatus aclnnSmoothL1Loss(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                              aclrtStream stream) {
  return LaunchOperator("aclnnSmoothL1Loss", workspace, workspaceSize, executor, stream);
}
