// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnEmbeddingRenorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_embedding_renorm.h"

namespace {

aclnnStatus PlanEmbeddingRenorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnEmbeddingRenormGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("indices"), arguments.Double("maxNorm"),
      arguments.Double("normType"), workspaceSize, executor);
}

const aclnn_cts::Registration kEmbeddingRenorm({"aclnnEmbeddingRenorm", PlanEmbeddingRenorm,
                                                aclnnEmbeddingRenorm});

}  // namespace
