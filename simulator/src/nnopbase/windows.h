// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_WINDOWS_H_
#define SIMULATOR_NNOPBASE_WINDOWS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "nnopbase/elements.h"
#include "nnopbase/tensor.h"

namespace simulator {

/// Part of an axis from `begin` to `end` (exclusive); may reach beyond the axis.
struct Window {
  int64_t begin;
  int64_t end;

  int64_t Length() const { return end - begin; }
};

using Windows = std::vector<Window>;

inline int64_t Height(const aclTensor &tensor) { return *(tensor.shape.end() - 2); }
inline int64_t Width(const aclTensor &tensor) { return tensor.shape.back(); }

/// The part that lies on an axis of this extent.
inline Window Inside(const Window &window, int64_t extent) {
  return {std::clamp<int64_t>(window.begin, 0, extent), std::clamp<int64_t>(window.end, 0, extent)};
}

/// The windows of a pooling, one per element of `out`: one number stands for both axes, and no
/// stride means the kernel's size.
struct PoolWindows {
  PoolWindows(const aclTensor &out, const std::vector<int64_t> &kernel,
              const std::vector<int64_t> &stride, const std::vector<int64_t> &padding) {
    const std::vector<int64_t> &steps = stride.empty() ? kernel : stride;
    for (int64_t i = 0; i < Height(out); ++i) {
      const int64_t begin = i * steps.front() - padding.front();
      rows.push_back({begin, begin + kernel.front()});
    }
    for (int64_t i = 0; i < Width(out); ++i) {
      const int64_t begin = i * steps.back() - padding.back();
      columns.push_back({begin, begin + kernel.back()});
    }
  }

  Windows rows;
  Windows columns;
};

/// Sets each element of `out` to `function` of the elements of `in` in its window, row by row, and
/// of the two windows. Both tensors are planes; `out` has an element for each of `rows` and
/// `columns`.
template <typename Function>
void MapWindows(const aclTensor &out, const aclTensor &in, const Windows &rows,
                const Windows &columns, Function function) {
  const int64_t height = Height(in);
  const int64_t width = Width(in);
  ElementReader reader(in);
  ElementWriter writer(out);
  std::vector<float> plane(static_cast<size_t>(height * width));
  const int64_t planes = ElementCount({in.shape.begin(), in.shape.end() - 2});
  for (int64_t at = 0; at < planes; ++at) {
    reader.Read(plane.data(), height * width);
    std::vector<float> results;
    for (const Window &row : rows) {
      const Window ownRows = Inside(row, height);
      for (const Window &column : columns) {
        const Window ownColumns = Inside(column, width);
        std::vector<float> elements;
        for (int64_t h = ownRows.begin; h < ownRows.end; ++h) {
          const float *const line = plane.data() + h * width;
          elements.insert(elements.end(), line + ownColumns.begin, line + ownColumns.end);
        }
        results.push_back(function(elements, row, column));
      }
    }
    writer.Write(results.data(), static_cast<int64_t>(results.size()));
  }
}

/// Sets each element of `out` to the sum, by `add`, of `share` of those elements of `in` whose
/// windows contain it, and of their two windows. `in` has an element for each of `rows` and
/// `columns`.
template <typename Share, typename Add>
void SpreadWindows(const aclTensor &out, const aclTensor &in, const Windows &rows,
                   const Windows &columns, Share share, Add add) {
  const int64_t height = Height(out);
  const int64_t width = Width(out);
  ElementReader reader(in);
  ElementWriter writer(out);
  const int64_t planes = ElementCount({out.shape.begin(), out.shape.end() - 2});
  for (int64_t at = 0; at < planes; ++at) {
    std::vector<float> plane(static_cast<size_t>(height * width));
    for (const Window &row : rows) {
      const Window ownRows = Inside(row, height);
      for (const Window &column : columns) {
        const Window ownColumns = Inside(column, width);
        float element = 0.0F;
        reader.Read(&element, 1);
        const float own = share(element, row, column);
        for (int64_t h = ownRows.begin; h < ownRows.end; ++h) {
          for (int64_t w = ownColumns.begin; w < ownColumns.end; ++w) {
            float &sum = plane[static_cast<size_t>(h * width + w)];
            sum = add(sum, own);
          }
        }
      }
    }
    writer.Write(plane.data(), height * width);
  }
}

}  // namespace simulator

#endif  // SIMULATOR_NNOPBASE_WINDOWS_H_
