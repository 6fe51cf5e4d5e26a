// SPDX-License-Identifier: Apache-2.0
/// What the fake runtime offers to the fake operators beyond CANN's own calls.
#ifndef FAKE_RUNTIME_H_
#define FAKE_RUNTIME_H_

#include <functional>
#include <string>

namespace fake {

/// Counts things that must be given back before aclFinalize; aborts with a sentence when more are
/// given back than made.
void CountLive(const char *kind, int change);

/// Replaces what aclGetRecentErrMsg will return.
void SetErrorMessage(const std::string &message);

/// Runs the work at the stream's next synchronisation. Fault: `first-stream-only` drops the work of
/// all streams but the first.
void Enqueue(void *stream, std::function<void()> work);

/// Whether determinism is switched on.
int64_t Determinism();

}  // namespace fake

#endif  // FAKE_RUNTIME_H_
