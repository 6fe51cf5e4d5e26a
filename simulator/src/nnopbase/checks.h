// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_CHECKS_H_
#define SIMULATOR_NNOPBASE_CHECKS_H_

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "nnopbase/tensor.h"
#include "runtime/product.h"

#pragma GCC visibility push(default)
namespace simulator {

/// Thrown by a failing check; PlanOperator converts it into the returned status.
struct Rejection {
  aclnnStatus status;
  std::string message;
};

/// A tensor parameter with its name in the document.
struct TensorParameter {
  const char *name;
  const aclTensor *tensor;

  const aclTensor *operator->() const { return tensor; }
};

/// A list of tensors with its name in the document.
struct TensorListParameter {
  const char *name;
  const aclTensorList *list;

  const std::vector<const aclTensor *> &Tensors() const { return list->tensors; }
};

/// An aclIntArray or aclBoolArray parameter with its name in the document.
struct IntArrayParameter {
  const char *name;
  const aclIntArray *array;
};

/// An aclScalar parameter with its name in the document.
struct ScalarParameter {
  const char *name;
  const aclScalar *scalar;

  const aclScalar *operator->() const { return scalar; }
};

/// A list of scalars with its name in the document.
struct ScalarListParameter {
  const char *name;
  const aclScalarList *list;
};

using Tensors = std::initializer_list<TensorParameter>;
using TensorLists = std::initializer_list<TensorListParameter>;
using IntArrays = std::initializer_list<IntArrayParameter>;
using Scalars = std::initializer_list<ScalarParameter>;
using ScalarLists = std::initializer_list<ScalarListParameter>;

/// Rejects with 161001 if a pointer is null. This check comes first, because all others follow the
/// pointers. Ends the program if one is not a live handle.
void RequireNotNull(Tensors tensors, IntArrays arrays = {}, Scalars scalars = {});
void RequireLists(TensorLists lists, ScalarLists scalarLists = {});
void RequireText(const char *text, const char *name);

// All further checks reject with 161002 unless their condition holds.

/// Makes the checks of a scope reject with another status.
template <typename Checks>
void RejectWith(aclnnStatus status, Checks checks) {
  try {
    checks();
  } catch (const Rejection &rejection) {
    throw Rejection{status, rejection.message};
  }
}

/// Unless the list has at most `most` tensors, each list has as many tensors or scalars as
/// `reference`, no tensor of the lists is null, and those of one list have one data type.
void RequireLengthAtMost(TensorLists lists, size_t most);
void RequireSameLength(TensorLists lists, const TensorListParameter &reference);
void RequireScalarCount(ScalarLists lists, const TensorListParameter &reference);
void RequireMembers(TensorLists lists);
void RequireOneDataType(TensorLists lists);

/// Whether the simulated product is one of `products`, and a check for it.
bool IsOn(std::initializer_list<Product> products);
void RequireProduct(std::initializer_list<Product> products);

/// Unless each tensor or scalar has one of `types`; a tensor, one that the simulated product knows.
/// A scalar may be absent.
void RequireDataType(Tensors tensors, std::initializer_list<aclDataType> types);
void RequireScalarType(Scalars scalars, std::initializer_list<aclDataType> types);

/// The same, on `product` only.
void RequireDataType(Tensors tensors, std::initializer_list<aclDataType> types, Product product);
void RequireScalarType(Scalars scalars, std::initializer_list<aclDataType> types, Product product);

/// Unless each tensor has the data type (or one of `others`), format or shape of `reference`; one
/// that may be null and is has no data type.
void RequireSameDataType(Tensors tensors, const TensorParameter &reference,
                         std::initializer_list<aclDataType> others = {});
void RequireSameFormat(Tensors tensors, const TensorParameter &reference);
void RequireSameShape(Tensors tensors, const TensorParameter &reference);

/// Unless the tensor or the scalar, which may be absent, has a data type that `beside` lists for
/// that of `reference`.
using TypesBeside = std::map<aclDataType, std::vector<aclDataType>>;
void RequireTypeBeside(Tensors tensors, const TensorParameter &reference,
                       const TypesBeside &beside);
void RequireTypeBeside(Scalars scalars, const TensorParameter &reference,
                       const TypesBeside &beside);

/// Unless the promoted data type of `inputs`, of real numbers, is one of `types`.
void RequirePromotion(Tensors inputs, std::initializer_list<aclDataType> types);

/// Unless the promoted data type of `inputs` and `scalars` converts to that of `out`: bool,
/// integers, floating and complex types convert in this order.
void RequireConversion(const TensorParameter &out, Tensors inputs, Scalars scalars);

/// Unless the data type of `scalar` converts to the promoted one of `inputs` and `others`.
void RequireConversion(const ScalarParameter &scalar, Tensors inputs, Scalars others);

/// Unless the data types of `tensors` and `scalars` have a common one: unsigned types of 16 bits
/// and more have none with others, but for those of scalars of the same kind of number or an
/// earlier.
void RequireCommonType(Tensors tensors, Scalars scalars);

/// Unless `inputs` broadcast together; returns their common shape, which `out` must have.
Shape BroadcastShape(Tensors inputs);
void RequireBroadcast(Tensors inputs, const TensorParameter &out);

/// Unless the tensor broadcasts to exactly the shape of `reference`.
void RequireBroadcastTo(const TensorParameter &parameter, const TensorParameter &reference);

/// Unless each tensor has one of `formats`.
void RequireFormat(Tensors tensors, std::initializer_list<aclFormat> formats);

/// Unless each tensor has a public format: ND, or one of the channel orders, not a private layout
/// of the device.
void RequirePublicFormat(Tensors tensors);

/// Unless each tensor has at least `least` and at most `most` dimensions.
void RequireRank(Tensors tensors, int64_t least, int64_t most);

/// The extent along `axis`, and the shape with another one there, or from there on; the axis must
/// exist and is counted from either end. The shape with another extent along each of `axes`, or
/// without them.
int64_t Extent(const aclTensor *tensor, int64_t axis);
int64_t Extent(const TensorParameter &parameter, int64_t axis);
Shape Resized(Shape shape, int64_t axis, int64_t extent);
Shape Resized(Shape shape, const Shape &axes, int64_t extent);
Shape ResizedOnward(Shape shape, int64_t axis, int64_t extent);
Shape Without(Shape shape, const Shape &axes);

/// The extents of the axes before `axis`, and the concatenation of two shapes.
Shape Leading(Shape shape, int64_t axis);
Shape Joined(Shape shape, const Shape &others);

/// The quotient rounded down, or up; the divisor is above 0.
int64_t DividedDown(int64_t dividend, int64_t divisor);
int64_t DividedUp(int64_t dividend, int64_t divisor);

/// The number of numbers, of those that differ from `number`, the one at `index`, the least and the
/// greatest; 0 if there is none.
int64_t Length(const Shape &shape);
int64_t Others(const Shape &numbers, int64_t number);
int64_t Number(const Shape &shape, int64_t index);
int64_t Least(const Shape &numbers);
int64_t Greatest(const Shape &numbers);

/// The number of distinct axes of the shape that `numbers` name.
int64_t CountAxes(const Shape &shape, const Shape &numbers);

/// The axes of a tensor of that shape from `first` on.
Shape AxesFrom(const Shape &shape, int64_t first);

/// The numbers of an array, which must not be null.
inline const Shape &Numbers(const aclIntArray *array) { return array->values; }
inline const Shape &Numbers(const IntArrayParameter &parameter) { return Numbers(parameter.array); }

/// The numbers of an optional array, or those that null stands for.
inline Shape Numbers(const aclIntArray *array, const Shape &absent) {
  return array == nullptr ? absent : Numbers(array);
}
inline Shape Numbers(const IntArrayParameter &parameter, const Shape &absent) {
  return Numbers(parameter.array, absent);
}

/// The first tensor unless it is null; else the second.
const TensorParameter &Either(const TensorParameter &one, const TensorParameter &other);

/// Unless the tensor has the last extents of `reference`, at least one of them.
void RequireTrailing(const TensorParameter &parameter, const TensorParameter &reference);

/// Unless the tensor has as many axes as `reference`, and no extent above that one's, but along
/// `axis`, counted from either end.
void RequireWithin(const TensorParameter &parameter, const TensorParameter &reference,
                   int64_t axis);

/// Unless the tensor has exactly this shape, this number of elements, at least one element, or
/// lies in memory in row-major order without gaps.
void RequireShape(const TensorParameter &parameter, const Shape &shape);
void RequireElementCount(const TensorParameter &parameter, int64_t count);
void RequireNotEmpty(Tensors tensors);
void RequireContiguous(Tensors tensors);

/// Unless `condition` holds: the parameter has one of its alternative shapes.
void RequireOneShape(const TensorParameter &parameter, bool condition);

/// Unless `condition` holds; `message` says what is wrong and what is expected.
void Require(bool condition, const std::string &message);

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_NNOPBASE_CHECKS_H_
