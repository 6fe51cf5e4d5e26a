// SPDX-License-Identifier: Apache-2.0
#include "again.h"

namespace aclnn_cts {
namespace {

// The place of a case in its file makes a name that is short enough for an archive.
std::string NameOf(const Batch &batch, const CaseTexts &texts, const std::string &id) {
  size_t place = 0;
  while (place < texts.cases.size() && texts.cases[place].id != id) ++place;
  return batch.name + "-case" + std::to_string(place) + "-alone";
}

}  // namespace

std::vector<Batch> Suspects::Done(const RunPlan &plan) const {
  std::vector<Batch> done;
  for (const std::vector<Batch> &group : {hung, crashed}) {
    for (const Batch &each : group) {
      if (IsDone(plan, each)) done.push_back(each);
    }
  }
  return done;
}

Suspects SuspectsOf(const RunPlan &plan, const std::vector<Batch> &batches) {
  Suspects suspects;
  for (const Batch &batch : batches) {
    const CaseTexts texts = CasesOf(plan, batch);
    for (const ProcessFacts &process : ReadProcesses(DoneLines(plan, batch))) {
      if (process.culprit.empty()) continue;
      std::vector<Batch> &group = process.timedOut ? suspects.hung : suspects.crashed;
      group.push_back({NameOf(batch, texts, process.culprit), batch.operatorName, batch.caseFile,
                       process.culprit});
    }
  }
  return suspects;
}

std::string RunAgain(Crew &crew, const Suspects &suspects) {
  try {
    crew.Work(suspects.hung, "cases that hung, again and alone");
    // A crash may cost the device: all that can be learnt without is learnt before.
    crew.Work(suspects.crashed, "cases that crashed, again and alone");
  } catch (const NoDeviceError &error) {
    return error.what();
  }
  return "";
}

}  // namespace aclnn_cts
