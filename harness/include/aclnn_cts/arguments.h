// SPDX-License-Identifier: Apache-2.0
/// The parameters of one operator call as the handles that the aclnn prototypes take.
#ifndef ACLNN_CTS_ARGUMENTS_H_
#define ACLNN_CTS_ARGUMENTS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnn_cts/case.h"

namespace aclnn_cts {

/// Returns the device address of a tensor's storage; not called for null tensors.
using AddressOf = std::function<void *(const TensorFacts &)>;

/// A property of a tensor handle that is not what it was when the handle was made.
struct ChangedHandle {
  std::string tensor;
  const char *what;  ///< `data-type`, `format`, `shape`, `strides`, `offset` or `storage`
};

/// Owns every handle of one call; they live until the object ends.
///
/// Each getter throws InputError if the case has no such parameter of this kind: then the case file
/// does not belong to the program.
class Arguments {
 public:
  /// Creates all handles. `where` (FILE:LINE) and `parameters` must outlive the object. Throws
  /// RuntimeError if CANN refuses to create one.
  Arguments(const std::string &where, const Parameters &parameters, const AddressOf &addressOf);

  /// The tensor, or nullptr if the case passes none.
  aclTensor *Tensor(const char *name) const;
  /// The list of the tensors `name[0]`, `name[1]` and so on, or nullptr if the case passes none.
  aclTensorList *TensorList(const char *name) const;
  double Double(const char *name) const;
  /// A double of the case file that is exactly a float.
  float Float(const char *name) const;
  int64_t Int64(const char *name) const;
  /// An int64 of the case file: its bits, or a value that fits into int32_t or int8_t.
  uint64_t Uint64(const char *name) const;
  int32_t Int32(const char *name) const;
  int8_t Int8(const char *name) const;
  /// An int64 of the case file that is the code of a data type.
  aclDataType DataType(const char *name) const;
  bool Bool(const char *name) const;
  /// Zero-terminated text, valid during the call, or nullptr if the case passes none.
  char *String(const char *name) const;
  /// The array (its length may be 0), or nullptr if the case passes none.
  aclIntArray *IntArray(const char *name) const;
  aclBoolArray *BoolArray(const char *name) const;
  /// The scalar, or nullptr if the case passes none.
  aclScalar *Scalar(const char *name) const;
  /// The list of scalars, or nullptr if the case passes none.
  aclScalarList *ScalarList(const char *name) const;

  /// Throws InputError if the case has a parameter for which no getter was called.
  void RequireAllAsked() const;

  /// The properties of the caller's tensors that a call changed.
  std::vector<ChangedHandle> Changed() const;

 private:
  struct DestroyTensor {
    void operator()(aclTensor *tensor) const { (void)aclDestroyTensor(tensor); }
  };
  struct DestroyTensorList {
    void operator()(aclTensorList *list) const { (void)aclDestroyTensorList(list); }
  };
  struct DestroyIntArray {
    void operator()(aclIntArray *array) const { (void)aclDestroyIntArray(array); }
  };
  struct DestroyBoolArray {
    void operator()(aclBoolArray *array) const { (void)aclDestroyBoolArray(array); }
  };
  struct DestroyScalar {
    void operator()(aclScalar *scalar) const { (void)aclDestroyScalar(scalar); }
  };
  struct DestroyScalarList {
    void operator()(aclScalarList *list) const { (void)aclDestroyScalarList(list); }
  };
  using OwnedScalarList = std::unique_ptr<aclScalarList, DestroyScalarList>;
  struct TensorEntry {
    const TensorFacts *facts;
    std::unique_ptr<aclTensor, DestroyTensor> owner;  ///< empty if its list destroys it
    const aclTensor *handle;
    std::vector<std::vector<int64_t>> properties;  ///< as its getters returned them at first
    mutable bool asked;
  };
  struct AttributeEntry {
    const AttributeFacts *facts;
    std::unique_ptr<aclIntArray, DestroyIntArray> ints;
    std::unique_ptr<aclBoolArray, DestroyBoolArray> bools;
    std::unique_ptr<aclScalar, DestroyScalar> scalar;
    OwnedScalarList scalars;
    std::unique_ptr<char[]> text;
    mutable bool asked;
  };

  void CreateLists();
  static OwnedScalarList CreateScalarList(const AttributeFacts &facts);
  const AttributeEntry &Attribute(const char *name, AttributeKind kind) const;

  const std::string &where_;
  std::vector<TensorEntry> tensors_;
  std::map<std::string, std::unique_ptr<aclTensorList, DestroyTensorList>> lists_;
  std::vector<AttributeEntry> attributes_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_ARGUMENTS_H_
