// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_HANDLE_TABLE_H_
#define SIMULATOR_RUNTIME_HANDLE_TABLE_H_

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#pragma GCC visibility push(default)
namespace simulator {

/// All handles of one kind: owns their objects, detects unknown and retired ones, and makes
/// aclFinalize end the program if one was not released. Thread-safe.
class HandleTable {
 public:
  /// `kind` names the handles in messages, `release` says how to release one and `renew` how to get
  /// a new one. A table lives until the process ends.
  HandleTable(const char *kind, const char *release, const char *renew);

  /// Adds an object, whose address is the handle. `note` follows the handle in messages.
  void Add(std::shared_ptr<void> object, const std::string &note = "");

  bool Holds(const void *handle) const;

  /// Ends the program unless `handle` is in the table.
  void Require(const void *handle, const char *caller) const;

  /// As Require, and removes `handle` from the table. `how` completes "was already ...".
  void Retire(const void *handle, const char *caller, const char *how);

 private:
  struct Entry {
    std::shared_ptr<void> object;
    std::string note;
  };
  struct RetiredHandle {
    Entry entry;
    const char *how;
  };

  void RequireAllReleased() const;
  std::string Describe(const Entry &entry) const;

  const char *const kind_;
  const char *const release_;
  const char *const renew_;
  mutable std::mutex mutex_;
  std::unordered_map<const void *, Entry> live_;
  // Retired objects are kept for a while, so that a stale handle is not confused with a newer one
  // at the same address.
  std::deque<RetiredHandle> retired_;
};

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_RUNTIME_HANDLE_TABLE_H_
