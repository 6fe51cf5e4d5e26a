// SPDX-License-Identifier: Apache-2.0
#include "runtime/lifecycle.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "acl/acl.h"
#include "runtime/arena.h"
#include "runtime/error_message.h"
#include "runtime/misuse.h"
#include "runtime/product.h"
#include "runtime/stream.h"

namespace simulator {

namespace {

constexpr int32_t kDevice = 0;

struct Lifecycle {
  std::mutex mutex;
  bool runtimeInitialised = false;
  bool operatorsInitialised = false;
  bool everFinalised = false;
  int deviceUses = 0;
  std::vector<std::function<void()>> finalChecks;
};

// Never destroyed, because the check at exit needs it.
Lifecycle &State() {
  static Lifecycle *const state = new Lifecycle;
  return *state;
}

void RequireFinalisedAtExit() {
  if (State().runtimeInitialised) {
    Misuse("the program ended between aclInit and aclFinalize; call aclFinalize before it ends");
  }
}

void RunFinalChecks() {
  std::vector<std::function<void()>> checks;
  {
    const std::lock_guard<std::mutex> lock(State().mutex);
    checks = State().finalChecks;
  }
  // What was made last usually holds on to what was made before, so it is told first.
  std::for_each(checks.rbegin(), checks.rend(), [](const auto &check) { check(); });
}

}  // namespace

void RequireInitialised(const char *caller) {
  const std::lock_guard<std::mutex> lock(State().mutex);
  if (!State().runtimeInitialised && !State().operatorsInitialised) {
    Misuse("{} was called outside aclInit and aclFinalize; call aclInit first", caller);
  }
}

void RequireDevice(const char *caller) {
  RequireInitialised(caller);
  const std::lock_guard<std::mutex> lock(State().mutex);
  if (State().deviceUses == 0) {
    Misuse("{} was called while no device is set; call aclrtSetDevice first", caller);
  }
}

void SetOperatorsInitialised(bool initialised) {
  const std::lock_guard<std::mutex> lock(State().mutex);
  State().operatorsInitialised = initialised;
}

void AddFinalCheck(std::function<void()> check) {
  const std::lock_guard<std::mutex> lock(State().mutex);
  State().finalChecks.push_back(std::move(check));
}

}  // namespace simulator

using namespace simulator;

aclError aclInit(const char *) {
  CurrentProduct();   // An unknown SoC name is told at once,
  CurrentEdition();   // so is an unknown edition,
  Arena::Instance();  // and from here on the host cannot touch device memory.
  static const int registered = std::atexit(RequireFinalisedAtExit);
  static_cast<void>(registered);
  const std::lock_guard<std::mutex> lock(State().mutex);
  if (State().runtimeInitialised) {
    return Fail(ACL_ERROR_REPEAT_INITIALIZE, "aclInit: already initialised");
  }
  State().runtimeInitialised = true;
  return ACL_SUCCESS;
}

aclError aclFinalize() {
  {
    const std::lock_guard<std::mutex> lock(State().mutex);
    if (!State().runtimeInitialised && State().everFinalised) {
      return Fail(ACL_ERROR_REPEAT_FINALIZE, "aclFinalize: already finalised");
    }
  }
  RequireInitialised("aclFinalize");
  RunFinalChecks();
  const std::lock_guard<std::mutex> lock(State().mutex);
  State().runtimeInitialised = false;
  State().everFinalised = true;
  State().deviceUses = 0;
  return ACL_SUCCESS;
}

aclError aclrtSetDevice(int32_t deviceId) {
  RequireInitialised("aclrtSetDevice");
  if (deviceId != kDevice) {
    return Fail(ACL_ERROR_RT_INVALID_DEVICEID,
                Sentence("aclrtSetDevice: there is no device {}, only device 0", {Text(deviceId)}));
  }
  const std::lock_guard<std::mutex> lock(State().mutex);
  ++State().deviceUses;
  return ACL_SUCCESS;
}

aclError aclrtResetDevice(int32_t deviceId) {
  RequireDevice("aclrtResetDevice");
  if (deviceId != kDevice) {
    return Fail(
        ACL_ERROR_RT_INVALID_DEVICEID,
        Sentence("aclrtResetDevice: there is no device {}, only device 0", {Text(deviceId)}));
  }
  RunAllStreams();
  const std::lock_guard<std::mutex> lock(State().mutex);
  --State().deviceUses;
  return ACL_SUCCESS;
}

aclError aclrtGetDevice(int32_t *deviceId) {
  RequireDevice("aclrtGetDevice");
  if (deviceId == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtGetDevice: null pointer");
  *deviceId = kDevice;
  return ACL_SUCCESS;
}

aclError aclrtGetDeviceCount(uint32_t *count) {
  RequireInitialised("aclrtGetDeviceCount");
  if (count == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtGetDeviceCount: null pointer");
  *count = 1;
  return ACL_SUCCESS;
}
