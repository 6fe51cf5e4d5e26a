// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHeaviside.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_heaviside.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckHeaviside(const TensorParameter &input, const TensorParameter &values,
                    const TensorParameter &out) {
  RequireNotNull({input, values, out});
  RequireProduct({Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({values, out}, input);
  RequirePublicFormat({input, values, out});
  RequireRank({input, values, out}, 0, 8);
  RequireBroadcast({input, values}, out);
}

}  // namespace

aclnnStatus aclnnHeavisideGetWorkspaceSize(const aclTensor *input, const aclTensor *values,
                                           aclTensor *out, uint64_t *workspaceSize,
                                           aclOpExecutor **executor) {
  return PlanOperator("aclnnHeaviside", workspaceSize, executor, [&] {
    CheckHeaviside({"input", input}, {"values", values}, {"out", out});
    return Work{0, [input = *input, values = *values, out = *out](void *) {
                  StandIn({out}, {input, values});
                }};
  });
}

aclnnStatus aclnnHeaviside(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream) {
  return LaunchOperator("aclnnHeaviside", workspace, workspaceSize, executor, stream);
}
