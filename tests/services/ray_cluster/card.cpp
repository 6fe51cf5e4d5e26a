// SPDX-License-Identifier: Apache-2.0
// Loaded before the simulated device (LD_PRELOAD), it makes a host slow or bad:
// ACLNN_TEST_NAP is how many microseconds each synchronisation takes, and with ACLNN_TEST_BAD what
// comes back from the device has a bit that is wrong.
#include <dlfcn.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

namespace {

template <typename Function>
Function Next(const char *name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" int aclrtSynchronizeStreamWithTimeout(void *stream, int timeout) {
  using Function = int (*)(void *, int);
  static const auto real = Next<Function>("aclrtSynchronizeStreamWithTimeout");
  if (const char *const nap = std::getenv("ACLNN_TEST_NAP")) usleep(std::atoi(nap));
  return real(stream, timeout);
}

extern "C" int aclrtMemcpy(void *to, size_t room, const void *from, size_t size, int kind) {
  using Function = int (*)(void *, size_t, const void *, size_t, int);
  static const auto real = Next<Function>("aclrtMemcpy");
  const int status = real(to, room, from, size, kind);
  constexpr int kDeviceToHost = 2;
  if (std::getenv("ACLNN_TEST_BAD") != nullptr && kind == kDeviceToHost && size > 0) {
    *static_cast<char *>(to) ^= 0x40;
  }
  return status;
}
