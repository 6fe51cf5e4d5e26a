// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_OPERATORS_MAX_POOL2D_WITH_INDICES_H_
#define SIMULATOR_OPERATORS_MAX_POOL2D_WITH_INDICES_H_

#include <cstdint>
#include <vector>

#include "nnopbase/windows.h"

// The first maximum of each window in row-major order; padding does not take part.
inline void MaxPool2dWithIndices(const aclTensor &self, const aclTensor &out,
                                 const aclTensor &indices, const std::vector<int64_t> &kernelSize,
                                 const std::vector<int64_t> &stride,
                                 const std::vector<int64_t> &padding,
                                 const std::vector<int64_t> &dilation, bool) {
  const int64_t height = simulator::Height(self);
  const int64_t width = simulator::Width(self);
  const simulator::PoolWindows windows(out, kernelSize, stride, padding);
  simulator::ElementReader reader(self);
  simulator::ElementWriter values(out);
  simulator::ElementWriter places(indices);
  std::vector<float> plane(static_cast<size_t>(height * width));
  const int64_t planes = simulator::ElementCount({self.shape.begin(), self.shape.end() - 2});
  for (int64_t at = 0; at < planes; ++at) {
    reader.Read(plane.data(), height * width);
    for (const simulator::Window &row : windows.rows) {
      for (const simulator::Window &column : windows.columns) {
        int64_t best = -1;
        for (int64_t m = 0; m < row.Length(); ++m) {
          for (int64_t n = 0; n < column.Length(); ++n) {
            const int64_t h = row.begin + m * dilation.front();
            const int64_t w = column.begin + n * dilation.back();
            if (h < 0 || h >= height || w < 0 || w >= width) continue;
            const int64_t place = h * width + w;
            const auto element = [&plane](int64_t i) { return plane[static_cast<size_t>(i)]; };
            if (best < 0 || element(place) > element(best)) best = place;
          }
        }
        values.Write(&plane[static_cast<size_t>(best)], 1);
        places.Write(&best, 1);
      }
    }
  }
}

#endif  // SIMULATOR_OPERATORS_MAX_POOL2D_WITH_INDICES_H_
