// SPDX-License-Identifier: Apache-2.0
#include "nnopbase/checks.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "nnopbase/status.h"

namespace simulator {

namespace {

template <typename Value>
bool Contains(std::initializer_list<Value> values, Value value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool IsPublicFormat(aclFormat format) {
  return Contains({ACL_FORMAT_ND, ACL_FORMAT_NCHW, ACL_FORMAT_NHWC, ACL_FORMAT_HWCN,
                   ACL_FORMAT_NDHWC, ACL_FORMAT_NCDHW, ACL_FORMAT_NC, ACL_FORMAT_NCL},
                  format);
}

// Each kind of number converts to the following ones.
int Kind(aclDataType type) {
  if (type == ACL_COMPLEX64 || type == ACL_COMPLEX128) return 3;
  if (type == ACL_FLOAT || type == ACL_FLOAT16 || type == ACL_BF16 || type == ACL_DOUBLE) return 2;
  return type == ACL_BOOL ? 0 : 1;
}

bool IsWideUnsigned(aclDataType type) {
  return type == ACL_UINT16 || type == ACL_UINT32 || type == ACL_UINT64;
}

// The common data type of two, of real numbers.
aclDataType Promoted(aclDataType one, aclDataType other) {
  if (one == other || Kind(one) > Kind(other)) return one;
  if (Kind(one) < Kind(other)) return other;
  if (Kind(one) == 2) return one == ACL_DOUBLE || other == ACL_DOUBLE ? ACL_DOUBLE : ACL_FLOAT;
  if (one == ACL_UINT8) std::swap(one, other);
  if (other == ACL_UINT8) return one == ACL_INT8 ? ACL_INT16 : one;
  for (const aclDataType wider : {ACL_INT64, ACL_INT32}) {
    if (one == wider || other == wider) return wider;
  }
  return ACL_INT16;
}

std::string Name(const TensorParameter &parameter) { return parameter.name; }

// An optional one is not compared if it is null.
std::vector<TensorParameter> Given(Tensors tensors) {
  std::vector<TensorParameter> given;
  std::copy_if(tensors.begin(), tensors.end(), std::back_inserter(given),
               [](const TensorParameter &each) { return each.tensor != nullptr; });
  return given;
}

}  // namespace

void RequireText(const char *text, const char *name) {
  if (text == nullptr) throw Rejection{kNullPointer, std::string(name) + " is null"};
}

void RequireNotNull(Tensors tensors, IntArrays arrays, Scalars scalars) {
  for (const TensorParameter &parameter : tensors) {
    if (parameter.tensor == nullptr) throw Rejection{kNullPointer, Name(parameter) + " is null"};
  }
  for (const IntArrayParameter &parameter : arrays) {
    if (parameter.array == nullptr) {
      throw Rejection{kNullPointer, std::string(parameter.name) + " is null"};
    }
  }
  for (const ScalarParameter &parameter : scalars) {
    if (parameter.scalar == nullptr) {
      throw Rejection{kNullPointer, std::string(parameter.name) + " is null"};
    }
  }
  for (const TensorParameter &parameter : tensors) RequireTensor(parameter.tensor, parameter.name);
  for (const IntArrayParameter &parameter : arrays) {
    RequireArray(parameter.array, parameter.name);
  }
  for (const ScalarParameter &parameter : scalars) RequireScalar(parameter.scalar, parameter.name);
}

void RequireLists(TensorLists lists, ScalarLists scalarLists) {
  const auto requireGiven = [](const auto &parameter) {
    if (parameter.list == nullptr) {
      throw Rejection{kNullPointer, std::string(parameter.name) + " is null"};
    }
  };
  std::for_each(lists.begin(), lists.end(), requireGiven);
  std::for_each(scalarLists.begin(), scalarLists.end(), requireGiven);
  for (const TensorListParameter &parameter : lists) RequireList(parameter.list, parameter.name);
  for (const ScalarListParameter &parameter : scalarLists) {
    RequireScalarList(parameter.list, parameter.name);
    const auto &scalars = parameter.list->scalars;
    if (std::find(scalars.begin(), scalars.end(), nullptr) != scalars.end()) {
      throw Rejection{kNullPointer, std::string(parameter.name) + " has a null scalar"};
    }
  }
}

void RequireLengthAtMost(TensorLists lists, size_t most) {
  for (const TensorListParameter &parameter : lists) {
    const size_t length = parameter.Tensors().size();
    Require(length <= most, std::string(parameter.name) + " has " + std::to_string(length) +
                                " tensors, must have at most " + std::to_string(most));
  }
}

void RequireSameLength(TensorLists lists, const TensorListParameter &reference) {
  for (const TensorListParameter &parameter : lists) {
    Require(parameter.Tensors().size() == reference.Tensors().size(),
            std::string(parameter.name) + " must have as many tensors as " + reference.name);
  }
}

void RequireScalarCount(ScalarLists lists, const TensorListParameter &reference) {
  for (const ScalarListParameter &parameter : lists) {
    Require(parameter.list->scalars.size() == reference.Tensors().size(),
            std::string(parameter.name) + " must have as many scalars as " + reference.name +
                " has tensors");
  }
}

void RequireMembers(TensorLists lists) {
  for (const TensorListParameter &parameter : lists) {
    for (const aclTensor *tensor : parameter.Tensors()) {
      Require(tensor != nullptr, std::string(parameter.name) + " has a null tensor");
    }
  }
}

void RequireOneDataType(TensorLists lists) {
  for (const TensorListParameter &parameter : lists) {
    const aclTensor *first = nullptr;
    for (const aclTensor *tensor : parameter.Tensors()) {
      if (first == nullptr) first = tensor;
      if (tensor == nullptr || tensor->dataType == first->dataType) continue;
      Require(false, std::string(parameter.name) + " has tensors of the data types " +
                         DataTypeName(first->dataType) + " and " + DataTypeName(tensor->dataType));
    }
  }
}

bool IsOn(std::initializer_list<Product> products) { return Contains(products, CurrentProduct()); }

void RequireProduct(std::initializer_list<Product> products) {
  Require(IsOn(products),
          std::string("the operator is not supported on ") + ProductName(CurrentProduct()));
}

void RequireDataType(Tensors tensors, std::initializer_list<aclDataType> types) {
  for (const TensorParameter &parameter : Given(tensors)) {
    const aclDataType type = parameter->dataType;
    const bool known = type != ACL_BF16 || HasBfloat16(CurrentProduct());
    Require(known && Contains(types, type), Name(parameter) + " has the unsupported data type " +
                                                DataTypeName(type) + " on " +
                                                ProductName(CurrentProduct()));
  }
}

void RequireDataType(Tensors tensors, std::initializer_list<aclDataType> types, Product product) {
  if (CurrentProduct() == product) RequireDataType(tensors, types);
}

void RequireScalarType(Scalars scalars, std::initializer_list<aclDataType> types) {
  for (const ScalarParameter &parameter : scalars) {
    if (parameter.scalar == nullptr) continue;
    Require(Contains(types, parameter->dataType), std::string(parameter.name) +
                                                      " has the unsupported data type " +
                                                      DataTypeName(parameter->dataType));
  }
}

void RequireScalarType(Scalars scalars, std::initializer_list<aclDataType> types, Product product) {
  if (CurrentProduct() == product) RequireScalarType(scalars, types);
}

void RequireSameDataType(Tensors tensors, const TensorParameter &reference,
                         std::initializer_list<aclDataType> others) {
  if (reference.tensor == nullptr) return;
  for (const TensorParameter &parameter : Given(tensors)) {
    const aclDataType type = parameter->dataType;
    Require(type == reference->dataType || Contains(others, type),
            Name(parameter) + " has data type " + DataTypeName(parameter->dataType) +
                ", must have that of " + reference.name + ", " + DataTypeName(reference->dataType));
  }
}

namespace {

template <typename Parameters>
void RequireBeside(const Parameters &parameters, const TensorParameter &reference,
                   const TypesBeside &beside) {
  const auto listed = beside.find(reference->dataType);
  for (const auto &parameter : parameters) {
    const aclDataType type = parameter->dataType;
    const bool goes =
        listed != beside.end() &&
        std::find(listed->second.begin(), listed->second.end(), type) != listed->second.end();
    Require(goes, std::string(parameter.name) + " has data type " + DataTypeName(type) +
                      ", which does not go with that of " + reference.name + ", " +
                      DataTypeName(reference->dataType));
  }
}

}  // namespace

void RequireTypeBeside(Tensors tensors, const TensorParameter &reference,
                       const TypesBeside &beside) {
  RequireBeside(Given(tensors), reference, beside);
}

void RequireTypeBeside(Scalars scalars, const TensorParameter &reference,
                       const TypesBeside &beside) {
  RequireBeside(scalars, reference, beside);
}

void RequirePromotion(Tensors inputs, std::initializer_list<aclDataType> types) {
  aclDataType common = ACL_BOOL;
  for (const TensorParameter &input : Given(inputs)) common = Promoted(common, input->dataType);
  Require(Contains(types, common),
          std::string("the common data type ") + DataTypeName(common) + " is not supported");
}

void RequireConversion(const TensorParameter &out, Tensors inputs, Scalars scalars) {
  const auto require = [&out](const char *name, aclDataType type) {
    Require(Kind(type) <= Kind(out->dataType), std::string(name) + " has data type " +
                                                   DataTypeName(type) +
                                                   ", which does not convert to that of " +
                                                   out.name + ", " + DataTypeName(out->dataType));
  };
  for (const TensorParameter &parameter : Given(inputs))
    require(parameter.name, parameter->dataType);
  for (const ScalarParameter &parameter : scalars) {
    if (parameter.scalar != nullptr) require(parameter.name, parameter->dataType);
  }
}

void RequireConversion(const ScalarParameter &scalar, Tensors inputs, Scalars others) {
  const auto holds = [&scalar](const auto &parameter) {
    return Kind(scalar->dataType) <= Kind(parameter->dataType);
  };
  const bool converts = std::any_of(inputs.begin(), inputs.end(), holds) ||
                        std::any_of(others.begin(), others.end(), holds);
  Require(converts, std::string(scalar.name) + " has data type " + DataTypeName(scalar->dataType) +
                        ", which does not convert to the promoted one");
}

void RequireCommonType(Tensors tensors, Scalars scalars) {
  const std::vector<TensorParameter> given = Given(tensors);
  if (given.empty()) return;
  const aclDataType first = given.front()->dataType;
  bool isWide = false;
  bool isOne = true;
  for (const TensorParameter &tensor : given) {
    isWide = isWide || IsWideUnsigned(tensor->dataType);
    isOne = isOne && tensor->dataType == first;
  }
  bool isCommon = isOne || !isWide;
  for (const ScalarParameter &scalar : scalars) {
    const bool isLater = scalar.scalar != nullptr && Kind(scalar->dataType) > Kind(first);
    isCommon = isCommon && !(isLater && (isWide || IsWideUnsigned(scalar->dataType)));
  }
  Require(isCommon, Name(given.front()) + " has no common data type with other parameters");
}

void RequireSameFormat(Tensors tensors, const TensorParameter &reference) {
  for (const TensorParameter &parameter : Given(tensors)) {
    Require(parameter->format == reference->format,
            Name(parameter) + " has format " + FormatName(parameter->format) +
                ", must have that of " + reference.name + ", " + FormatName(reference->format));
  }
}

void RequireSameShape(Tensors tensors, const TensorParameter &reference) {
  if (reference.tensor == nullptr) return;
  for (const TensorParameter &parameter : Given(tensors)) RequireShape(parameter, reference->shape);
}

Shape BroadcastShape(Tensors inputs) {
  Shape common;
  for (const TensorParameter &input : Given(inputs)) {
    const Shape &shape = input->shape;
    if (shape.size() > common.size())
      common.insert(common.begin(), shape.size() - common.size(), 1);
    const size_t missing = common.size() - shape.size();
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      int64_t &extent = common[missing + axis];
      if (extent == 1) extent = shape[axis];
      Require(shape[axis] == extent || shape[axis] == 1,
              Name(input) + " has shape " + ShapeText(shape) +
                  ", which does not broadcast with the other inputs");
    }
  }
  return common;
}

void RequireBroadcast(Tensors inputs, const TensorParameter &out) {
  RequireShape(out, BroadcastShape(inputs));
}

void RequireBroadcastTo(const TensorParameter &parameter, const TensorParameter &reference) {
  if (parameter.tensor == nullptr) return;
  Require(CanBroadcastTo(parameter->shape, reference->shape),
          Name(parameter) + " has shape " + ShapeText(parameter->shape) +
              ", which does not broadcast to that of " + reference.name + ", " +
              ShapeText(reference->shape));
}

void RequireFormat(Tensors tensors, std::initializer_list<aclFormat> formats) {
  for (const TensorParameter &parameter : Given(tensors)) {
    Require(Contains(formats, parameter->format),
            Name(parameter) + " has the unsupported format " + FormatName(parameter->format));
  }
}

void RequirePublicFormat(Tensors tensors) {
  for (const TensorParameter &parameter : Given(tensors)) {
    Require(IsPublicFormat(parameter->format),
            Name(parameter) + " has the private format " + FormatName(parameter->format));
  }
}

void RequireRank(Tensors tensors, int64_t least, int64_t most) {
  for (const TensorParameter &parameter : Given(tensors)) {
    Require(least <= parameter->Rank() && parameter->Rank() <= most,
            Name(parameter) + " has " + std::to_string(parameter->Rank()) +
                " dimensions, must have " + std::to_string(least) + " to " + std::to_string(most));
  }
}

int64_t Extent(const aclTensor *tensor, int64_t axis) {
  return tensor->shape.at(static_cast<size_t>(axis < 0 ? axis + tensor->Rank() : axis));
}

int64_t Extent(const TensorParameter &parameter, int64_t axis) {
  return parameter.tensor == nullptr ? 0 : Extent(parameter.tensor, axis);
}

Shape Resized(Shape shape, int64_t axis, int64_t extent) {
  shape.at(axis < 0 ? shape.size() - static_cast<size_t>(-axis) : static_cast<size_t>(axis)) =
      extent;
  return shape;
}

Shape Resized(Shape shape, const Shape &axes, int64_t extent) {
  for (const int64_t axis : axes) shape = Resized(shape, axis, extent);
  return shape;
}

Shape Without(Shape shape, const Shape &axes) {
  shape = Resized(shape, axes, -1);
  shape.erase(std::remove(shape.begin(), shape.end(), -1), shape.end());
  return shape;
}

Shape ResizedOnward(Shape shape, int64_t axis, int64_t extent) {
  const int64_t first = axis < 0 ? axis + static_cast<int64_t>(shape.size()) : axis;
  std::fill(shape.begin() + first, shape.end(), extent);
  return shape;
}

Shape Leading(Shape shape, int64_t axis) {
  shape.resize(axis < 0 ? shape.size() - static_cast<size_t>(-axis) : static_cast<size_t>(axis));
  return shape;
}

Shape Joined(Shape shape, const Shape &others) {
  shape.insert(shape.end(), others.begin(), others.end());
  return shape;
}

int64_t DividedDown(int64_t dividend, int64_t divisor) {
  const int64_t quotient = dividend / divisor;
  return dividend % divisor < 0 ? quotient - 1 : quotient;
}

int64_t DividedUp(int64_t dividend, int64_t divisor) { return -DividedDown(-dividend, divisor); }

int64_t Length(const Shape &shape) { return static_cast<int64_t>(shape.size()); }

int64_t Others(const Shape &numbers, int64_t number) {
  return Length(numbers) - std::count(numbers.begin(), numbers.end(), number);
}

int64_t Number(const Shape &shape, int64_t index) {
  return index < Length(shape) ? shape[static_cast<size_t>(index)] : 0;
}

int64_t Least(const Shape &numbers) {
  return numbers.empty() ? 0 : *std::min_element(numbers.begin(), numbers.end());
}

int64_t Greatest(const Shape &numbers) {
  return numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
}

int64_t CountAxes(const Shape &shape, const Shape &numbers) {
  const int64_t rank = Length(shape);
  std::set<int64_t> axes;
  for (const int64_t number : numbers) {
    if (-rank <= number && number < rank) axes.insert(number < 0 ? number + rank : number);
  }
  return static_cast<int64_t>(axes.size());
}

Shape AxesFrom(const Shape &shape, int64_t first) {
  Shape axes(static_cast<size_t>(std::max<int64_t>(Length(shape) - first, 0)));
  std::iota(axes.begin(), axes.end(), first);
  return axes;
}

const TensorParameter &Either(const TensorParameter &one, const TensorParameter &other) {
  return one.tensor == nullptr ? other : one;
}

void RequireTrailing(const TensorParameter &parameter, const TensorParameter &reference) {
  if (parameter.tensor == nullptr) return;
  const Shape &own = parameter->shape, &all = reference->shape;
  Require(!own.empty() && own.size() <= all.size() &&
              std::equal(own.rbegin(), own.rend(), all.rbegin()),
          Name(parameter) + " has shape " + ShapeText(own) + ", must have the last extents of " +
              reference.name + ", which has " + ShapeText(all));
}

void RequireWithin(const TensorParameter &parameter, const TensorParameter &reference,
                   int64_t axis) {
  const Shape &own = parameter->shape, &bounds = reference->shape;
  const auto rank = static_cast<int64_t>(bounds.size());
  bool isWithin = own.size() == bounds.size();
  for (int64_t at = 0; isWithin && at < rank; ++at) {
    const auto place = static_cast<size_t>(at);
    isWithin = own[place] <= bounds[place] || at == axis || at == axis + rank;
  }
  Require(isWithin, Name(parameter) + " has shape " + ShapeText(own) + ", must not exceed " +
                        reference.name + ", which has " + ShapeText(bounds));
}

void RequireShape(const TensorParameter &parameter, const Shape &shape) {
  if (parameter.tensor == nullptr) return;
  Require(parameter->shape == shape, Name(parameter) + " has shape " + ShapeText(parameter->shape) +
                                         ", must have " + ShapeText(shape));
}

void RequireOneShape(const TensorParameter &parameter, bool condition) {
  Require(condition, Name(parameter) + " has none of the shapes that it may have");
}

void RequireElementCount(const TensorParameter &parameter, int64_t count) {
  Require(ElementCount(parameter->shape) == count,
          Name(parameter) + " has " + std::to_string(ElementCount(parameter->shape)) +
              " elements, must have " + std::to_string(count));
}

void RequireNotEmpty(Tensors tensors) {
  for (const TensorParameter &parameter : Given(tensors)) {
    Require(ElementCount(parameter->shape) > 0, Name(parameter) + " is empty, must not be");
  }
}

void RequireContiguous(Tensors tensors) {
  for (const TensorParameter &parameter : Given(tensors)) {
    Require(IsContiguous(*parameter.tensor), Name(parameter) + " is not contiguous, must be");
  }
}

void Require(bool condition, const std::string &message) {
  if (!condition) throw Rejection{kInvalidParameter, message};
}

}  // namespace simulator
