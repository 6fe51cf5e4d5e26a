// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_STREAM_H_
#define SIMULATOR_RUNTIME_STREAM_H_

#include <chrono>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "acl/acl_base.h"

#pragma GCC visibility push(default)
namespace simulator {

/// A queue of work, which runs only in Run. Thread-safe.
class Stream {
 public:
  using Clock = std::chrono::steady_clock;

  void Enqueue(std::function<void()> work);

  /// From here on work is captured; false if it is already.
  bool BeginCapture();

  /// Returns the captured work, and ends the capture; only after BeginCapture.
  std::vector<std::function<void()>> EndCapture();

  bool IsCaptured() const;

  /// Runs everything that is enqueued on the calling thread.
  void Run();

  /// Runs until nothing is left (true), or `deadline` has passed between two pieces of work
  /// (false).
  bool RunUntil(Clock::time_point deadline);

 private:
  bool Take(std::function<void()> *work);

  mutable std::mutex mutex_;
  std::deque<std::function<void()>> work_;
  bool isCaptured_ = false;
  std::vector<std::function<void()>> captured_;
};

/// The stream of a handle, the default stream for null. Ends the program for an unknown handle;
/// `caller` is the calling public function.
Stream &FindStream(aclrtStream handle, const char *caller);

/// The status of a function that waits for the stream: a failure while it is captured.
aclError WaitingStatus(const Stream &stream, const char *caller);

/// Runs the work of all streams.
void RunAllStreams();

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_RUNTIME_STREAM_H_
