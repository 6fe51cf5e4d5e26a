// SPDX-License-Identifier: Apache-2.0
/// One process of a program, watched: it may crash or hang, but not hold up the run.
#ifndef ACLNN_CTS_KIT_CHILD_H_
#define ACLNN_CTS_KIT_CHILD_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "file_descriptor.h"

namespace aclnn_cts {

/// How a process ended.
struct Ended {
  int64_t exitCode = 0;   ///< negative for the signal that ended it
  bool timedOut = false;  ///< it was ended because its events stood still for too long
  double seconds = 0;
  std::string words;  ///< the end of what it wrote on standard error
};

/// Leads a process group of its own, which ends with it, and with the runner.
class Child {
 public:
  /// Throws InputError when no process can be started.
  Child(std::vector<std::string> command, std::string events, std::chrono::seconds silence);
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;
  /// Kills the group if it still runs.
  ~Child();

  /// Looks after the process, without waiting: ends the group if its events stood still for too
  /// long, first with TERM, then with KILL. True when the process has ended.
  bool Poll();
  /// Valid after Poll() returned true.
  const Ended &HowItEnded() const { return ended_; }

 private:
  using Clock = std::chrono::steady_clock;

  void Listen();
  void Watch(Clock::time_point now);
  void Reaped(int status);

  std::string events_;
  FileDescriptor words_{-1};
  std::chrono::seconds silence_;
  Clock::time_point started_;
  Clock::time_point lastSign_;
  int64_t recorded_ = -1;
  pid_t group_ = -1;
  Ended ended_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_CHILD_H_
