// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceBernoulliTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_bernoulli.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckInplaceBernoulliTensor(const TensorParameter &selfRef, const TensorParameter &prob,
                                 int64_t offset) {
  RequireNotNull({selfRef, prob});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_UINT8, ACL_INT8, ACL_INT16,
                              ACL_INT32, ACL_INT64, ACL_BOOL});
  RequireDataType({prob}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE});
  RequireDataType({selfRef},
                  {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_UINT8, ACL_INT8, ACL_INT16, ACL_INT32,
                   ACL_INT64, ACL_BOOL},
                  Product::kAtlasA3);
  RequireDataType({selfRef},
                  {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_UINT8, ACL_INT8, ACL_INT16, ACL_INT32,
                   ACL_INT64, ACL_BOOL},
                  Product::kAtlasA2);
  RequireDataType({selfRef},
                  {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_UINT8, ACL_INT8, ACL_INT16, ACL_INT32,
                   ACL_INT64, ACL_BOOL},
                  Product::kAtlasTraining);
  RequirePublicFormat({selfRef, prob});
  RequireRank({selfRef, prob}, 0, 8);
  RequireSameShape({prob}, selfRef);
  Require((offset % 4) == 0, "offset is a multiple of 4");
}

}  // namespace

aclnnStatus aclnnInplaceBernoulliTensorGetWorkspaceSize(const aclTensor *selfRef,
                                                        const aclTensor *prob, int64_t seed,
                                                        int64_t offset, uint64_t *workspaceSize,
                                                        aclOpExecutor **executor) {
  static_cast<void>(seed);
  return PlanOperator("aclnnInplaceBernoulliTensor", workspaceSize, executor, [&] {
    CheckInplaceBernoulliTensor({"selfRef", selfRef}, {"prob", prob}, offset);
    return Work{
        0, [selfRef = *selfRef, prob = *prob](void *) { StandIn({selfRef}, {selfRef, prob}); }};
  });
}

aclnnStatus aclnnInplaceBernoulliTensor(void *workspace, uint64_t workspaceSize,
                                        aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnInplaceBernoulliTensor", workspace, workspaceSize, executor, stream);
}
