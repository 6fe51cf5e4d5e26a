// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnL1Loss.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "aclnnop/aclnn_l1_loss.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/sums.h"

using namespace simulator;

namespace {

template <typename Number>
Number L1Loss(Number self, Number target) {
  return std::abs(self - target);
}

void CheckL1Loss(const TensorParameter &self, const TensorParameter &target, int64_t reduction,
                 const TensorParameter &out) {
  RequireNotNull({self, target, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self, target, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT64});
  RequireDataType({self, target, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT64},
                  Product::kAtlasInference);
  RequireDataType({self, target, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT64},
                  Product::kAtlasTraining);
  RequireConversion(out, {self, target}, {});
  RequirePublicFormat({self, target, out});
  RequireRank({self, target}, 1, 8);
  RequireRank({out}, 0, 8);
  RequireShape(out, reduction == 0 ? BroadcastShape({self, target}) : Shape{});
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
  Require((reduction != 0) || (!IsInteger(self->dataType)) || (!(!IsInteger(target->dataType))),
          "for a reduction of 0 target holds integers if self does");
  Require((reduction != 1) || (!IsInteger(self->dataType)) || (!IsInteger(target->dataType)),
          "for a reduction of 1 self or target has a floating data type");
}

}  // namespace

aclnnStatus aclnnL1LossGetWorkspaceSize(const aclTensor *self, const aclTensor *target,
                                        int64_t reduction, aclTensor *out, uint64_t *workspaceSize,
                                        aclOpExecutor **executor) {
  return PlanOperator("aclnnL1Loss", workspaceSize, executor, [&] {
    CheckL1Loss({"self", self}, {"target", target}, reduction, {"out", out});
    return Work{0, [self = *self, target = *target, out = *out, reduction = reduction,
                    shape = BroadcastShape({{"self", self}, {"target", target}})](void *) {
                  const auto kernel = [](auto selfElement, auto targetElement) {
                    return L1Loss(selfElement, targetElement);
                  };
                  if (IsInteger(self.dataType) && IsInteger(target.dataType)) {
                    const std::vector<int64_t> whole = Mapped<int64_t>(
                        kernel, BroadcastTo(self, shape), BroadcastTo(target, shape));
                    if (reduction == 0) return WriteAllIntegers(out, whole);
                    return WriteAllIntegers(out, {static_cast<int64_t>(std::accumulate(
                                                     whole.begin(), whole.end(), uint64_t{0}))});
                  }
                  const std::vector<float> losses =
                      Mapped(kernel, BroadcastTo(self, shape), BroadcastTo(target, shape));
                  if (reduction == 0) return WriteAll(out, losses);
                  const float sum = PairwiseSum(losses.data(), static_cast<int64_t>(losses.size()));
                  WriteAll(out, {reduction == 1 ? sum / static_cast<float>(losses.size()) : sum});
                }};
  });
}

aclnnStatus aclnnL1Loss(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                        aclrtStream stream) {
  return LaunchOperator("aclnnL1Loss", workspace, workspaceSize, executor, stream);
}
