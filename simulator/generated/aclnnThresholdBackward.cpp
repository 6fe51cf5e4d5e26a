// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnThresholdBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_threshold_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0>
Number ThresholdBackward(Number gradOutput, Number self, T0 threshold) {
  return self > Number(threshold) ? gradOutput : Number(0.0);
}

void CheckThresholdBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                            const ScalarParameter &threshold, const TensorParameter &out) {
  RequireNotNull({gradOutput, self, out}, {}, {threshold});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self},
                  {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT8, ACL_UINT8, ACL_INT64});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT8, ACL_UINT8},
                  Product::kAtlasA3);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT8, ACL_UINT8},
                  Product::kAtlasA2);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8, ACL_UINT8},
                  Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8, ACL_UINT8},
                  Product::kAtlasTraining);
  RequireScalarType({threshold}, {gradOutput->dataType});
  RequireSameDataType({gradOutput, out}, self);
  RequirePublicFormat({gradOutput, self, out});
  RequireRank({gradOutput, self, out}, 0, 8);
  RequireBroadcast({gradOutput, self}, out);
  if (IsOn({Product::kAscend950})) Require(ToDouble(*threshold.scalar) == 0, "threshold is 0");
}

}  // namespace

aclnnStatus aclnnThresholdBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                   const aclTensor *self,
                                                   const aclScalar *threshold, aclTensor *out,
                                                   uint64_t *workspaceSize,
                                                   aclOpExecutor **executor) {
  return PlanOperator("aclnnThresholdBackward", workspaceSize, executor, [&] {
    CheckThresholdBackward({"gradOutput", gradOutput}, {"self", self}, {"threshold", threshold},
                           {"out", out});
    return Work{0, [gradOutput = *gradOutput, self = *self, out = *out,
                    threshold = static_cast<double>(ToDouble(*threshold))](void *) {
                  const auto kernel = [threshold](auto gradOutputElement, auto selfElement) {
                    return ThresholdBackward(gradOutputElement, selfElement, threshold);
                  };
                  MapInOwnType(out, kernel, BroadcastTo(gradOutput, out.shape),
                               BroadcastTo(self, out.shape));
                }};
  });
}

aclnnStatus aclnnThresholdBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnThresholdBackward", workspace, workspaceSize, executor, stream);
}
