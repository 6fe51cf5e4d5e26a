// SPDX-License-Identifier: Apache-2.0
/// The CANN runtime: start, end, and facts about the device.
#ifndef ACLNN_CTS_RUNTIME_H_
#define ACLNN_CTS_RUNTIME_H_

#include <dlfcn.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "acl/acl.h"
#include "json_line.h"

namespace aclnn_cts {

/// The function of that name in the loaded libraries, or nullptr; which ones exist depends on the
/// release.
template <typename Function>
Function FindFunction(const char *name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

/// Takes the message of aclGetRecentErrMsg; may be empty.
std::string TakeErrorMessage();

/// Throws RuntimeError about `call` if the status is not 0.
void RequireSuccess(const std::string &call, aclError status);

/// A function that failed, so that a run cannot be made.
struct FailedFunction {
  const char *name;
  int32_t status;  ///< -1 if the toolkit has no such function
  std::string message;
  bool isPromised;  ///< whether it had to succeed
};

/// Calls a function that some releases lack, and that must succeed where it exists. Returns it if
/// it failed.
template <typename Function, typename... Arguments>
std::optional<FailedFunction> CallIfFound(const char *name, Arguments... arguments) {
  const auto function = FindFunction<Function>(name);
  if (function == nullptr) return FailedFunction{name, -1, "this toolkit lacks it", false};
  const int32_t status = function(arguments...);
  if (status == 0) return std::nullopt;
  return FailedFunction{name, status, TakeErrorMessage(), true};
}

/// Calls aclInit and aclFinalize.
class Runtime {
 public:
  /// Throws RuntimeError if the runtime refuses.
  Runtime();
  Runtime(const Runtime &) = delete;
  Runtime &operator=(const Runtime &) = delete;
  ~Runtime();
};

/// A stream of the device in use.
class Stream {
 public:
  /// Throws RuntimeError if the runtime refuses.
  Stream();
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  ~Stream();

  aclrtStream Handle() const { return handle_; }

 private:
  aclrtStream handle_ = nullptr;
};

/// A device in use, with a stream. A Runtime must outlive it.
class Device {
 public:
  /// Throws RuntimeError if the device cannot be used.
  explicit Device(int32_t number);
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
  ~Device();

  aclrtStream FirstStream() const { return stream_->Handle(); }

 private:
  int32_t number_;
  std::unique_ptr<Stream> stream_;
};

/// Sets a level of determinism while it lives; 0 leaves it off.
class DeterminismSwitch {
 public:
  /// Throws RuntimeError if the runtime refuses.
  explicit DeterminismSwitch(int64_t level);
  DeterminismSwitch(const DeterminismSwitch &) = delete;
  DeterminismSwitch &operator=(const DeterminismSwitch &) = delete;
  ~DeterminismSwitch();

 private:
  int64_t level_;
};

/// The `device` event: SoC name, version of CANN ("" if unknown), Inf/NaN mode.
JsonLine DescribeDevice();

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_RUNTIME_H_
