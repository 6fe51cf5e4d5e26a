// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSituGlu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_situ_glu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckSituGlu(const TensorParameter &x, int64_t dim, const TensorParameter &out) {
  RequireNotNull({x, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({out}, x);
  RequirePublicFormat({x, out});
  RequireRank({x, out}, 1, 8);
  RequireContiguous({out});
  Require(-(x->Rank()) <= dim && dim < x->Rank(), "dim names an axis of x");
  Require((Extent(x, dim) % 2) == 0, "the extent of x along the axis dim is even");
  RequireShape(out, Resized(x->shape, dim, (Extent(x, dim) / 2)));
}

}  // namespace

aclnnStatus aclnnSituGluGetWorkspaceSize(const aclTensor *x, int64_t dim, double beta,
                                         double linearBeta, bool activateLeft, const aclTensor *out,
                                         uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(beta);
  static_cast<void>(linearBeta);
  static_cast<void>(activateLeft);
  return PlanOperator("aclnnSituGlu", workspaceSize, executor, [&] {
    CheckSituGlu({"x", x}, dim, {"out", out});
    return Work{0, [x = *x, out = *out](void *) { StandIn({out}, {x}); }};
  });
}

aclnnStatus aclnnSituGlu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                         aclrtStream stream) {
  return LaunchOperator("aclnnSituGlu", workspace, workspaceSize, executor, stream);
}
