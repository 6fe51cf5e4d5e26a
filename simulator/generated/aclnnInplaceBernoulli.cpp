// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceBernoulli.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_bernoulli.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckInplaceBernoulli(const TensorParameter &selfRef, const ScalarParameter &prob,
                           int64_t offset) {
  RequireNotNull({selfRef}, {}, {prob});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT16, ACL_FLOAT, ACL_DOUBLE, ACL_UINT8, ACL_INT8, ACL_INT16,
                              ACL_INT32, ACL_INT64, ACL_BOOL, ACL_BF16});
  RequireDataType({selfRef},
                  {ACL_FLOAT16, ACL_FLOAT, ACL_DOUBLE, ACL_UINT8, ACL_INT8, ACL_INT16, ACL_INT32,
                   ACL_INT64, ACL_BOOL},
                  Product::kAtlasTraining);
  RequireScalarType({prob}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BF16});
  RequireScalarType({prob}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasTraining);
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 0, 8);
  Require(0 <= ToDouble(*prob.scalar) && ToDouble(*prob.scalar) <= 1, "prob lies between 0 and 1");
  Require((offset % 4) == 0, "offset is a multiple of 4");
}

}  // namespace

aclnnStatus aclnnInplaceBernoulliGetWorkspaceSize(const aclTensor *selfRef, const aclScalar *prob,
                                                  int64_t seed, int64_t offset,
                                                  uint64_t *workspaceSize,
                                                  aclOpExecutor **executor) {
  static_cast<void>(seed);
  return PlanOperator("aclnnInplaceBernoulli", workspaceSize, executor, [&] {
    CheckInplaceBernoulli({"selfRef", selfRef}, {"prob", prob}, offset);
    return Work{0, [selfRef = *selfRef](void *) { StandIn({selfRef}, {selfRef}); }};
  });
}

aclnnStatus aclnnInplaceBernoulli(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream) {
  return LaunchOperator("aclnnInplaceBernoulli", workspace, workspaceSize, executor, stream);
}
