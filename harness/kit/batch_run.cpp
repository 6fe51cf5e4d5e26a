// SPDX-License-Identifier: Apache-2.0
#include "batch_run.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "errors.h"
#include "file_reader.h"
#include "json_line.h"

namespace aclnn_cts {
namespace {

constexpr int64_t kMostRestarts = 50;
// Cases of a batch that do not end, after which its others are left out, as in a run at home
// (MOST_TIMEOUTS of generator/aclnn_cts/run/execute.py).
constexpr int64_t kMostTimeouts = 6;
// By which a program says that a file, or the runtime, refused; the device did nothing wrong.
constexpr int64_t kBadInput = 2;
constexpr int64_t kNoRuntime = 3;

std::string LastLine(const std::string &words) {
  const std::vector<std::string> lines = LinesOf(words);
  return lines.empty() ? "it said nothing" : lines.back();
}

std::string CaseFile(const RunPlan &plan, const Batch &batch) {
  return plan.kit + "/cases/" + batch.name + ".txt";
}

}  // namespace

std::string DoneFile(const RunPlan &plan, const Batch &batch) {
  return plan.work + "/done/" + batch.name;
}

std::vector<std::string> ProcessNames(const RunPlan &plan, const Batch &batch) {
  static const std::string kName = "{\"event\":\"process\",\"name\":\"";
  std::vector<std::string> names;
  for (const std::string &line : LinesOf(ReadText(DoneFile(plan, batch)))) {
    names.push_back(line.substr(kName.size(), line.find('"', kName.size()) - kName.size()));
  }
  return names;
}

size_t NeverBegun(const RunPlan &plan, const Batch &batch) {
  std::set<std::string> begun;
  for (const std::string &name : ProcessNames(plan, batch)) {
    const std::set<std::string> more = BegunCases(plan.work + "/events/" + name + ".jsonl");
    begun.insert(more.begin(), more.end());
  }
  return ReadCaseTexts(CaseFile(plan, batch)).cases.size() - begun.size();
}

BatchRun::BatchRun(const RunPlan &plan, Batch batch, int32_t device)
    : plan_(plan),
      batch_(std::move(batch)),
      device_(device),
      left_(ReadCaseTexts(CaseFile(plan, batch_))) {
  Start();
}

std::string BatchRun::NameOfProcess() const {
  return number_ == 0 ? batch_.name : batch_.name + "." + std::to_string(number_);
}

std::string BatchRun::Place(const char *folder, const char *ending) const {
  return plan_.work + "/" + folder + "/" + NameOfProcess() + ending;
}

void BatchRun::Start() {
  const std::string cases = Place("cases", ".txt");
  const std::string events = Place("events", ".jsonl");
  WriteText(cases, left_.Text());
  // What an interrupted attempt left there would count as a sign of life.
  (void)unlink(events.c_str());
  const std::string milliseconds = std::to_string(plan_.caseSeconds * 1000);
  child_ = std::make_unique<Child>(
      std::vector<std::string>{plan_.programs + "/" + batch_.operatorName, "--cases", cases,
                               "--data", plan_.kit + "/data", "--events", events, "--outputs",
                               Place("outputs", ".bin"), "--device", std::to_string(device_),
                               "--timeout-ms", milliseconds},
      // Longer than a stream is given: the program itself ends it in time.
      events, std::chrono::seconds(plan_.caseSeconds + plan_.caseSeconds / 2 + 1));
}

BatchRun::State BatchRun::Poll() {
  if (!child_->Poll()) return State::kRunning;
  const Ended ended = child_->HowItEnded();
  const bool progress = DropBegun();
  if (!ended.timedOut && ended.exitCode == kBadInput) {
    throw InputError(batch_.name + " cannot go on: " + LastLine(ended.words) +
                     "; then start run.sh again");
  }
  if (!ended.timedOut && ended.exitCode == kNoRuntime && !progress) {
    refusal_ = "device " + std::to_string(device_) + " cannot be used: " + LastLine(ended.words);
    return State::kDeviceRefused;
  }
  Note(ended);
  if (ended.timedOut) ++timeouts_;
  if (GoesOn(ended, progress)) {
    ++number_;
    Start();
    return State::kRunning;
  }
  WriteText(DoneFile(plan_, batch_), processes_);
  return State::kOver;
}

void BatchRun::MoveTo(int32_t device) {
  device_ = device;
  Start();
}

// Whether the process has begun a case; those that it has are none of the next one's.
bool BatchRun::DropBegun() {
  const std::set<std::string> begun = BegunCases(Place("events", ".jsonl"));
  const auto left =
      std::remove_if(left_.cases.begin(), left_.cases.end(),
                     [&](const CaseTexts::Entry &each) { return begun.count(each.id) != 0; });
  const bool progress = left != left_.cases.end();
  left_.cases.erase(left, left_.cases.end());
  return progress;
}

// Whether another process is to take up the cases that are left.
bool BatchRun::GoesOn(const Ended &ended, bool progress) const {
  return ended.exitCode != 0 && progress && !left_.cases.empty() && number_ < kMostRestarts &&
         timeouts_ < kMostTimeouts;
}

void BatchRun::Note(const Ended &ended) {
  const std::string events = Place("events", ".jsonl");
  // A program that died before it recorded anything left an empty record, which is one, too.
  for (const std::string &path : {events, Place("outputs", ".bin")}) {
    if (SizeOf(path) < 0) WriteText(path, "");
  }
  JsonLine line("process");
  line.Text("name", NameOfProcess())
      .Text("batch", batch_.name)
      .Text("operator", batch_.operatorName)
      .Integer("device", device_)
      .Integer("exit_code", ended.exitCode)
      .Boolean("timed_out", ended.timedOut)
      .Real("seconds", ended.seconds)
      .Text("stderr", ended.words);
  processes_ += line.Finish();
}

}  // namespace aclnn_cts
