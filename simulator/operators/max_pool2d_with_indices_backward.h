// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_MAX_POOL2D_WITH_INDICES_BACKWARD_H_
#define SIMULATOR_OPERATORS_MAX_POOL2D_WITH_INDICES_BACKWARD_H_

#include <cstdint>
#include <vector>

#include "nnopbase/windows.h"

// Each window adds its gradient to the element that its index names.
inline void MaxPool2dWithIndicesBackward(const aclTensor &gradOutput, const aclTensor &,
                                         const aclTensor &indices, const aclTensor &gradInput,
                                         const std::vector<int64_t> &, const std::vector<int64_t> &,
                                         const std::vector<int64_t> &, const std::vector<int64_t> &,
                                         bool) {
  const int64_t windows = simulator::Height(gradOutput) * simulator::Width(gradOutput);
  const int64_t elements = simulator::Height(gradInput) * simulator::Width(gradInput);
  simulator::ElementReader gradients(gradOutput);
  simulator::ElementReader places(indices);
  simulator::ElementWriter writer(gradInput);
  std::vector<float> gradient(static_cast<size_t>(windows));
  std::vector<int64_t> place(gradient.size());
  const simulator::Shape planes(gradInput.shape.begin(), gradInput.shape.end() - 2);
  for (int64_t plane = 0; plane < simulator::ElementCount(planes); ++plane) {
    gradients.Read(gradient.data(), windows);
    places.Read(place.data(), windows);
    std::vector<float> sums(static_cast<size_t>(elements));
    for (size_t i = 0; i < gradient.size(); ++i) {
      const int64_t at = place[i];
      if (at >= 0 && at < elements) sums[static_cast<size_t>(at)] += gradient[i];
    }
    writer.Write(sums.data(), elements);
  }
}

#endif  // SIMULATOR_OPERATORS_MAX_POOL2D_WITH_INDICES_BACKWARD_H_
