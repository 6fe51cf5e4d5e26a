// SPDX-License-Identifier: Apache-2.0
/// Parses one line of a case file, field by field.
#ifndef ACLNN_CTS_LINE_FIELDS_H_
#define ACLNN_CTS_LINE_FIELDS_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "aclnn_cts/case.h"

namespace aclnn_cts {

/// The `high` of a field without an upper limit.
constexpr int64_t kAny = std::numeric_limits<int64_t>::max();

/// Fields are separated by single spaces. An unexpected field throws InputError `FILE:LINE: ...`.
class LineFields {
 public:
  /// `where` is FILE:LINE.
  LineFields(std::string where, std::string line);

  /// The next field; `what` names it in errors.
  std::string Word(const char *what);
  /// Requires the next field to be this word.
  void Keyword(const char *word);
  /// A word of [A-Za-z0-9._:+-], such as a case id or a parameter's name.
  std::string Name(const char *what);
  /// The same, perhaps with a place in a list behind it, as `x[0]`.
  std::string TensorName(const char *what);
  int64_t Integer(const char *what, int64_t low, int64_t high);
  /// A hexadecimal or decimal floating-point number, nan, inf or -inf.
  double Real(const char *what);
  /// Comma-separated integers; `-` means none.
  Dims List(const char *what, int64_t low);
  /// Bytes, two lower-case hexadecimal digits each.
  std::vector<uint8_t> Bytes(const char *what);
  /// Everything up to the end of the line; may be empty.
  std::string Rest();
  /// Requires the end of the line.
  void End() const;

  const std::string &Where() const { return where_; }
  [[noreturn]] void Fail(const std::string &wrong, const std::string &expected) const;

 private:
  void RequireNameOf(const std::string &name, const char *what) const;
  int64_t ParseInteger(const std::string &text, const char *what, int64_t low, int64_t high) const;

  std::string where_;
  std::string line_;
  std::string::size_type position_ = 0;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_LINE_FIELDS_H_
