// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_NLL_LOSS_H_
#define SIMULATOR_OPERATORS_NLL_LOSS_H_

#include <cstdint>
#include <vector>

#include "nnopbase/elements.h"
#include "nnopbase/sums.h"

inline void NLLLoss(const aclTensor &self, const aclTensor &target, const aclTensor &weight,
                    const aclTensor &out, const aclTensor &totalWeightOut, int64_t reduction,
                    int64_t ignoreIndex) {
  const std::vector<float> all = simulator::ReadAll(self), weights = simulator::ReadAll(weight);
  std::vector<int64_t> classes(static_cast<size_t>(simulator::ElementCount(target.shape)));
  simulator::ElementReader(target).Read(classes.data(), static_cast<int64_t>(classes.size()));
  std::vector<float> losses, counted;
  for (size_t sample = 0; sample < classes.size(); ++sample) {
    const auto own = static_cast<size_t>(classes[sample]);
    const bool counts = classes[sample] != ignoreIndex && own < weights.size();
    counted.push_back(counts ? weights[own] : 0.0F);
    losses.push_back(counts ? -weights[own] * all[sample * weights.size() + own] : 0.0F);
  }
  const auto samples = static_cast<int64_t>(classes.size());
  const float total = simulator::PairwiseSum(counted.data(), samples);
  simulator::WriteAll(totalWeightOut, {total});
  if (reduction == 0) return simulator::WriteAll(out, losses);
  const float sum = simulator::PairwiseSum(losses.data(), samples);
  simulator::WriteAll(out, {reduction == 1 ? sum / total : sum});
}

#endif  // SIMULATOR_OPERATORS_NLL_LOSS_H_
