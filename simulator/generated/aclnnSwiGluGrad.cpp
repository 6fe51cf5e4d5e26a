// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSwiGluGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_swi_glu_grad.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckSwiGluGrad(const TensorParameter &yGrad, const TensorParameter &x, int64_t dim,
                     const TensorParameter &out) {
  RequireNotNull({yGrad, x, out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({yGrad, out}, x);
  RequirePublicFormat({yGrad, x, out});
  RequireRank({yGrad, x, out}, 1, 8);
  RequireSameShape({out}, x);
  RequireNotEmpty({yGrad, x});
  RequireContiguous({yGrad, out});
  Require(-(x->Rank()) <= dim && dim < x->Rank(), "dim names an axis of x");
  Require((Extent(x, dim) % 2) == 0, "x has twice the extent of yGrad along the axis dim");
  Require(((Extent(x, -(1)) * ElementBits(x->dataType) / 8) % 128) == 0,
          "shapes are multiples of 64 bytes; where the last extents of x and of yGrad are such "
          "multiples, no reading of that is broken");
  RequireShape(yGrad, Resized(x->shape, dim, (Extent(x, dim) / 2)));
}

}  // namespace

aclnnStatus aclnnSwiGluGradGetWorkspaceSize(const aclTensor *yGrad, const aclTensor *x, int64_t dim,
                                            const aclTensor *out, uint64_t *workspaceSize,
                                            aclOpExecutor **executor) {
  return PlanOperator("aclnnSwiGluGrad", workspaceSize, executor, [&] {
    CheckSwiGluGrad({"yGrad", yGrad}, {"x", x}, dim, {"out", out});
    return Work{0, [yGrad = *yGrad, x = *x, out = *out](void *) { StandIn({out}, {yGrad, x}); }};
  });
}

aclnnStatus aclnnSwiGluGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                            aclrtStream stream) {
  return LaunchOperator("aclnnSwiGluGrad", workspace, workspaceSize, executor, stream);
}
