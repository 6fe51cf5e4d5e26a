// SPDX-License-Identifier: Apache-2.0
#include "run_plan.h"

namespace aclnn_cts {

std::string DoneFile(const RunPlan &plan, const Batch &batch) {
  return plan.work + "/done/" + batch.name;
}

std::string EndedFile(const RunPlan &plan, const Batch &batch) {
  return plan.work + "/ended/" + batch.name;
}

std::string CutFile(const RunPlan &plan, const Batch &batch) {
  return plan.work + "/cut/" + batch.name;
}

std::string EventsFile(const RunPlan &plan, const std::string &process) {
  return plan.work + "/events/" + process + ".jsonl";
}

std::string OutputsFile(const RunPlan &plan, const std::string &process) {
  return plan.work + "/outputs/" + process + ".bin";
}

// As in a run at home (part_name of generator/aclnn_cts/run/process_files.py).
std::string NameOfProcess(const Batch &batch, int64_t number) {
  return number == 0 ? batch.name : batch.name + "." + std::to_string(number);
}

}  // namespace aclnn_cts
