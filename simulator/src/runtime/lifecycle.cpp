// SPDX-License-Identifier: Apache-2.0
#include "runtime/lifecycle.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

#include "acl/acl.h"
#include "runtime/arena.h"
#include "runtime/device_list.h"
#include "runtime/error_message.h"
#include "runtime/misuse.h"
#include "runtime/product.h"
#include "runtime/stream.h"

namespace simulator {

namespace {

constexpr int32_t kNoDevice = -1;

struct Lifecycle {
  std::mutex mutex;
  bool runtimeInitialised = false;
  bool operatorsInitialised = false;
  bool everFinalised = false;
  // How often each device was set and not reset; only devices in use.
  std::map<int32_t, int> deviceUses;
  std::vector<std::function<void()>> finalChecks;
};

// The device of the thread, which may be one that is no longer in use.
thread_local int32_t current = kNoDevice;

// The addresses are the handles of the devices' default contexts.
char contexts[kMostDevices];

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

aclError NoSuchDevice(const char *caller, int32_t deviceId) {
  return Fail(ACL_ERROR_RT_INVALID_DEVICEID,
              Sentence("{}: there is no device {}; {} visible, counted from 0",
                       {Text(caller), Text(deviceId), Text(VisibleDevices())}));
}

void RunFinalChecks() {
  std::vector<std::function<void()>> checks;
  {
    const std::lock_guard<std::mutex> lock(State().mutex);
    checks = State().finalChecks;
  }
  // The latest object usually refers to earlier ones, so it is named first.
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
  if (State().deviceUses.count(current) == 0) {
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
  CurrentProduct();   // An unknown SoC name is reported at once,
  CurrentEdition();   // so is an unknown edition,
  VisibleDevices();   // so are devices that cannot be,
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
  State().deviceUses.clear();
  return ACL_SUCCESS;
}

aclError aclrtSetDevice(int32_t deviceId) {
  RequireInitialised("aclrtSetDevice");
  if (!IsVisible(deviceId)) return NoSuchDevice("aclrtSetDevice", deviceId);
  if (IsHeldElsewhere(deviceId)) {
    return Fail(ACL_ERROR_RT_DEV_SETUP_ERROR,
                Sentence("aclrtSetDevice: another process holds device {}", {Text(deviceId)}));
  }
  const std::lock_guard<std::mutex> lock(State().mutex);
  ++State().deviceUses[deviceId];
  current = deviceId;
  return ACL_SUCCESS;
}

aclError aclrtResetDevice(int32_t deviceId) {
  RequireDevice("aclrtResetDevice");
  if (!IsVisible(deviceId)) return NoSuchDevice("aclrtResetDevice", deviceId);
  RunAllStreams();
  const std::lock_guard<std::mutex> lock(State().mutex);
  const auto found = State().deviceUses.find(deviceId);
  if (found == State().deviceUses.end()) {
    Misuse("aclrtResetDevice: device {} is not in use; reset each device as often as it was set",
           deviceId);
  }
  if (--found->second > 0) return ACL_SUCCESS;
  State().deviceUses.erase(found);
  return ACL_SUCCESS;
}

aclError aclrtGetDevice(int32_t *deviceId) {
  RequireDevice("aclrtGetDevice");
  if (deviceId == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtGetDevice: null pointer");
  *deviceId = current;
  return ACL_SUCCESS;
}

aclError aclrtGetCurrentContext(aclrtContext *context) {
  RequireDevice("aclrtGetCurrentContext");
  if (context == nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM, "aclrtGetCurrentContext: null pointer");
  }
  *context = &contexts[current];
  return ACL_SUCCESS;
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  RequireInitialised("aclrtSetCurrentContext");
  const auto device = static_cast<const char *>(context) - contexts;
  if (context < contexts || device >= VisibleDevices()) {
    Misuse("aclrtSetCurrentContext: {} is no context; pass one of aclrtGetCurrentContext", context);
  }
  current = static_cast<int32_t>(device);
  RequireDevice("aclrtSetCurrentContext");
  return ACL_SUCCESS;
}

aclError aclrtGetDeviceCount(uint32_t *count) {
  RequireInitialised("aclrtGetDeviceCount");
  if (count == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtGetDeviceCount: null pointer");
  *count = static_cast<uint32_t>(VisibleDevices());
  return ACL_SUCCESS;
}
