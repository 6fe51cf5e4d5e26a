// SPDX-License-Identifier: Apache-2.0
#include "threads.h"

#include <future>
#include <vector>

#include "runtime.h"

namespace aclnn_cts {

void Meeting::Wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  const size_t round = rounds_;
  if (++waiting_ == threads_) {
    waiting_ = 0;
    ++rounds_;
    changed_.notify_all();
  }
  changed_.wait(lock, [&] { return rounds_ != round || isGivenUp_; });
}

void Meeting::GiveUp() {
  const std::lock_guard<std::mutex> lock(mutex_);
  isGivenUp_ = true;
  changed_.notify_all();
}

void RunInThreads(size_t threads, const std::function<void(size_t number)> &work) {
  aclrtContext context = nullptr;
  RequireSuccess("aclrtGetCurrentContext", aclrtGetCurrentContext(&context));
  std::vector<std::future<void>> running;
  for (size_t number = 0; number < threads; ++number) {
    running.push_back(std::async(std::launch::async, [context, number, &work] {
      RequireSuccess("aclrtSetCurrentContext", aclrtSetCurrentContext(context));
      work(number);
    }));
  }
  for (std::future<void> &each : running) each.get();
}

}  // namespace aclnn_cts
