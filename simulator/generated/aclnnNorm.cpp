// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckNorm(const TensorParameter &self, const ScalarParameter &pScalar,
               const IntArrayParameter &dim, bool keepdim, const TensorParameter &out) {
  RequireNotNull({self, out}, {dim}, {pScalar});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlas200I500A2, Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({pScalar}, {ACL_FLOAT});
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  Require((-(self->Rank()) <= Least(Numbers(dim))) && (Greatest(Numbers(dim)) < self->Rank()),
          "dim names axes of self");
  Require(CountAxes(self->shape, Numbers(dim)) == Length(Numbers(dim)), "dim names no axis twice");
  RequireShape(
      out, (keepdim ? Resized(self->shape, Numbers(dim), 1) : Without(self->shape, Numbers(dim))));
}

}  // namespace

aclnnStatus aclnnNormGetWorkspaceSize(const aclTensor *self, const aclScalar *pScalar,
                                      const aclIntArray *dim, bool keepdim, aclTensor *out,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnNorm", workspaceSize, executor, [&] {
    CheckNorm({"self", self}, {"pScalar", pScalar}, {"dim", dim}, keepdim, {"out", out});
    return Work{0, [self = *self, out = *out](void *) { StandInBySample({out}, {self}); }};
  });
}

aclnnStatus aclnnNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                      aclrtStream stream) {
  return LaunchOperator("aclnnNorm", workspace, workspaceSize, executor, stream);
}
