// SPDX-License-Identifier: Apache-2.0
#include "runtime/handle_table.h"

#include "runtime/lifecycle.h"
#include "runtime/misuse.h"

namespace simulator {

namespace {

constexpr size_t kRetiredHandlesKept = 256;

}  // namespace

HandleTable::HandleTable(const char *kind, const char *release, const char *renew)
    : kind_(kind), release_(release), renew_(renew) {
  AddFinalCheck([this] { RequireAllReleased(); });
}

void HandleTable::Add(std::shared_ptr<void> object, const std::string &note) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const void *const handle = object.get();
  live_[handle] = {std::move(object), note};
}

bool HandleTable::Holds(const void *handle) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return live_.count(handle) > 0;
}

void HandleTable::Require(const void *handle, const char *caller) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (live_.count(handle) != 0) return;
  for (const RetiredHandle &retired : retired_) {
    if (retired.entry.object.get() == handle) {
      Misuse("{}: {} was already {}; {}", caller, Describe(retired.entry), retired.how, renew_);
    }
  }
  Misuse("{}: {} is not a live {}; {}", caller, handle, kind_, renew_);
}

void HandleTable::Retire(const void *handle, const char *caller, const char *how) {
  Require(handle, caller);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = live_.find(handle);
  retired_.push_back({std::move(found->second), how});
  live_.erase(found);
  if (retired_.size() > kRetiredHandlesKept) retired_.pop_front();
}

void HandleTable::RequireAllReleased() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (live_.empty()) return;
  Misuse("aclFinalize: {} of kind {} not released, among them {}; {}", live_.size(), kind_,
         Describe(live_.begin()->second), release_);
}

std::string HandleTable::Describe(const Entry &entry) const {
  const std::string handle = std::string(kind_) + " " + Text(entry.object.get());
  return entry.note.empty() ? handle : handle + " (" + entry.note + ")";
}

}  // namespace simulator
