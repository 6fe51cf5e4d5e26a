// SPDX-License-Identifier: Apache-2.0
/// The two ways in which the harness itself fails. What an operator returns is never an error here:
/// it is recorded.
#ifndef ACLNN_CTS_ERRORS_H_
#define ACLNN_CTS_ERRORS_H_

#include <cstdint>
#include <stdexcept>
#include <string>

namespace aclnn_cts {

/// Something that the user gave is wrong: an option, a case file, a data file. The program ends
/// with exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A call of the runtime failed outside the operator under test. Ends the case, or, while starting,
/// the program.
class RuntimeError : public std::runtime_error {
 public:
  /// `call` reads like "aclrtMalloc of 123 bytes".
  RuntimeError(const std::string &call, int32_t status, const std::string &message)
      : std::runtime_error(call), status_(status), message_(message) {}
  int32_t Status() const { return status_; }
  /// What aclGetRecentErrMsg had to say; may be empty.
  const std::string &Message() const { return message_; }

 private:
  int32_t status_;
  std::string message_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_ERRORS_H_
