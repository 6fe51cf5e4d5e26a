// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnQuantizedBatchNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_quantized_batch_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckQuantizedBatchNorm(const TensorParameter &input, const TensorParameter &mean,
                             const TensorParameter &var, const ScalarParameter &inputScale,
                             const ScalarParameter &inputZeroPoint,
                             const ScalarParameter &outputScale,
                             const ScalarParameter &outputZeroPoint, const TensorParameter &weight,
                             const TensorParameter &bias, const TensorParameter &output) {
  RequireNotNull({input, mean, var, output}, {},
                 {inputScale, inputZeroPoint, outputScale, outputZeroPoint});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({input}, {ACL_INT8, ACL_UINT8, ACL_INT32});
  RequireDataType({mean, var, weight, bias}, {ACL_FLOAT});
  RequireScalarType({inputScale, outputScale}, {ACL_FLOAT});
  RequireScalarType({inputZeroPoint, outputZeroPoint}, {ACL_INT32});
  RequireSameDataType({output}, input);
  RequireFormat({input, output}, {ACL_FORMAT_NCHW});
  RequirePublicFormat({mean, var, weight, bias});
  RequireRank({input, output}, 4, 4);
  RequireRank({mean, var, weight, bias}, 1, 1);
  RequireSameShape({output}, input);
  RequireNotEmpty({input, mean, var, weight, bias, output});
  Require(
      (ElementBits(input->dataType) / 8 > 1) ||
          (0 <= ToDouble(*inputZeroPoint.scalar) && ToDouble(*inputZeroPoint.scalar) <= 127),
      "inputZeroPoint is a number of the data type of input, of both types of a byte in each case");
  Require((ElementBits(input->dataType) / 8 > 1) ||
              (0 <= ToDouble(*outputZeroPoint.scalar) && ToDouble(*outputZeroPoint.scalar) <= 127),
          "outputZeroPoint is a number of the data type of input, of both types of a byte in each "
          "case");
  RequireShape(mean, {Extent(input, 1)});
  RequireShape(var, {Extent(input, 1)});
  RequireShape(weight, {Extent(input, 1)});
  RequireShape(bias, {Extent(input, 1)});
}

}  // namespace

aclnnStatus aclnnQuantizedBatchNormGetWorkspaceSize(
    const aclTensor *input, const aclTensor *mean, const aclTensor *var,
    const aclScalar *inputScale, const aclScalar *inputZeroPoint, const aclScalar *outputScale,
    const aclScalar *outputZeroPoint, aclTensor *weight, aclTensor *bias, float epsilon,
    aclTensor *output, uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  return PlanOperator("aclnnQuantizedBatchNorm", workspaceSize, executor, [&] {
    CheckQuantizedBatchNorm({"input", input}, {"mean", mean}, {"var", var},
                            {"inputScale", inputScale}, {"inputZeroPoint", inputZeroPoint},
                            {"outputScale", outputScale}, {"outputZeroPoint", outputZeroPoint},
                            {"weight", weight}, {"bias", bias}, {"output", output});
    aclTensor weightAbsent = Filled({0}, 1.0F);
    if (weight == nullptr) weight = &weightAbsent;
    aclTensor biasAbsent = Filled({0}, 0.0F);
    if (bias == nullptr) bias = &biasAbsent;
    return Work{
        0, [input = *input, mean = *mean, var = *var, weight = *weight, bias = *bias,
            output = *output](void *) { StandIn({output}, {input, mean, var, weight, bias}); }};
  });
}

aclnnStatus aclnnQuantizedBatchNorm(void *workspace, uint64_t workspaceSize,
                                    aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnQuantizedBatchNorm", workspace, workspaceSize, executor, stream);
}
