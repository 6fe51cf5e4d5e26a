// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceSigmoid.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/sigmoid.h, not this file.
#include "aclnnop/aclnn_sigmoid.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/sigmoid.h"

using namespace simulator;

namespace {

void CheckInplaceSigmoid(const TensorParameter &selfRef) {
  RequireNotNull({selfRef});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 1, 8);
}

}  // namespace

aclnnStatus aclnnInplaceSigmoidGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize,
                                                aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceSigmoid", workspaceSize, executor, [&] {
    CheckInplaceSigmoid({"selfRef", selfRef});
    return Work{0, [selfRef = *selfRef](void *) { Map(selfRef, Sigmoid, selfRef); }};
  });
}

aclnnStatus aclnnInplaceSigmoid(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream) {
  return LaunchOperator("aclnnInplaceSigmoid", workspace, workspaceSize, executor, stream);
}
