// SPDX-License-Identifier: Apache-2.0
#include "work_check.h"

#include "file_reader.h"
#include "kept_file.h"
#include "process_line.h"

namespace aclnn_cts {
namespace {

void CheckProcess(const RunPlan &plan, const ProcessFacts &process) {
  for (const std::string &path :
       {EventsFile(plan, process.name), OutputsFile(plan, process.name)}) {
    if (SizeOf(path) < 0) FailToGoOn(path, "is missing");
  }
  if (process.culprit.empty()) return;
  const std::string events = EventsFile(plan, process.name);
  if (ReadToldCases(events).LastOpen() != process.culprit) {
    FailToGoOn(events, "does not end in " + process.culprit + ", in which its process ended");
  }
}

}  // namespace

void CheckWork(const RunPlan &plan, const std::vector<Batch> &batches) {
  for (const char *folder : {"/ended", "/done", "/cut"}) CheckKept(plan.work + folder);
  for (const Batch &batch : batches) {
    const std::string ended = EndedFile(plan, batch);
    int64_t known = 0;
    if (SizeOf(ended) >= 0) {
      for (const ProcessFacts &process : ReadProcesses(ReadKept(ended))) {
        CheckProcess(plan, process);
        ++known;
      }
    }
    // A process is started only after those before it were noted.
    const std::string later = EventsFile(plan, NameOfProcess(batch, known + 1));
    if (SizeOf(later) >= 0) FailToGoOn(ended, "lacks the processes before that of " + later);
  }
}

}  // namespace aclnn_cts
