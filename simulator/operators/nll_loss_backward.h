// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_NLL_LOSS_BACKWARD_H_
#define SIMULATOR_OPERATORS_NLL_LOSS_BACKWARD_H_

#include <cstdint>
#include <vector>

#include "nnopbase/elements.h"

inline void NLLLossBackward(const aclTensor &gradOutput, const aclTensor &, const aclTensor &target,
                            const aclTensor &weight, const aclTensor &totalWeight,
                            const aclTensor &out, int64_t reduction, int64_t ignoreIndex) {
  const std::vector<float> gradients = simulator::ReadAll(gradOutput);
  const std::vector<float> weights = simulator::ReadAll(weight);
  std::vector<int64_t> classes(static_cast<size_t>(simulator::ElementCount(target.shape)));
  simulator::ElementReader(target).Read(classes.data(), static_cast<int64_t>(classes.size()));
  std::vector<float> results(classes.size() * weights.size());
  const float divisor = reduction == 1 ? simulator::ReadAll(totalWeight)[0] : 1.0F;
  for (size_t sample = 0; sample < classes.size(); ++sample) {
    const auto own = static_cast<size_t>(classes[sample]);
    if (classes[sample] == ignoreIndex || own >= weights.size()) continue;
    const float gradient = gradients[reduction == 0 ? sample : 0];
    results[sample * weights.size() + own] = -gradient * weights[own] / divisor;
  }
  simulator::WriteAll(out, results);
}

#endif  // SIMULATOR_OPERATORS_NLL_LOSS_BACKWARD_H_
