// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceThreshold.yaml by `aclnn-cts generate`:
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
Number InplaceThreshold(Number self, T0 threshold, T1 value) {
  const Number level = Number(threshold);
  return self > level ? self : Number(value);
}

void CheckInplaceThreshold(const TensorParameter &selfRef, const ScalarParameter &threshold,
                           const ScalarParameter &value) {
  RequireNotNull({selfRef}, {}, {threshold, value});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT8, ACL_UINT8,
                              ACL_INT16, ACL_INT64});
  RequireDataType({selfRef},
                  {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT64},
                  Product::kAtlasTraining);
  RequireScalarType({threshold, value}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT8,
                                         ACL_UINT8, ACL_INT16, ACL_INT64});
  RequireScalarType({threshold, value},
                    {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT64},
                    Product::kAtlasTraining);
  RequireConversion(selfRef, {selfRef}, {threshold, value});
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 0, 8);
}

}  // namespace

aclnnStatus aclnnInplaceThresholdGetWorkspaceSize(aclTensor *selfRef, const aclScalar *threshold,
                                                  const aclScalar *value, uint64_t *workspaceSize,
                                                  aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceThreshold", workspaceSize, executor, [&] {
    CheckInplaceThreshold({"selfRef", selfRef}, {"threshold", threshold}, {"value", value});
    return Work{0, [selfRef = *selfRef, threshold = static_cast<double>(ToDouble(*threshold)),
                    value = static_cast<double>(ToDouble(*value))](void *) {
                  const auto kernel = [threshold, value](auto selfRefElement) {
                    return InplaceThreshold(selfRefElement, threshold, value);
                  };
                  MapInOwnType(selfRef, kernel, selfRef);
                }};
  });
}

aclnnStatus aclnnInplaceThreshold(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream) {
  return LaunchOperator("aclnnInplaceThreshold", workspace, workspaceSize, executor, stream);
}
