// SPDX-License-Identifier: Apache-2.0
/// One run of one case: memory, producer, both phases, checks, outputs.
#ifndef ACLNN_CTS_CASE_RUN_H_
#define ACLNN_CTS_CASE_RUN_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "aclnn_cts/case.h"
#include "aclnn_cts/program.h"
#include "device_memory.h"
#include "input_data.h"
#include "result_files.h"
#include "run_events.h"

namespace aclnn_cts {

/// Common state of a program's cases.
struct Bench {
  const Operator &measured;
  int32_t timeoutMs;
  ResultFiles &results;
};

/// Settings of a run.
struct RunSetting {
  int64_t number;  ///< from 0
  ExecutionVariant variant;
  aclrtStream stream;
  Content content = Content::kLaterPoison;  ///< what memory holds before the call
  /// Inputs hold other data until phase one has returned; a producer runs then, too.
  bool withLateData = false;
};

/// Called with each output of a successful recorded launch, while its memory lives.
using TakeOutput = std::function<void(const TensorFacts &, const TensorMemory &, LaunchOf)>;

struct RunResult {
  bool deviceLost = false;  ///< waiting for the stream failed; it may still be busy, or broken
  bool completed = false;   ///< the call succeeded, so there were outputs
};

/// Times of timed launches.
struct TimedLaunches {
  bool deviceLost = false;           ///< as in RunResult
  std::vector<double> microseconds;  ///< device times of successful launches; NaN if unknown
};

/// Makes the run and records its events; `take` receives the outputs. Everything is released at the
/// end. Throws RuntimeError if the runtime fails outside the operators, InputError if the case does
/// not fit the program.
RunResult ExecuteRun(const Bench &bench, const RunSetting &setting, const Case &described,
                     const InputData &data, const TakeOutput &take);

/// Makes `described.timed` calls on the same memory, up to the first failure, the only one with
/// events. Nothing is checked, and no output is taken. Throws as above.
TimedLaunches TimeLaunches(const Bench &bench, const RunSetting &setting, const Case &described,
                           const InputData &data);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_CASE_RUN_H_
