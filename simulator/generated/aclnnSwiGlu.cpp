// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSwiGlu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_swi_glu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckSwiGlu(const TensorParameter &x, int64_t dim, const TensorParameter &out) {
  RequireNotNull({x, out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({out}, x);
  RequirePublicFormat({x, out});
  RequireRank({x, out}, 1, 8);
  RequireContiguous({x, out});
  Require(-(x->Rank()) <= dim && dim < x->Rank(), "dim names an axis of x");
  Require((Extent(x, dim) % 2) == 0, "the extent of x along the axis dim is even");
  if (IsOn({Product::kAtlasInference}))
    Require(((Extent(x, -(1)) * ElementBits(x->dataType) / 8) % 128) == 0,
            "on the Atlas inference series shapes are multiples of 64 bytes; where the last "
            "extents of x and of out are such multiples, no reading of that is broken");
  RequireShape(out, Resized(x->shape, dim, (Extent(x, dim) / 2)));
}

}  // namespace

aclnnStatus aclnnSwiGluGetWorkspaceSize(const aclTensor *x, int64_t dim, const aclTensor *out,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnSwiGlu", workspaceSize, executor, [&] {
    CheckSwiGlu({"x", x}, dim, {"out", out});
    return Work{0, [x = *x, out = *out](void *) { StandIn({out}, {x}); }};
  });
}

aclnnStatus aclnnSwiGlu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                        aclrtStream stream) {
  return LaunchOperator("aclnnSwiGlu", workspace, workspaceSize, executor, stream);
}
