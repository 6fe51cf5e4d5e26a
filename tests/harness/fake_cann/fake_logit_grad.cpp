// SPDX-License-Identifier: Apache-2.0
// Computes x - dy + eps, so that a test sees whether every argument arrived. 1000 is added while
// determinism is on. Faults: `skip:INDEX` leaves that element of the output unwritten,
// `restless:INDEX` makes it another one at every call, `peek:ELEMENT` shows that element of the
// storage of x in the output's first one, `frozen` uses the data that x held in phase one,
// `impressed` adds 1 once aclnnDropoutBackward has run.
#include <cstring>
#include <vector>

#include "aclnnop/aclnn_logit_grad.h"
#include "fake_dropout.h"
#include "fake_faults.h"
#include "fake_operator.h"
#include "fake_runtime.h"

namespace {

std::vector<float> Read(const aclTensor &tensor) {
  std::vector<float> values;
  fake::ForEachElement(tensor, [&](int64_t, int64_t element) {
    values.emplace_back();
    std::memcpy(&values.back(), tensor.data + 4 * element, 4);
  });
  return values;
}

void Compute(const aclTensor &x, const std::vector<float> &xs, const aclTensor &dy, float eps,
             const aclTensor &out) {
  static float calls = 0;
  calls += 1;
  const std::vector<float> dys = Read(dy);
  fake::ForEachElement(out, [&](int64_t index, int64_t element) {
    if (index == fake::FaultNumber("skip", -1)) return;
    float value = xs[static_cast<size_t>(index)] - dys[static_cast<size_t>(index)] + eps;
    if (index == fake::FaultNumber("restless", -1)) value += calls;
    value += 1000.0F * static_cast<float>(fake::Determinism());
    if (fake::HasFault("impressed") && fake::dropoutHasRun) value += 1;
    if (index == 0 && fake::HasFault("peek")) {
      std::memcpy(&value, x.data + 4 * fake::FaultNumber("peek", 0), 4);
    }
    std::memcpy(out.data + 4 * element, &value, 4);
  });
}

}  // namespace

aclnnStatus aclnnLogitGradGetWorkspaceSize(const aclTensor *x, const aclTensor *dy, double eps,
                                           const aclTensor *out, uint64_t *workspaceSize,
                                           aclOpExecutor **executor) {
  if (x == nullptr || dy == nullptr || out == nullptr) {
    fake::SetErrorMessage("a tensor is nullptr");
    return 161001;
  }
  if (fake::HasFault("strides")) const_cast<aclTensor *>(x)->strides.back() += 1;
  const std::vector<float> early = fake::HasFault("frozen") ? Read(*x) : std::vector<float>();
  const auto work = [=] {
    Compute(*x, early.empty() ? Read(*x) : early, *dy, static_cast<float>(eps), *out);
  };
  return fake::Plan({{"x", x}, {"dy", dy}, {"out", out}}, work, workspaceSize, executor);
}

aclnnStatus aclnnLogitGrad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream) {
  return fake::Launch(workspace, workspaceSize, executor, stream);
}
