// SPDX-License-Identifier: Apache-2.0
#include "runtime/device_list.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/misuse.h"

namespace simulator {

namespace {

constexpr int32_t kDefaultCount = 8;
constexpr int32_t kNoNumber = -1;

// Parses one to three digits; else kNoNumber.
int32_t Number(const std::string &text) {
  const bool digits =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits && !text.empty() && text.size() <= 3 ? std::atoi(text.c_str()) : kNoNumber;
}

std::vector<int32_t> Numbers(const std::string &list) {
  std::vector<int32_t> numbers;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) numbers.push_back(Number(part));
  return numbers;
}

int32_t ReadCount() {
  const char *text = std::getenv("ACLNN_SIM_DEVICES");
  if (text == nullptr) return kDefaultCount;
  const int32_t count = Number(text);
  if (count == kNoNumber || count > kMostDevices) {
    Misuse("ACLNN_SIM_DEVICES is '{}'; use a number from 0 to 64", text);
  }
  return count;
}

std::vector<int32_t> ReadVisible() {
  const int32_t count = ReadCount();
  std::vector<int32_t> visible;
  const char *text = std::getenv("ASCEND_RT_VISIBLE_DEVICES");
  if (text == nullptr) {
    for (int32_t device = 0; device < count; ++device) visible.push_back(device);
    return visible;
  }
  for (const int32_t device : Numbers(text)) {
    const bool known = device != kNoNumber && device < count;
    if (!known || std::find(visible.begin(), visible.end(), device) != visible.end()) break;
    visible.push_back(device);
  }
  return visible;
}

std::vector<int32_t> ReadBusy() {
  const char *text = std::getenv("ACLNN_SIM_BUSY");
  if (text == nullptr) return {};
  std::vector<int32_t> busy = Numbers(text);
  if (std::find(busy.begin(), busy.end(), kNoNumber) != busy.end()) {
    Misuse("ACLNN_SIM_BUSY is '{}'; use device numbers with commas between them", text);
  }
  return busy;
}

const std::vector<int32_t> &Visible() {
  static const auto *const visible = new std::vector<int32_t>(ReadVisible());
  return *visible;
}

const std::vector<int32_t> &Busy() {
  static const auto *const busy = new std::vector<int32_t>(ReadBusy());
  return *busy;
}

}  // namespace

int32_t VisibleDevices() {
  Busy();  // Report a mistake in it at the start, and not only when a device is set.
  return static_cast<int32_t>(Visible().size());
}

bool IsVisible(int32_t deviceId) { return deviceId >= 0 && deviceId < VisibleDevices(); }

bool IsHeldElsewhere(int32_t deviceId) {
  const int32_t ofHost = Visible()[static_cast<size_t>(deviceId)];
  return std::find(Busy().begin(), Busy().end(), ofHost) != Busy().end();
}

}  // namespace simulator
