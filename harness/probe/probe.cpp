// SPDX-License-Identifier: Apache-2.0
// Lists the devices without running anything on them: JSON lines on standard output. Arguments are
// the numbers of devices to try; with --all each device is tried.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "errors.h"
#include "json_line.h"
#include "runtime.h"

namespace {

using aclnn_cts::JsonLine;

void Print(const JsonLine &line) {
  std::fputs(line.Finish().c_str(), stdout);
  // Flush each line, because the next call may end the process.
  std::fflush(stdout);
}

uint32_t CountDevices() {
  uint32_t count = 0;
  aclnn_cts::RequireSuccess("aclrtGetDeviceCount", aclrtGetDeviceCount(&count));
  Print(JsonLine("count").Integer("devices", count));
  return count;
}

// A device without such memory, or without an answer, has no line.
void TellMemory(int32_t number) {
  size_t free = 0;
  size_t total = 0;
  const aclError status = aclrtGetMemInfo(ACL_HBM_MEM, &free, &total);
  if (status != ACL_SUCCESS) (void)aclnn_cts::TakeErrorMessage();
  if (status != ACL_SUCCESS || total == 0) return;
  Print(JsonLine("memory").Integer("number", number).Integer("free", static_cast<int64_t>(free)));
}

void TryDevice(int32_t number) {
  const aclError status = aclrtSetDevice(number);
  const std::string message = status == ACL_SUCCESS ? "" : aclnn_cts::TakeErrorMessage();
  Print(JsonLine("tried")
            .Integer("number", number)
            .Integer("status", status)
            .Text("message", message));
  if (status != ACL_SUCCESS) return;
  // Some releases know the SoC only after a device is set.
  Print(aclnn_cts::DescribeDevice());
  TellMemory(number);
  (void)aclrtResetDevice(number);
}

std::vector<int32_t> WantedDevices(int argc, char **argv, uint32_t count) {
  std::vector<int32_t> wanted;
  if (argc == 2 && std::strcmp(argv[1], "--all") == 0) {
    for (uint32_t number = 0; number < count; ++number)
      wanted.push_back(static_cast<int32_t>(number));
    return wanted;
  }
  for (int i = 1; i < argc; ++i) wanted.push_back(std::atoi(argv[i]));
  return wanted;
}

}  // namespace

int main(int argc, char **argv) {
  try {
    const aclnn_cts::Runtime runtime;
    const uint32_t count = CountDevices();
    if (count > 0) Print(aclnn_cts::DescribeDevice());
    for (const int32_t number : WantedDevices(argc, argv, count)) TryDevice(number);
    return EXIT_SUCCESS;
  } catch (const aclnn_cts::RuntimeError &error) {
    std::fprintf(stderr, "%s failed with status %d (%s)\n", error.what(), error.Status(),
                 error.Message().c_str());
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return EXIT_FAILURE;
}
