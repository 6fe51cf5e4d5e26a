// SPDX-License-Identifier: Apache-2.0
#include "work_check.h"

#include "file_reader.h"
#include "kept_file.h"
#include "process_line.h"
#include "sha256.h"

namespace aclnn_cts {
namespace {

void CheckProcess(const RunPlan &plan, const ProcessFacts &process) {
  (void)CheckedDigest(EventsFile(plan, process.name), process.eventsDigest);
  (void)CheckedDigest(OutputsFile(plan, process.name), process.outputsDigest);
}

}  // namespace

std::string CheckedDigest(const std::string &path, const std::string &left) {
  if (SizeOf(path) < 0) FailToGoOn(path, "is missing");
  if (DigestOf(path) != left) FailToGoOn(path, "is not what its process left");
  return left;
}

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
