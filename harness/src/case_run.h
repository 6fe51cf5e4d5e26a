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

/// What the cases of a program have in common.
struct Bench {
  const Operator &measured;
  int32_t timeoutMs;
  ResultFiles &results;
};

/// The settings in which the runs of a case differ.
struct RunSetting {
  int64_t number;  ///< from 0
  ExecutionVariant variant;
  aclrtStream stream;
  Content content = Content::kLaterPoison;  ///< what memory holds before the call
  /// Inputs hold other data until phase one has returned, and what a producer makes is made then.
  bool withLateData = false;
};

/// Called with each output of a launch that succeeded and is of interest, while its memory lives.
using TakeOutput = std::function<void(const TensorFacts &, const TensorMemory &, LaunchOf)>;

struct RunResult {
  bool deviceLost =
      false;  ///< waiting for the stream failed: the device may still be at work, or broken
  bool completed = false;  ///< the call succeeded, so there were outputs
};

/// What launches took that were made for nothing else.
struct TimedLaunches {
  bool deviceLost = false;           ///< as in RunResult
  std::vector<double> microseconds;  ///< on the device, of those that succeeded; NaN if unknown
};

/// Makes the run and records its events; the outputs are up to `take`. Everything is released when
/// it returns or throws: RuntimeError when the runtime fails outside the operators, InputError when
/// the case does not fit the program.
RunResult ExecuteRun(const Bench &bench, const RunSetting &setting, const Case &described,
                     const InputData &data, const TakeOutput &take);

/// Makes `described.timed` calls, one after the other on the same memory, up to the first that
/// fails; only that one leaves events. Nothing is checked and no output is taken. Throws as above.
TimedLaunches TimeLaunches(const Bench &bench, const RunSetting &setting, const Case &described,
                           const InputData &data);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_CASE_RUN_H_
