// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnThreshold.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_threshold.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0, typename T1>
Number Threshold(Number self, T0 threshold, T1 value) {
  const Number level = Number(threshold);
  return self > level ? self : Number(value);
}

void CheckThreshold(const TensorParameter &self, const ScalarParameter &threshold,
                    const ScalarParameter &value, const TensorParameter &out) {
  RequireNotNull({self, out}, {}, {threshold, value});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT8, ACL_UINT8,
                                ACL_INT16, ACL_INT64});
  RequireDataType({self, out},
                  {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT64},
                  Product::kAtlasTraining);
  RequireScalarType({threshold, value}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT8,
                                         ACL_UINT8, ACL_INT16, ACL_INT64});
  RequireScalarType({threshold, value},
                    {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT64},
                    Product::kAtlasTraining);
  RequireConversion(out, {self}, {threshold, value});
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
}

}  // namespace

aclnnStatus aclnnThresholdGetWorkspaceSize(const aclTensor *self, const aclScalar *threshold,
                                           const aclScalar *value, aclTensor *out,
                                           uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnThreshold", workspaceSize, executor, [&] {
    CheckThreshold({"self", self}, {"threshold", threshold}, {"value", value}, {"out", out});
    return Work{0, [self = *self, out = *out, threshold = static_cast<double>(ToDouble(*threshold)),
                    value = static_cast<double>(ToDouble(*value))](void *) {
                  const auto kernel = [threshold, value](auto selfElement) {
                    return Threshold(selfElement, threshold, value);
                  };
                  MapInOwnType(out, kernel, self);
                }};
  });
}

aclnnStatus aclnnThreshold(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream) {
  return LaunchOperator("aclnnThreshold", workspace, workspaceSize, executor, stream);
}
