// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLinalgVectorNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_linalg_vector_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckLinalgVectorNorm(const TensorParameter &self, const ScalarParameter &ord,
                           const IntArrayParameter &dims, bool keepDims, aclDataType dtype,
                           const TensorParameter &out) {
  RequireNotNull({self, out}, {dims}, {ord});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlas200I500A2, Product::kAtlasTraining});
  RequireDataType({self, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self, out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({ord}, {ACL_FLOAT});
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  Require((-(self->Rank()) <= Least(Numbers(dims))) && (Greatest(Numbers(dims)) < self->Rank()),
          "dims names axes of self");
  Require(CountAxes(self->shape, Numbers(dims)) == Length(Numbers(dims)),
          "dims names no axis twice");
  Require((ElementBits(dtype) / 8 == ElementBits(out->dataType) / 8) &&
              (Digits(dtype) == Digits(out->dataType)),
          "dtype is the data type of out");
  Require((Digits(out->dataType) == 24) || (Digits(out->dataType) == Digits(self->dataType)),
          "out has the data type of self or float32");
  RequireShape(out, (keepDims ? Resized(self->shape, Numbers(dims), 1)
                              : Without(self->shape, Numbers(dims))));
}

}  // namespace

aclnnStatus aclnnLinalgVectorNormGetWorkspaceSize(const aclTensor *self, const aclScalar *ord,
                                                  const aclIntArray *dims, bool keepDims,
                                                  aclDataType dtype, aclTensor *out,
                                                  uint64_t *workspaceSize,
                                                  aclOpExecutor **executor) {
  return PlanOperator("aclnnLinalgVectorNorm", workspaceSize, executor, [&] {
    CheckLinalgVectorNorm({"self", self}, {"ord", ord}, {"dims", dims}, keepDims, dtype,
                          {"out", out});
    return Work{0, [self = *self, out = *out](void *) { StandInBySample({out}, {self}); }};
  });
}

aclnnStatus aclnnLinalgVectorNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream) {
  return LaunchOperator("aclnnLinalgVectorNorm", workspace, workspaceSize, executor, stream);
}
