// SPDX-License-Identifier: Apache-2.0
// The forward operator writes the sum of the kernel's extents into the first byte of `indices` and
// one more into each further one; the backward one copies each byte of `indices` into all bytes of
// one element of `gradInput`. Faults: `producer-refuses`, `producer-writes` (into its input),
// `dense-mask` (the strides of `indices` are ignored).
#include <cstring>
#include <numeric>
#include <vector>

#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "fake_faults.h"
#include "fake_operator.h"
#include "fake_runtime.h"

namespace {

std::vector<uint8_t> ReadMask(const aclTensor &indices) {
  const bool ignoresStrides = fake::HasFault("dense-mask");
  std::vector<uint8_t> mask;
  fake::ForEachElement(indices, [&](int64_t index, int64_t element) {
    mask.push_back(indices.data[ignoresStrides ? indices.offset + index : element]);
  });
  return mask;
}

}  // namespace

aclnnStatus aclnnMaxPool2dWithMaskGetWorkspaceSize(const aclTensor *self,
                                                   const aclIntArray *kernelSize,
                                                   const aclIntArray *, const aclIntArray *,
                                                   const aclIntArray *, bool, aclTensor *out,
                                                   aclTensor *indices, uint64_t *workspaceSize,
                                                   aclOpExecutor **executor) {
  if (fake::HasFault("producer-refuses")) {
    fake::SetErrorMessage("no forward today");
    return 161002;
  }
  const int64_t sum =
      std::accumulate(kernelSize->values.begin(), kernelSize->values.end(), int64_t{0});
  const auto work = [=] {
    fake::ForEachElement(*indices, [=](int64_t index, int64_t element) {
      indices->data[element] = static_cast<uint8_t>(sum + index);
    });
    if (fake::HasFault("producer-writes")) self->data[0] ^= 1;
  };
  return fake::Plan({{"forwardOut", out}}, work, workspaceSize, executor);
}

aclnnStatus aclnnMaxPool2dWithMask(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return fake::Launch(workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(
    const aclTensor *gradOutput, const aclTensor *self, const aclTensor *indices,
    const aclIntArray *, const aclIntArray *stride, const aclIntArray *, const aclIntArray *, bool,
    aclTensor *gradInput, uint64_t *workspaceSize, aclOpExecutor **executor) {
  if (stride != nullptr && !stride->values.empty()) return 161002;
  const auto work = [=] {
    const std::vector<uint8_t> mask = ReadMask(*indices);
    fake::ForEachElement(*gradInput, [&](int64_t index, int64_t element) {
      std::memset(gradInput->data + 4 * element, mask[static_cast<size_t>(index)], 4);
    });
  };
  return fake::Plan(
      {{"gradOutput", gradOutput}, {"self", self}, {"indices", indices}, {"gradInput", gradInput}},
      work, workspaceSize, executor);
}

aclnnStatus aclnnMaxPool2dWithMaskBackward(void *workspace, uint64_t workspaceSize,
                                           aclOpExecutor *executor, aclrtStream stream) {
  return fake::Launch(workspace, workspaceSize, executor, stream);
}
