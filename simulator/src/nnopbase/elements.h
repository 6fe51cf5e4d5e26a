// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_ELEMENTS_H_
#define SIMULATOR_NNOPBASE_ELEMENTS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "nnopbase/tensor.h"
#include "nnopbase/walk.h"

#pragma GCC visibility push(default)
namespace simulator {

/// The elements of a tensor, in row-major order of its view: floating ones widened to float32,
/// integers to int64 or rounded to float32, all of them to double. Create it when the work runs,
/// because it looks up the memory.
class ElementReader {
 public:
  explicit ElementReader(const aclTensor &tensor);

  /// The next `count` elements.
  void Read(float *elements, int64_t count);
  void Read(double *elements, int64_t count);
  void Read(int64_t *elements, int64_t count);

 private:
  std::optional<float> filled_;
  const char *storage_;
  aclDataType dataType_;
  Walk walk_;
};

/// The same for writing: rounds once, to nearest even, and saturates on products without Inf;
/// integers keep the low bits.
class ElementWriter {
 public:
  explicit ElementWriter(const aclTensor &tensor);

  /// The next `count` elements.
  void Write(const float *elements, int64_t count);
  void Write(const double *elements, int64_t count);
  void Write(const int64_t *elements, int64_t count);

 private:
  char *storage_;
  aclDataType dataType_;
  bool saturate_;
  Walk walk_;
};

/// All elements in row-major order.
std::vector<float> ReadAll(const aclTensor &tensor);
void WriteAll(const aclTensor &tensor, const std::vector<float> &elements);
void WriteAllIntegers(const aclTensor &tensor, const std::vector<int64_t> &elements);

/// The bytes of all elements in row-major order; none for a tensor without memory.
std::vector<uint8_t> ReadBytes(const aclTensor &tensor);
void WriteBytes(const aclTensor &tensor, const std::vector<uint8_t> &bytes);

/// `value` rounded to `dataType` as by ElementWriter, and widened again.
float RoundTo(aclDataType dataType, float value);

/// Block size of Map in elements.
constexpr int64_t kBlockElements = 1024;

template <typename Number, typename Function, size_t... Index, size_t Count>
void MapBlock(Function &function, const std::array<std::array<Number, kBlockElements>, Count> &in,
              Number *out, int64_t elements, std::index_sequence<Index...>) {
  for (int64_t i = 0; i < elements; ++i) out[i] = function(in[Index][i]...);
}

/// Passes `function` of the elements of `inputs` at the same index, all in `Number`, to `write`, in
/// blocks. The inputs have `total` elements. `function` is called once per element, in row-major
/// order.
template <typename Number, typename Write, typename Function, typename... Inputs>
void MapBlocks(int64_t total, Write write, Function function, const Inputs &...inputs) {
  constexpr size_t kInputs = sizeof...(Inputs);
  std::array<ElementReader, kInputs> readers{ElementReader(inputs)...};
  std::array<std::array<Number, kBlockElements>, kInputs> values;
  std::array<Number, kBlockElements> results;
  for (int64_t done = 0; done < total; done += kBlockElements) {
    const int64_t count = std::min(kBlockElements, total - done);
    for (size_t input = 0; input < kInputs; ++input) {
      readers[input].Read(values[input].data(), count);
    }
    MapBlock(function, values, results.data(), count, std::make_index_sequence<kInputs>());
    write(results.data(), count);
  }
}

/// Sets every element of `out` to `function` of the elements of `inputs`, which have its shape.
template <typename Number = float, typename Function, typename... Inputs>
void Map(const aclTensor &out, Function function, const Inputs &...inputs) {
  ElementWriter writer(out);
  const int64_t total = ElementCount(out.shape);
  const auto write = [&writer](const Number *results, int64_t count) {
    writer.Write(results, count);
  };
  MapBlocks<Number>(total, write, function, inputs...);
}

/// `function` of the elements of inputs of one shape, all in `Number`.
template <typename Number = float, typename Function, typename First, typename... Others>
std::vector<Number> Mapped(Function function, const First &first, const Others &...others) {
  std::vector<Number> all;
  const auto append = [&all](const Number *results, int64_t count) {
    all.insert(all.end(), results, results + count);
  };
  MapBlocks<Number>(ElementCount(first.shape), append, function, first, others...);
  return all;
}

bool IsInteger(aclDataType dataType);

/// Map for a kernel that computes in double if a tensor is double, in int64 if the output holds
/// integers, and else in float32.
template <typename Function, typename... Inputs>
void MapInOwnType(const aclTensor &out, Function function, const Inputs &...inputs) {
  if (IsInteger(out.dataType)) {
    Map<int64_t>(out, function, inputs...);
  } else if (out.dataType == ACL_DOUBLE || (... || (inputs.dataType == ACL_DOUBLE))) {
    Map<double>(out, function, inputs...);
  } else {
    Map(out, function, inputs...);
  }
}

/// MapInOwnType for a kernel that computes in int64 if the inputs, and as `areWhole` says the
/// scalars, are integers, because they are promoted to one, whatever type holds the result.
template <typename Function, typename... Inputs>
void MapPromoted(const aclTensor &out, bool areWhole, Function function, const Inputs &...inputs) {
  if (areWhole && (... && IsInteger(inputs.dataType)))
    return Map<int64_t>(out, function, inputs...);
  MapInOwnType(out, function, inputs...);
}

/// Map for a kernel of bits, which computes in bool or uint64 where all of `types`, those of its
/// operands, are so, and else in int64.
template <typename Function, typename... Inputs>
void MapBits(const aclTensor &out, const std::vector<aclDataType> &types, Function function,
             const Inputs &...inputs) {
  const auto all = [&types](aclDataType type) {
    return std::all_of(types.begin(), types.end(), [type](aclDataType one) { return one == type; });
  };
  const auto in = [&](auto number) {
    using Number = decltype(number);
    const auto kernel = [&function](auto... elements) {
      return static_cast<int64_t>(function(static_cast<Number>(elements)...));
    };
    Map<int64_t>(out, kernel, inputs...);
  };
  if (all(ACL_BOOL)) return in(false);
  if (all(ACL_UINT64)) return in(uint64_t{0});
  in(int64_t{0});
}

/// Map for a kernel whose result is 0 or 1, which computes in the common type of its operands: as
/// MapBits for integers, in double if an operand is double, and else in float32.
template <typename Function, typename... Inputs>
void MapCondition(const aclTensor &out, const std::vector<aclDataType> &types, Function function,
                  const Inputs &...inputs) {
  if (std::all_of(types.begin(), types.end(), IsInteger)) {
    return MapBits(out, types, function, inputs...);
  }
  ElementWriter writer(out);
  const auto write = [&writer](const auto *results, int64_t count) {
    writer.Write(std::vector<int64_t>(results, results + count).data(), count);
  };
  if ((... || (inputs.dataType == ACL_DOUBLE))) {
    MapBlocks<double>(ElementCount(out.shape), write, function, inputs...);
  } else {
    MapBlocks<float>(ElementCount(out.shape), write, function, inputs...);
  }
}

/// The view with `axis`, counted from either end, as the innermost one; a scalar has one axis.
aclTensor WithAxisLast(aclTensor tensor, int64_t axis);

/// Sets every row of `out` along `axis` to `function` of the same rows of `inputs`, all in `Number`
/// and std::vector<Number>. The inputs have the shape of `out`, but for their extents along `axis`.
template <typename Number = float, typename Function, typename... Inputs>
void MapRows(const aclTensor &out, int64_t axis, Function function, const Inputs &...inputs) {
  const aclTensor turned = WithAxisLast(out, axis);
  const int64_t length = turned.shape.back();
  ElementWriter writer(turned);
  const auto reader = [axis](const aclTensor &input) {
    const aclTensor rows = WithAxisLast(input, axis);
    return std::pair(ElementReader(rows),
                     std::vector<Number>(static_cast<size_t>(rows.shape.back())));
  };
  auto readers = std::make_tuple(reader(inputs)...);
  const int64_t rows = length == 0 ? 0 : ElementCount(out.shape) / length;
  for (int64_t row = 0; row < rows; ++row) {
    const std::vector<Number> result = std::apply(
        [&](auto &...each) {
          (each.first.Read(each.second.data(), static_cast<int64_t>(each.second.size())), ...);
          return function(each.second...);
        },
        readers);
    writer.Write(result.data(), length);
  }
}

/// MapRows for a kernel that computes double inputs in double, and other floating ones in float32.
template <typename Function, typename... Inputs>
void MapRowsInOwnType(const aclTensor &out, int64_t axis, Function function,
                      const Inputs &...inputs) {
  if ((... || (inputs.dataType == ACL_DOUBLE))) {
    MapRows<double>(out, axis, function, inputs...);
  } else {
    MapRows(out, axis, function, inputs...);
  }
}

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_NNOPBASE_ELEMENTS_H_
