// SPDX-License-Identifier: Apache-2.0
/// The CANN runtime: starting and ending it, and what it says about the device.
#ifndef ACLNN_CTS_RUNTIME_H_
#define ACLNN_CTS_RUNTIME_H_

#include <cstdint>
#include <memory>
#include <string>

#include "acl/acl.h"
#include "json_line.h"

namespace aclnn_cts {

/// What aclGetRecentErrMsg returns, which empties it; "" when there is nothing.
std::string TakeErrorMessage();

/// Throws RuntimeError about `call` when the status is not 0.
void RequireSuccess(const std::string &call, aclError status);

/// Between aclInit and aclFinalize.
class Runtime {
 public:
  /// Throws RuntimeError when the runtime refuses.
  Runtime();
  Runtime(const Runtime &) = delete;
  Runtime &operator=(const Runtime &) = delete;
  ~Runtime();
};

/// A stream of the device in use.
class Stream {
 public:
  /// Throws RuntimeError when the runtime refuses.
  Stream();
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  ~Stream();

  aclrtStream Handle() const { return handle_; }

 private:
  aclrtStream handle_ = nullptr;
};

/// One device in use, with a stream. Needs a Runtime that lives longer.
class Device {
 public:
  /// Throws RuntimeError when the device cannot be used.
  explicit Device(int32_t number);
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
  ~Device();

  aclrtStream FirstStream() const { return stream_->Handle(); }

 private:
  int32_t number_;
  std::unique_ptr<Stream> stream_;
};

/// While it lives, operators are asked to be deterministic if `wanted`.
class DeterminismSwitch {
 public:
  /// Throws RuntimeError when the runtime refuses.
  explicit DeterminismSwitch(bool wanted);
  DeterminismSwitch(const DeterminismSwitch &) = delete;
  DeterminismSwitch &operator=(const DeterminismSwitch &) = delete;
  ~DeterminismSwitch();

 private:
  bool wanted_;
};

/// The `device` event: SoC name, version of CANN ("" when it has no way to tell), Inf/NaN mode.
JsonLine DescribeDevice();

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_RUNTIME_H_
