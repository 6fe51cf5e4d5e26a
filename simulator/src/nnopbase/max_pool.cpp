// SPDX-License-Identifier: Apache-2.0
#include "nnopbase/max_pool.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

namespace simulator {

namespace {

void RequireLength(const IntArrayParameter &parameter, size_t least) {
  const size_t length = parameter.array->values.size();
  Require(least <= length && length <= 2, std::string(parameter.name) + " has length " +
                                              std::to_string(length) + ", must have " +
                                              std::to_string(least) + " to 2");
}

void RequireRange(const IntArrayParameter &parameter, int64_t least, int64_t most) {
  for (const int64_t value : parameter.array->values) {
    Require(least <= value && value <= most,
            std::string(parameter.name) + " holds " + std::to_string(value) + ", must be from " +
                std::to_string(least) + " to " + std::to_string(most));
  }
}

Extent2d ExtentOf(const IntArrayParameter &parameter) {
  const std::vector<int64_t> &values = parameter.array->values;
  return {values.front(), values.back()};
}

int64_t PoolExtent(int64_t length, int64_t kernel, int64_t stride, int64_t padding, bool ceilMode) {
  const int64_t last = length + 2 * padding - kernel;
  if (!ceilMode) return DividedDown(last, stride) + 1;
  const int64_t extent = DividedDown(last + stride - 1, stride) + 1;
  // The last window must start inside the input or the left padding.
  return (extent - 1) * stride >= length + padding ? extent - 1 : extent;
}

Extent2d OutExtent(const Extent2d &in, const PoolWindow &window) {
  return {PoolExtent(in.height, window.kernel.height, window.stride.height, window.padding.height,
                     window.ceilMode),
          PoolExtent(in.width, window.kernel.width, window.stride.width, window.padding.width,
                     window.ceilMode)};
}

// A 1x1 kernel leaves the mask no room for positions.
bool HoldsPositions(const PoolWindow &window, Product product) {
  const bool wide = product == Product::kAtlasA2 || product == Product::kAtlasA3;
  return wide && window.kernel.height * window.kernel.width > 1;
}

}  // namespace

PoolWindow RequirePoolWindow(const PoolAttributes &attributes) {
  // The device keeps these numbers in 32 bits.
  constexpr int64_t kLargest = std::numeric_limits<int32_t>::max();
  RequireLength(attributes.kernelSize, 1);
  RequireRange(attributes.kernelSize, 1, kLargest);
  const Extent2d kernel = ExtentOf(attributes.kernelSize);
  RequireLength(attributes.stride, 0);
  RequireRange(attributes.stride, 1, kLargest);
  const bool hasStride = !attributes.stride.array->values.empty();
  RequireLength(attributes.padding, 1);
  RequireRange(attributes.padding, 0, kLargest);
  const Extent2d padding = ExtentOf(attributes.padding);
  Require(padding.height <= kernel.height / 2 && padding.width <= kernel.width / 2,
          std::string(attributes.padding.name) + " is more than half the kernel");
  RequireLength(attributes.dilation, 1);
  RequireRange(attributes.dilation, 1, 1);
  return {kernel, hasStride ? ExtentOf(attributes.stride) : kernel, padding, attributes.ceilMode};
}

PoolGeometry::PoolGeometry(const Shape &inputShape, const PoolWindow &poolWindow)
    : leading(inputShape.begin(), inputShape.end() - 2),
      planes(ElementCount(leading)),
      in{*(inputShape.end() - 2), inputShape.back()},
      out(OutExtent(in, poolWindow)),
      window(poolWindow) {}

Shape PoolGeometry::OutShape() const {
  Shape shape = leading;
  shape.push_back(out.height);
  shape.push_back(out.width);
  return shape;
}

Shape PoolGeometry::MaskShape() const {
  Shape shape = leading;
  shape.push_back(window.kernel.height * window.kernel.width);
  shape.push_back(((out.height * out.width + 15) / 16 + 1) * 32);
  return shape;
}

PoolMask::PoolMask(const PoolGeometry &geometry, Product product)
    : PoolMask(geometry, product,
               std::vector<uint8_t>(static_cast<size_t>(ElementCount(geometry.MaskShape())))) {}

PoolMask::PoolMask(const PoolGeometry &geometry, Product product, std::vector<uint8_t> content)
    : geometry_(geometry),
      holdsPositions_(HoldsPositions(geometry.window, product)),
      rowBytes_(geometry.MaskShape().back()),
      bytes_(std::move(content)) {}

void PoolMask::Set(int64_t plane, int64_t oh, int64_t ow, int64_t kh, int64_t kw) {
  const int64_t output = oh * geometry_.out.width + ow;
  if (holdsPositions_) {
    const auto position =
        static_cast<int32_t>(InputRow(oh, kh) * geometry_.in.width + InputColumn(ow, kw));
    std::memcpy(&bytes_[PositionByte(plane, output)], &position, sizeof(position));
  } else {
    bytes_[BitByte(plane, output, kh, kw)] |= static_cast<uint8_t>(1U << output % 8);
  }
}

int64_t PoolMask::InputRow(int64_t oh, int64_t kh) const {
  return oh * geometry_.window.stride.height - geometry_.window.padding.height + kh;
}

int64_t PoolMask::InputColumn(int64_t ow, int64_t kw) const {
  return ow * geometry_.window.stride.width - geometry_.window.padding.width + kw;
}

bool PoolMask::IsInside(int64_t h, int64_t w) const {
  return h >= 0 && h < geometry_.in.height && w >= 0 && w < geometry_.in.width;
}

int64_t PoolMask::PositionAt(int64_t plane, int64_t output) const {
  int32_t position = 0;
  std::memcpy(&position, &bytes_[PositionByte(plane, output)], sizeof(position));
  return position;
}

bool PoolMask::BitAt(int64_t plane, int64_t output, int64_t kh, int64_t kw) const {
  return (bytes_[BitByte(plane, output, kh, kw)] >> output % 8 & 1) != 0;
}

size_t PoolMask::PositionByte(int64_t plane, int64_t output) const {
  const int64_t outputs = geometry_.out.height * geometry_.out.width;
  return static_cast<size_t>(plane * outputs + output) * sizeof(int32_t);
}

size_t PoolMask::BitByte(int64_t plane, int64_t output, int64_t kh, int64_t kw) const {
  const Extent2d &kernel = geometry_.window.kernel;
  const int64_t row = (plane * kernel.height + kh) * kernel.width + kw;
  return static_cast<size_t>(row * rowBytes_ + output / 8);
}

}  // namespace simulator
