// SPDX-License-Identifier: Apache-2.0
/// Threads that use the device of the one that starts them.
#ifndef ACLNN_CTS_THREADS_H_
#define ACLNN_CTS_THREADS_H_

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

namespace aclnn_cts {

/// Where threads wait for each other.
class Meeting {
 public:
  explicit Meeting(size_t threads) : threads_(threads) {}

  /// Returns when all threads have come, and may come again.
  void Wait();
  /// Lets all threads go on, now and later, because one will not come.
  void GiveUp();

 private:
  const size_t threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t waiting_ = 0;
  size_t rounds_ = 0;
  bool isGivenUp_ = false;
};

/// Does work in so many threads, each with its number from 0, and waits for all of them. Throws
/// what one of them throws, and RuntimeError if they cannot use the device.
void RunInThreads(size_t threads, const std::function<void(size_t number)> &work);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_THREADS_H_
