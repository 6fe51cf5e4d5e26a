// SPDX-License-Identifier: Apache-2.0
#include "again.h"

#include <set>

#include "cut_cases.h"

namespace aclnn_cts {
namespace {

// The place of a case in its file makes a name that is short enough for an archive.
Batch Alone(const Batch &batch, const CaseTexts &texts, const std::string &id) {
  size_t place = 0;
  while (place < texts.cases.size() && texts.cases[place].id != id) ++place;
  return {batch.name + "-case" + std::to_string(place) + "-alone", batch.operatorName,
          batch.caseFile, id};
}

}  // namespace

std::vector<Batch> Suspects::Done(const RunPlan &plan) const {
  std::vector<Batch> done;
  for (const std::vector<Batch> &group : {hung, cut, crashed}) {
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
    std::set<std::string> known{""};
    for (const ProcessFacts &process : ReadProcesses(DoneLines(plan, batch))) {
      std::vector<Batch> &group = process.timedOut ? suspects.hung : suspects.crashed;
      if (known.insert(process.culprit).second) {
        group.push_back(Alone(batch, texts, process.culprit));
      }
    }
    for (const std::string &id : CutCases(plan, batch)) {
      if (known.insert(id).second) suspects.cut.push_back(Alone(batch, texts, id));
    }
  }
  return suspects;
}

std::string RunAgain(Crew &crew, const Suspects &suspects) {
  try {
    crew.Work(suspects.hung, "cases that hung, again and alone");
    crew.Work(suspects.cut, "cases that were interrupted, again and alone");
    // A crash may cost the device: all that can be learnt without is learnt before.
    crew.Work(suspects.crashed, "cases that crashed, again and alone");
  } catch (const NoDeviceError &error) {
    return error.what();
  }
  return "";
}

}  // namespace aclnn_cts
