// SPDX-License-Identifier: Apache-2.0
#include "nnopbase/arrangements.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "nnopbase/elements.h"

namespace simulator {
namespace {

/// The place of an index in row-major order; negative if a part of it is.
int64_t PlaceOf(const Shape &shape, const Shape &index) {
  int64_t place = 0;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (index[axis] < 0) return -1;
    place = place * shape[axis] + index[axis];
  }
  return place;
}

/// Moves to the next index in row-major order.
void Advance(const Shape &shape, Shape &index) {
  for (size_t axis = shape.size(); axis-- > 0;) {
    if (++index[axis] < shape[axis]) return;
    index[axis] = 0;
  }
}

size_t AxisOf(const Shape &shape, int64_t axis) {
  return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(shape.size()) : axis);
}

int64_t Modulo(int64_t number, int64_t extent) { return (number % extent + extent) % extent; }

/// An arrangement in which an index along an axis of the input follows from that of the output.
Arrangement ByAxis(const Shape &from, const Shape &to,
                   const std::function<int64_t(size_t, int64_t)> &along) {
  return {to, [from, along](const Shape &index) {
            Shape source(from.size());
            for (size_t axis = 0; axis < from.size(); ++axis)
              source[axis] = along(axis, index[axis]);
            return PlaceOf(from, source);
          }};
}

/// The same for what is before and behind each axis; `around` gives the index of one outside.
Arrangement ByPadding(const Shape &from, const Shape &padding,
                      int64_t (*around)(int64_t index, int64_t extent)) {
  Shape to = from;
  Shape before(from.size(), 0);
  for (size_t pair = 0; pair < padding.size() / 2; ++pair) {
    const size_t axis = from.size() - 1 - pair;
    before[axis] = padding[2 * pair];
    to[axis] += padding[2 * pair] + padding[2 * pair + 1];
  }
  return ByAxis(from, to, [from, before, around](size_t axis, int64_t index) {
    const int64_t inside = index - before[axis];
    const bool isInside = inside >= 0 && inside < from[axis];
    return isInside ? inside : around(inside, from[axis]);
  });
}

/// Keeps the elements of the two last axes for whose row and column `isKept` holds.
Arrangement OfMatrices(const Shape &from, const std::function<bool(int64_t, int64_t)> &isKept) {
  return {from, [from, isKept](const Shape &index) {
            const size_t rank = from.size();
            return isKept(index[rank - 2], index[rank - 1]) ? PlaceOf(from, index) : -1;
          }};
}

/// The place along an axis that a number of an index names.
int64_t Along(int64_t extent, int64_t number) { return number < 0 ? number + extent : number; }

/// The number of `places` at the part of an index that begins with an axis.
int64_t NumberAt(const Places &places, const Shape &index, size_t axis) {
  const auto from = index.begin() + static_cast<std::ptrdiff_t>(axis);
  const auto rank = static_cast<std::ptrdiff_t>(places.shape.size());
  return places.numbers[static_cast<size_t>(PlaceOf(places.shape, Shape(from, from + rank)))];
}

/// Which number of an index, the last one of several, means each place of an axis; -1 for none.
/// Numbers outside mean no place.
Shape NumbersAlong(const Shape &from, size_t along, const Places &places) {
  const int64_t extent = from.empty() ? 1 : from[along];
  Shape numbers(static_cast<size_t>(extent), -1);
  int64_t number = 0;
  for (const int64_t each : places.numbers) {
    const int64_t place = Along(extent, each);
    if (place >= 0 && place < extent) numbers[static_cast<size_t>(place)] = number;
    ++number;
  }
  return numbers;
}

/// Copies elements, which lie one after another, to an output.
void ArrangeBytes(const aclTensor &out, const std::vector<uint8_t> &elements,
                  const Arrangement &arrangement, const ScalarValue &value) {
  const int64_t count = ElementCount(out.shape);
  const auto total = static_cast<size_t>(count);
  if (IsInteger(out.dataType)) {
    WriteAllIntegers(out, std::vector<int64_t>(total, static_cast<int64_t>(value)));
  } else {
    const std::vector<double> values(total, static_cast<double>(value));
    ElementWriter(out).Write(values.data(), count);
  }
  const size_t size = static_cast<size_t>(ElementBits(out.dataType)) / 8;
  const auto available = static_cast<int64_t>(elements.size() / size);
  std::vector<uint8_t> arranged = ReadBytes(out);
  Shape index(out.shape.size(), 0);
  for (int64_t place = 0; place < count; ++place) {
    const int64_t source = arrangement.source(index);
    if (source >= 0 && source < available) {
      std::memcpy(&arranged[static_cast<size_t>(place) * size],
                  &elements[static_cast<size_t>(source) * size], size);
    }
    Advance(out.shape, index);
  }
  WriteBytes(out, arranged);
}

}  // namespace

Places PlacesOf(const aclTensor &index) {
  std::vector<int64_t> numbers(static_cast<size_t>(ElementCount(index.shape)));
  ElementReader(index).Read(numbers.data(), static_cast<int64_t>(numbers.size()));
  return {index.shape, numbers};
}

void Arrange(const aclTensor &out, const aclTensor &from, const Arrangement &arrangement) {
  Arrange(out, from, arrangement, ScalarValue{{ACL_INT64, {}}});
}

void Arrange(const aclTensor &out, const aclTensor &from, const Arrangement &arrangement,
             const ScalarValue &value) {
  ArrangeBytes(out, ReadBytes(from), arrangement, value);
}

void Arrange(const aclTensor &out, const aclTensor &from, const aclTensor &second,
             const Arrangement &arrangement) {
  std::vector<uint8_t> elements = ReadBytes(from);
  const std::vector<uint8_t> others = ReadBytes(second);
  elements.insert(elements.end(), others.begin(), others.end());
  ArrangeBytes(out, elements, arrangement, ScalarValue{{ACL_INT64, {}}});
}

namespace arrangements {

Arrangement Permute(const Shape &from, const Shape &dims) {
  Shape to;
  for (const int64_t dim : dims) to.push_back(from[AxisOf(from, dim)]);
  return {to, [from, dims](const Shape &index) {
            Shape source(from.size());
            for (size_t axis = 0; axis < dims.size(); ++axis) {
              source[AxisOf(from, dims[axis])] = index[axis];
            }
            return PlaceOf(from, source);
          }};
}

Arrangement Flip(const Shape &from, const Shape &dims) {
  std::vector<bool> isFlipped(from.size());
  for (const int64_t dim : dims) isFlipped[AxisOf(from, dim)] = true;
  return ByAxis(from, from, [from, isFlipped](size_t axis, int64_t index) {
    return isFlipped[axis] ? from[axis] - 1 - index : index;
  });
}

Arrangement Roll(const Shape &from, const Shape &shifts, const Shape &dims) {
  if (dims.empty()) {
    const int64_t count = ElementCount(from);
    const int64_t shift = shifts[0];
    return {from, [from, shift, count](const Shape &index) {
              return Modulo(PlaceOf(from, index) - shift % count, count);
            }};
  }
  Shape moved(from.size(), 0);
  for (size_t number = 0; number < dims.size(); ++number) {
    moved[AxisOf(from, dims[number])] += shifts[number];
  }
  return ByAxis(from, from, [from, moved](size_t axis, int64_t index) {
    return Modulo(index - moved[axis] % from[axis], from[axis]);
  });
}

Arrangement Repeat(const Shape &from, const Shape &repeats) {
  Shape to = repeats;
  const size_t before = repeats.size() - from.size();
  for (size_t axis = 0; axis < from.size(); ++axis) to[before + axis] *= from[axis];
  return {to, [from, before](const Shape &index) {
            Shape source(from.size());
            for (size_t axis = 0; axis < from.size(); ++axis) {
              source[axis] = index[before + axis] % from[axis];
            }
            return PlaceOf(from, source);
          }};
}

Arrangement Interleave(const Shape &from, int64_t repeats) {
  return {{ElementCount(from) * repeats},
          [repeats](const Shape &index) { return index[0] / repeats; }};
}

Arrangement Interleave(const Shape &from, int64_t repeats, int64_t dim) {
  const size_t repeated = AxisOf(from, dim);
  Shape to = from;
  to[repeated] *= repeats;
  return ByAxis(from, to, [repeated, repeats](size_t axis, int64_t index) {
    return axis == repeated ? index / repeats : index;
  });
}

Arrangement Expand(const Shape &from, const Shape &size) {
  const size_t before = size.size() - from.size();
  bool isStretched = size.size() >= from.size();
  for (size_t axis = 0; isStretched && axis < from.size(); ++axis) {
    isStretched = from[axis] == 1 || from[axis] == size[before + axis];
  }
  if (!isStretched) {
    return {{-1}, [](const Shape &) { return int64_t{-1}; }};  // the shape of no tensor
  }
  return {size, [from, before](const Shape &index) {
            Shape source(from.size());
            for (size_t axis = 0; axis < from.size(); ++axis) {
              source[axis] = from[axis] == 1 ? 0 : index[before + axis];
            }
            return PlaceOf(from, source);
          }};
}

Arrangement Cut(const Shape &from, const Shape &starts, const Shape &ends, const Shape &axes,
                const Shape &steps) {
  Shape to = from;
  Shape first(from.size(), 0);
  Shape step(from.size(), 1);
  for (size_t number = 0; number < axes.size(); ++number) {
    const size_t axis = AxisOf(from, axes[number]);
    const int64_t extent = from[axis];
    const auto within = [extent](int64_t place) {
      return std::clamp<int64_t>(place < 0 ? place + extent : place, 0, extent);
    };
    first[axis] = within(starts[number]);
    step[axis] = steps[number];
    const int64_t length = std::max<int64_t>(within(ends[number]) - first[axis], 0);
    to[axis] = length / step[axis] + (length % step[axis] != 0);
  }
  return ByAxis(from, to, [first, step](size_t axis, int64_t index) {
    return first[axis] + index * step[axis];
  });
}

Arrangement Cut(const Shape &from, int64_t start, int64_t end, int64_t axis, int64_t step) {
  return Cut(from, Shape{start}, Shape{end}, Shape{axis}, Shape{step});
}

Arrangement Pad(const Shape &from, const Shape &padding) {
  return ByPadding(from, padding, [](int64_t, int64_t) { return int64_t{-1}; });
}

Arrangement Reflect(const Shape &from, const Shape &padding) {
  return ByPadding(from, padding, [](int64_t index, int64_t extent) {
    return index < 0 ? -index : 2 * (extent - 1) - index;
  });
}

Arrangement Replicate(const Shape &from, const Shape &padding) {
  return ByPadding(from, padding, [](int64_t index, int64_t extent) {
    return index < 0 ? int64_t{0} : extent - 1;
  });
}

Arrangement Wrap(const Shape &from, const Shape &padding) {
  return ByPadding(from, padding, Modulo);
}

Arrangement Tril(const Shape &from, int64_t diagonal) {
  return OfMatrices(from,
                    [diagonal](int64_t row, int64_t column) { return column - row <= diagonal; });
}

Arrangement Triu(const Shape &from, int64_t diagonal) {
  return OfMatrices(from,
                    [diagonal](int64_t row, int64_t column) { return column - row >= diagonal; });
}

Arrangement Flatten(const Shape &from, int64_t axis) {
  Shape to{1, 1};
  const size_t first = from.empty() ? 0 : AxisOf(from, axis);
  for (size_t at = 0; at < from.size(); ++at) to[at < first ? 0 : 1] *= from[at];
  return {to, [to](const Shape &index) { return PlaceOf(to, index); }};
}

Arrangement Matrix(const Shape &from, int64_t diagonal) {
  const int64_t extent = ElementCount(from) + std::abs(diagonal);
  return {{extent, extent}, [diagonal](const Shape &index) {
            const bool isOnDiagonal = index[1] - index[0] == diagonal;
            return isOnDiagonal ? std::min(index[0], index[1]) : int64_t{-1};
          }};
}

Arrangement Diagonal(const Shape &from, int64_t diagonal) {
  if (from.size() == 1) return Matrix(from, diagonal);
  const int64_t row = std::max<int64_t>(-diagonal, 0);
  const int64_t column = std::max<int64_t>(diagonal, 0);
  const int64_t length = std::max<int64_t>(std::min(from[0] - row, from[1] - column), 0);
  return {{length}, [from, row, column](const Shape &index) {
            return PlaceOf(from, {row + index[0], column + index[0]});
          }};
}

Arrangement Gather(const Shape &from, int64_t dim, const Places &places) {
  const size_t along = AxisOf(from, dim);
  return {places.shape, [from, along, places](const Shape &index) {
            Shape source = index;
            const int64_t number = NumberAt(places, index, 0);
            if (from.empty()) return Along(1, number);
            source[along] = Along(from[along], number);
            return PlaceOf(from, source);
          }};
}

Arrangement Select(const Shape &from, int64_t dim, const Places &places) {
  const size_t along = AxisOf(from, dim);
  const size_t rank = std::max<size_t>(places.shape.size(), 1);
  Shape to = from;
  to.erase(to.begin() + static_cast<std::ptrdiff_t>(along));
  const Shape inserted = places.shape.empty() ? Shape{1} : places.shape;
  to.insert(to.begin() + static_cast<std::ptrdiff_t>(along), inserted.begin(), inserted.end());
  return {to, [from, along, rank, places](const Shape &index) {
            Shape source(from.size());
            for (size_t axis = 0; axis < from.size(); ++axis) {
              source[axis] = index[axis < along ? axis : axis + rank - 1];
            }
            source[along] = Along(from[along], NumberAt(places, index, along));
            return PlaceOf(from, source);
          }};
}

Arrangement Take(const Shape &from, const Places &places) {
  return {places.shape, [count = ElementCount(from), places](const Shape &index) {
            return Along(count, NumberAt(places, index, 0));
          }};
}

Arrangement Slices(const Shape &from, const Places &places) {
  const auto rank = static_cast<std::ptrdiff_t>(places.shape.size()) - 1;
  const auto axes = static_cast<std::ptrdiff_t>(places.shape.back());
  Shape to(places.shape.begin(), places.shape.begin() + rank);
  to.insert(to.end(), from.begin() + axes, from.end());
  return {to, [from, rank, axes, places](const Shape &index) {
            Shape source(from.begin(), from.begin() + axes);
            Shape listed(index.begin(), index.begin() + rank);
            listed.push_back(0);
            for (int64_t &place : source) {
              place = Along(place, NumberAt(places, listed, 0));
              ++listed.back();
            }
            source.insert(source.end(), index.begin() + rank, index.end());
            return PlaceOf(from, source);
          }};
}

Arrangement Fill(const Shape &from, int64_t dim, const Places &places) {
  const size_t along = AxisOf(from, dim);
  const Shape numbers = NumbersAlong(from, along, places);
  return {from, [from, along, numbers](const Shape &index) {
            const size_t place = from.empty() ? 0 : static_cast<size_t>(index[along]);
            return numbers[place] < 0 ? PlaceOf(from, index) : -1;
          }};
}

Arrangement Copy(const Shape &from, int64_t dim, const Places &places) {
  const size_t along = AxisOf(from, dim);
  const Shape numbers = NumbersAlong(from, along, places);
  Shape slices = from;
  if (!slices.empty()) slices[along] = ElementCount(places.shape);
  return {from, [from, along, numbers, slices](const Shape &index) {
            const int64_t number = numbers[from.empty() ? 0 : static_cast<size_t>(index[along])];
            if (number < 0) return PlaceOf(from, index);
            Shape source = index;
            if (!source.empty()) source[along] = number;
            return ElementCount(from) + PlaceOf(slices, source);
          }};
}

Arrangement Update(const Shape &from, const Places &places) {
  const auto axes = static_cast<std::ptrdiff_t>(places.shape.back());
  const Shape leading(from.begin(), from.begin() + axes);
  const Shape slice(from.begin() + axes, from.end());
  std::vector<int64_t> rows(static_cast<size_t>(ElementCount(leading)), -1);
  int64_t row = 0;
  for (auto number = places.numbers.begin(); number != places.numbers.end(); number += axes) {
    Shape place(number, number + axes);
    for (size_t axis = 0; axis < place.size(); ++axis) {
      place[axis] = Along(leading[axis], place[axis]);
    }
    const int64_t at = PlaceOf(leading, place);
    if (at >= 0 && at < ElementCount(leading)) rows[static_cast<size_t>(at)] = row;
    ++row;
  }
  return {from, [from, axes, leading, slice, rows](const Shape &index) {
            const Shape first(index.begin(), index.begin() + axes);
            const int64_t number = rows[static_cast<size_t>(PlaceOf(leading, first))];
            if (number < 0) return PlaceOf(from, index);
            const Shape rest(index.begin() + axes, index.end());
            return ElementCount(from) + number * ElementCount(slice) + PlaceOf(slice, rest);
          }};
}

}  // namespace arrangements
}  // namespace simulator
