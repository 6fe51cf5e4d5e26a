// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceUniform.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_uniform.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckInplaceUniform(const TensorParameter &selfRef, double from, double to) {
  RequireNotNull({selfRef});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64,
                              ACL_INT16, ACL_INT8, ACL_UINT8});
  RequireDataType(
      {selfRef},
      {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT16, ACL_INT8, ACL_UINT8},
      Product::kAtlasInference);
  RequireDataType(
      {selfRef},
      {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT16, ACL_INT8, ACL_UINT8},
      Product::kAtlasTraining);
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 0, 8);
  Require(from <= to, "from is not above to");
}

}  // namespace

aclnnStatus aclnnInplaceUniformGetWorkspaceSize(const aclTensor *selfRef, double from, double to,
                                                uint64_t seed, uint64_t offset,
                                                uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(seed);
  static_cast<void>(offset);
  return PlanOperator("aclnnInplaceUniform", workspaceSize, executor, [&] {
    CheckInplaceUniform({"selfRef", selfRef}, from, to);
    return Work{0, [selfRef = *selfRef](void *) { StandIn({selfRef}, {selfRef}); }};
  });
}

aclnnStatus aclnnInplaceUniform(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream) {
  return LaunchOperator("aclnnInplaceUniform", workspace, workspaceSize, executor, stream);
}
