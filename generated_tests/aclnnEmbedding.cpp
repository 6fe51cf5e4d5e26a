// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnEmbedding.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_embedding.h"

namespace {

aclnnStatus PlanEmbedding(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnEmbeddingGetWorkspaceSize(arguments.Tensor("weight"), arguments.Tensor("indices"),
                                        arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kEmbedding({"aclnnEmbedding", PlanEmbedding, aclnnEmbedding});

}  // namespace
