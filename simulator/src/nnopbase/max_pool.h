// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_MAX_POOL_H_
#define SIMULATOR_NNOPBASE_MAX_POOL_H_

#include <cstdint>
#include <vector>

#include "nnopbase/checks.h"
#include "nnopbase/tensor.h"
#include "runtime/product.h"

#pragma GCC visibility push(default)
namespace simulator {

/// Along height and width, in elements.
struct Extent2d {
  int64_t height;
  int64_t width;
};

/// The attributes of a 2-dimensional max pooling, as passed.
struct PoolAttributes {
  IntArrayParameter kernelSize;
  IntArrayParameter stride;
  IntArrayParameter padding;
  IntArrayParameter dilation;
  bool ceilMode;
};

/// The resolved attributes.
struct PoolWindow {
  Extent2d kernel;
  Extent2d stride;
  Extent2d padding;
  bool ceilMode;
};

/// Reads the attributes. Rejects, in this order: a kernelSize without 1 or 2 numbers, or with one
/// below 1; a stride of more than 2 numbers, or with one below 1; a padding without 1 or 2 numbers,
/// or with one below 0 or above half the kernel; a dilation without 1 or 2 numbers, or with one
/// other than 1. No stride means the kernel's size; one number stands for both axes.
PoolWindow RequirePoolWindow(const PoolAttributes &attributes);

/// A pooling of planes of one size. Shapes are (C, H, W) or (N, C, H, W).
struct PoolGeometry {
  PoolGeometry(const Shape &inputShape, const PoolWindow &poolWindow);

  Shape OutShape() const;
  /// [N, C, kH*kW, (ceil(Ho*Wo / 16) + 1) * 32], in bytes.
  Shape MaskShape() const;

  Shape leading;
  int64_t planes;
  Extent2d in;
  Extent2d out;
  PoolWindow window;
};

/// The mask that passes the positions of the maxima from the forward to the backward operator. In
/// one layout it is an int32 array of the shape of the output that holds positions h * W + w in the
/// input plane. In the other layout each plane has one bit per output for each position in the
/// kernel, least significant first.
class PoolMask {
 public:
  /// A mask without any position: `bytes` is all zeros.
  PoolMask(const PoolGeometry &geometry, Product product);

  /// An existing mask; `content` has as many bytes as the mask shape.
  PoolMask(const PoolGeometry &geometry, Product product, std::vector<uint8_t> content);

  /// Records that the maximum of output (oh, ow) of a plane is at (kh, kw) in its window.
  void Set(int64_t plane, int64_t oh, int64_t ow, int64_t kh, int64_t kw);

  /// Calls `visit(h, w)` for each recorded input position of an output, except positions outside
  /// the input plane, which a damaged mask may hold.
  template <typename Visit>
  void ForEach(int64_t plane, int64_t oh, int64_t ow, const Visit &visit) const {
    const int64_t output = oh * geometry_.out.width + ow;
    if (holdsPositions_) {
      const int64_t position = PositionAt(plane, output);
      if (position >= 0 && position < geometry_.in.height * geometry_.in.width) {
        visit(position / geometry_.in.width, position % geometry_.in.width);
      }
      return;
    }
    for (int64_t kh = 0; kh < geometry_.window.kernel.height; ++kh) {
      for (int64_t kw = 0; kw < geometry_.window.kernel.width; ++kw) {
        const int64_t h = InputRow(oh, kh);
        const int64_t w = InputColumn(ow, kw);
        if (BitAt(plane, output, kh, kw) && IsInside(h, w)) visit(h, w);
      }
    }
  }

  const std::vector<uint8_t> &Bytes() const { return bytes_; }

 private:
  int64_t InputRow(int64_t oh, int64_t kh) const;
  int64_t InputColumn(int64_t ow, int64_t kw) const;
  bool IsInside(int64_t h, int64_t w) const;
  int64_t PositionAt(int64_t plane, int64_t output) const;
  bool BitAt(int64_t plane, int64_t output, int64_t kh, int64_t kw) const;
  size_t BitByte(int64_t plane, int64_t output, int64_t kh, int64_t kw) const;
  size_t PositionByte(int64_t plane, int64_t output) const;

  PoolGeometry geometry_;
  bool holdsPositions_;
  int64_t rowBytes_;
  std::vector<uint8_t> bytes_;
};

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_NNOPBASE_MAX_POOL_H_
