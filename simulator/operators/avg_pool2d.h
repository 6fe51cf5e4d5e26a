// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_AVG_POOL2D_H_
#define SIMULATOR_OPERATORS_AVG_POOL2D_H_

#include <cstdint>
#include <vector>

#include "nnopbase/sums.h"
#include "nnopbase/windows.h"
#include "runtime/product.h"

// On these products the cube unit computes float32 in float16.
inline bool IsPooledInFloat16(const aclTensor &self) {
  const simulator::Product product = simulator::CurrentProduct();
  return self.dataType == ACL_FLOAT && (product == simulator::Product::kAtlasTraining ||
                                        product == simulator::Product::kAtlasInference);
}

// The divisor of a window: `divisorOverride`, or the number of counted positions of the kernel.
inline float PoolDivisor(const simulator::Window &row, const simulator::Window &column,
                         const aclTensor &self, bool countIncludePad, int64_t divisorOverride) {
  if (divisorOverride != 0) return static_cast<float>(divisorOverride);
  if (countIncludePad) return static_cast<float>(row.Length() * column.Length());
  return static_cast<float>(simulator::Inside(row, simulator::Height(self)).Length() *
                            simulator::Inside(column, simulator::Width(self)).Length());
}

inline void AvgPool2d(const aclTensor &self, const aclTensor &out,
                      const std::vector<int64_t> &kernelSize, const std::vector<int64_t> &strides,
                      const std::vector<int64_t> &paddings, bool, bool countIncludePad,
                      int64_t divisorOverride, int8_t) {
  const simulator::PoolWindows windows(out, kernelSize, strides, paddings);
  const aclDataType computed = IsPooledInFloat16(self) ? ACL_FLOAT16 : ACL_FLOAT;
  const auto mean = [&](std::vector<float> elements, const simulator::Window &row,
                        const simulator::Window &column) {
    for (float &element : elements) element = simulator::RoundTo(computed, element);
    const float sum =
        simulator::PairwiseSum(elements.data(), static_cast<int64_t>(elements.size()));
    const float divisor = PoolDivisor(row, column, self, countIncludePad, divisorOverride);
    return simulator::RoundTo(computed, sum / divisor);
  };
  simulator::MapWindows(out, self, windows.rows, windows.columns, mean);
}

#endif  // SIMULATOR_OPERATORS_AVG_POOL2D_H_
