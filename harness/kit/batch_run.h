// SPDX-License-Identifier: Apache-2.0
/// One batch on one device: a process, and after a crash or a hang another one for the cases that
/// are left.
#ifndef ACLNN_CTS_KIT_BATCH_RUN_H_
#define ACLNN_CTS_KIT_BATCH_RUN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "batch_files.h"
#include "child.h"
#include "process_line.h"
#include "run_plan.h"

namespace aclnn_cts {

/// Whether nothing is left to do of a batch.
bool IsDone(const RunPlan &plan, const Batch &batch);

/// The lines of JSON about the processes of a batch that is done.
std::string DoneLines(const RunPlan &plan, const Batch &batch);

/// The cases of a batch. Throws InputError when they cannot be read.
CaseTexts CasesOf(const RunPlan &plan, const Batch &batch);

/// How many cases no process of a batch that is done has begun.
size_t NeverBegun(const RunPlan &plan, const Batch &batch);

class BatchRun {
 public:
  /// Starts a process for what earlier ones have left. `plan` must outlive the object. Throws
  /// InputError.
  BatchRun(const RunPlan &plan, Batch batch, int32_t device);

  enum class State { kRunning, kOver, kDeviceRefused };

  /// Looks after the process, without waiting. Throws InputError when there is no use in going on
  /// with any batch, because the disk is full.
  State Poll();
  /// After kDeviceRefused: goes on with what is left on another device.
  void MoveTo(int32_t device);
  /// After kDeviceRefused: the sentence about it.
  const std::string &Refusal() const { return refusal_; }

 private:
  std::string Name() const { return NameOfProcess(batch_, number_); }
  void TakeUp();
  void Start();
  State ComeToEnd();
  void Note(const Ended &ended, const ToldCases &told);
  bool DropBegun(const ToldCases &told);
  bool HasMore() const;

  const RunPlan &plan_;
  Batch batch_;
  int32_t device_;
  CaseTexts left_;
  std::unique_ptr<Child> child_;
  int64_t number_ = 0;
  int64_t timeouts_ = 0;
  std::string processes_;
  std::string refusal_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_BATCH_RUN_H_
