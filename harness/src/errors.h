// SPDX-License-Identifier: Apache-2.0
/// Failures of the harness. What an operator returns is recorded and never an error here.
#ifndef ACLNN_CTS_ERRORS_H_
#define ACLNN_CTS_ERRORS_H_

#include <cstdint>
#include <stdexcept>
#include <string>

namespace aclnn_cts {

/// Wrong input: an option, a case file, a data file. The program exits with code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A call of the runtime failed outside the operator under test. Ends the case, or the program
/// during startup.
class RuntimeError : public std::runtime_error {
 public:
  /// `call` reads like "aclrtMalloc of 123 bytes".
  RuntimeError(const std::string &call, int32_t status, const std::string &message)
      : std::runtime_error(call), status_(status), message_(message) {}
  int32_t Status() const { return status_; }
  /// The message of aclGetRecentErrMsg; may be empty.
  const std::string &Message() const { return message_; }

 private:
  int32_t status_;
  std::string message_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_ERRORS_H_
