// SPDX-License-Identifier: Apache-2.0
/// Where a run keeps what it makes.
#ifndef ACLNN_CTS_KIT_RUN_PLAN_H_
#define ACLNN_CTS_KIT_RUN_PLAN_H_

#include <cstdint>
#include <string>

#include "batch_files.h"

namespace aclnn_cts {

/// Where things are, and how long they may take.
struct RunPlan {
  std::string kit;       ///< folder with the case files and the data
  std::string work;      ///< folder for all that is made
  std::string programs;  ///< folder of the programs
  int64_t caseSeconds = 60;
};

/// The lines about the processes of a batch that is done.
std::string DoneFile(const RunPlan &plan, const Batch &batch);

/// The lines about the processes that have ended so far.
std::string EndedFile(const RunPlan &plan, const Batch &batch);

/// The lines about the cases that were running when the run was ended.
std::string CutFile(const RunPlan &plan, const Batch &batch);

/// What a process told.
std::string EventsFile(const RunPlan &plan, const std::string &process);

/// What a process computed.
std::string OutputsFile(const RunPlan &plan, const std::string &process);

/// The name of a batch's process, behind so many others.
std::string NameOfProcess(const Batch &batch, int64_t number);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_RUN_PLAN_H_
