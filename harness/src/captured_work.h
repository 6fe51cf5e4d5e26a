// SPDX-License-Identifier: Apache-2.0
/// Work of a stream that is captured, and then executed as often as one likes.
#ifndef ACLNN_CTS_CAPTURED_WORK_H_
#define ACLNN_CTS_CAPTURED_WORK_H_

#include <optional>

#include "acl/acl.h"
#include "runtime.h"

namespace aclnn_cts {

/// Owns the model that holds the work. Each function returns what failed: no page says which
/// operators and products allow a capture, so only an execution must succeed.
class CapturedWork {
 public:
  /// `stream` is not the default one.
  explicit CapturedWork(aclrtStream stream) : stream_(stream) {}
  CapturedWork(const CapturedWork &) = delete;
  CapturedWork &operator=(const CapturedWork &) = delete;
  ~CapturedWork();

  /// From here to End the stream keeps its work, and must not be waited for.
  std::optional<FailedFunction> Begin();
  std::optional<FailedFunction> End();
  /// Enqueues the work; only after End.
  std::optional<FailedFunction> Execute() const;

 private:
  aclrtStream stream_;
  bool isOpen_ = false;
  void *model_ = nullptr;  // aclmdlRI, which earlier releases do not declare
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_CAPTURED_WORK_H_
