// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDropoutGenMask.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_dropout_gen_mask.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckDropoutGenMask(const IntArrayParameter &shape, double prob, const TensorParameter &out) {
  RequireNotNull({out}, {shape});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({out}, {ACL_UINT8});
  RequirePublicFormat({out});
  RequireRank({out}, 1, 1);
  Require(1 <= Length(Numbers(shape)) && Length(Numbers(shape)) <= 8,
          "shape has one to eight numbers");
  Require(ElementCount(Numbers(shape)) > 0, "shape has elements");
  Require((prob >= 0) && (prob <= 1), "prob lies between 0 and 1");
  RequireShape(out, {(CeilDivide(ElementCount(Numbers(shape)), 128) * 16)});
}

}  // namespace

aclnnStatus aclnnDropoutGenMaskGetWorkspaceSize(const aclIntArray *shape, double prob, int64_t seed,
                                                int64_t offset, aclTensor *out,
                                                uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(seed);
  static_cast<void>(offset);
  return PlanOperator("aclnnDropoutGenMask", workspaceSize, executor, [&] {
    CheckDropoutGenMask({"shape", shape}, prob, {"out", out});
    return Work{0, [out = *out](void *) { StandIn({out}, {}); }};
  });
}

aclnnStatus aclnnDropoutGenMask(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream) {
  return LaunchOperator("aclnnDropoutGenMask", workspace, workspaceSize, executor, stream);
}
