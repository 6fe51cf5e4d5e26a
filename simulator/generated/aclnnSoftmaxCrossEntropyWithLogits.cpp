// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftmaxCrossEntropyWithLogits.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_softmax_cross_entropy_with_logits.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckSoftmaxCrossEntropyWithLogits(const TensorParameter &features,
                                        const TensorParameter &labels, const TensorParameter &loss,
                                        const TensorParameter &backprop) {
  RequireNotNull({features, labels, loss, backprop});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({features}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({features}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({features}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({labels, loss, backprop}, features);
  RequirePublicFormat({features, labels, loss, backprop});
  RequireRank({features, labels, backprop}, 2, 2);
  RequireRank({loss}, 1, 1);
  RequireSameShape({labels, backprop}, features);
  RequireShape(loss, {Extent(features, 0)});
}

}  // namespace

aclnnStatus aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize(const aclTensor *features,
                                                               aclTensor *labels, aclTensor *loss,
                                                               aclTensor *backprop,
                                                               uint64_t *workspaceSize,
                                                               aclOpExecutor **executor) {
  return PlanOperator("aclnnSoftmaxCrossEntropyWithLogits", workspaceSize, executor, [&] {
    CheckSoftmaxCrossEntropyWithLogits({"features", features}, {"labels", labels}, {"loss", loss},
                                       {"backprop", backprop});
    return Work{0, [features = *features, labels = *labels, loss = *loss, backprop = *backprop](
                       void *) { StandIn({loss, backprop}, {features, labels}); }};
  });
}

aclnnStatus aclnnSoftmaxCrossEntropyWithLogits(void *workspace, uint64_t workspaceSize,
                                               aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnSoftmaxCrossEntropyWithLogits", workspace, workspaceSize, executor,
                        stream);
}
