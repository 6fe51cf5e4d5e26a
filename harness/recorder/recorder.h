// SPDX-License-Identifier: Apache-2.0
// Notes calls of operators, and passes them on unchanged.
#ifndef ACLNN_CTS_RECORDER_H_
#define ACLNN_CTS_RECORDER_H_

#include <string>
#include <type_traits>

#include "aclnn/acl_meta.h"

namespace aclnn_cts {

/// The function of that name in the first library that has it; ends the process if none has.
void *NextFunction(const char *name) noexcept;

template <typename Function>
Function *Next(const char *name) noexcept {
  return reinterpret_cast<Function *>(NextFunction(name));
}

/// The first phase of a call. What is noted becomes one JSON object; a call within a call, as
/// operators of several steps make, is not noted.
class RecordedCall {
 public:
  explicit RecordedCall(const char *operator_name) noexcept;
  ~RecordedCall();
  RecordedCall(const RecordedCall &) = delete;
  RecordedCall &operator=(const RecordedCall &) = delete;

  void Note(const char *name, const aclTensor *tensor) noexcept;
  void Note(const char *name, const aclTensorList *list) noexcept;
  void Note(const char *name, const aclScalar *scalar) noexcept;
  void Note(const char *name, const aclScalarList *list) noexcept;
  void Note(const char *name, const aclIntArray *array) noexcept;
  void Note(const char *name, const aclBoolArray *array) noexcept;
  void Note(const char *name, const char *text) noexcept;
  template <typename Value,
            typename = std::enable_if_t<std::is_arithmetic_v<Value> || std::is_enum_v<Value>>>
  void Note(const char *name, Value value) noexcept {
    if constexpr (std::is_floating_point_v<Value>) {
      NoteNumber(name, static_cast<double>(value));
    } else {
      NoteNumber(name, static_cast<int64_t>(value));
    }
  }

  /// Counts the call; what it returned belongs to what is counted.
  void End(aclnnStatus status) noexcept;

 private:
  void NoteNumber(const char *name, double value) noexcept;
  void NoteNumber(const char *name, int64_t value) noexcept;
  void NoteObject(const char *name, const void *object) noexcept;

  bool is_noted_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_RECORDER_H_
