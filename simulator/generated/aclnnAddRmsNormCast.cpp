// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddRmsNormCast.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_add_rms_norm_cast.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAddRmsNormCast(const TensorParameter &x1, const TensorParameter &x2,
                         const TensorParameter &gamma, const TensorParameter &y1Out,
                         const TensorParameter &y2Out, const TensorParameter &rstdOut,
                         const TensorParameter &xOut) {
  RequireNotNull({x1, x2, gamma, y1Out, y2Out, rstdOut, xOut});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({x1}, {ACL_FLOAT16, ACL_BF16});
  RequireDataType({y1Out, rstdOut}, {ACL_FLOAT});
  RequireSameDataType({x2, gamma, y2Out, xOut}, x1);
  RejectWith(561002, [&] {
    RequirePublicFormat({x1, x2, gamma, y1Out, y2Out, rstdOut, xOut});
    RequireRank({x1, x2, gamma, y1Out, y2Out, rstdOut, xOut}, 1, 8);
    RequireSameShape({x2, y1Out, y2Out, xOut}, x1);
    RequireTrailing(gamma, x1);
  });
  RequireContiguous({y1Out, y2Out, rstdOut, xOut});
  RejectWith(561002, [&] { RequireShape(rstdOut, ResizedOnward(x1->shape, -(gamma->Rank()), 1)); });
}

}  // namespace

aclnnStatus aclnnAddRmsNormCastGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
                                                const aclTensor *gamma, double epsilon,
                                                const aclTensor *y1Out, const aclTensor *y2Out,
                                                const aclTensor *rstdOut, const aclTensor *xOut,
                                                uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  return PlanOperator("aclnnAddRmsNormCast", workspaceSize, executor, [&] {
    CheckAddRmsNormCast({"x1", x1}, {"x2", x2}, {"gamma", gamma}, {"y1Out", y1Out},
                        {"y2Out", y2Out}, {"rstdOut", rstdOut}, {"xOut", xOut});
    return Work{
        0, [x1 = *x1, x2 = *x2, gamma = *gamma, y1Out = *y1Out, y2Out = *y2Out, rstdOut = *rstdOut,
            xOut = *xOut](void *) { StandIn({y1Out, y2Out, rstdOut, xOut}, {x1, x2, gamma}); }};
  });
}

aclnnStatus aclnnAddRmsNormCast(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream) {
  return LaunchOperator("aclnnAddRmsNormCast", workspace, workspaceSize, executor, stream);
}
