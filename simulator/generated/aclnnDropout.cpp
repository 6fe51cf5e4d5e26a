// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDropout.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_dropout.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckDropout(const TensorParameter &input, double p, bool train, const TensorParameter &out,
                  const TensorParameter &maskOut) {
  RequireNotNull({input, out, maskOut});
  RequireProduct({Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({input, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({maskOut}, {ACL_UINT8});
  RequireDataType({input, out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequirePublicFormat({input, out, maskOut});
  RequireRank({input, out}, 1, 8);
  RequireRank({maskOut}, 1, 1);
  RequireSameShape({out}, input);
  RequireNotEmpty({input, out, maskOut});
  Require((p >= 0) && (p <= 1), "p lies between 0 and 1");
  Require((train) && (p > 0) && (p < 1),
          "maskOut is written; with a p of 0 or 1, or a train of false, nothing is done with it");
  RequireShape(maskOut, {(CeilDivide(ElementCount(input->shape), 128) * 16)});
}

}  // namespace

aclnnStatus aclnnDropoutGetWorkspaceSize(const aclTensor *input, double p, bool train, int64_t seed,
                                         int64_t offset, aclTensor *out, aclTensor *maskOut,
                                         uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(seed);
  static_cast<void>(offset);
  return PlanOperator("aclnnDropout", workspaceSize, executor, [&] {
    CheckDropout({"input", input}, p, train, {"out", out}, {"maskOut", maskOut});
    return Work{0, [input = *input, out = *out, maskOut = *maskOut](void *) {
                  StandIn({out, maskOut}, {input});
                }};
  });
}

aclnnStatus aclnnDropout(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                         aclrtStream stream) {
  return LaunchOperator("aclnnDropout", workspace, workspaceSize, executor, stream);
}
