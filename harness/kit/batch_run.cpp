// SPDX-License-Identifier: Apache-2.0
#include "batch_run.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "cut_cases.h"
#include "errors.h"
#include "file_reader.h"
#include "kept_file.h"
#include "sha256.h"

namespace aclnn_cts {
namespace {

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

// By the same rules as the judge at home (generator/aclnn_cts/judge/pairing.py).
std::string CulpritOf(const Ended &ended, const ToldCases &told) {
  const bool whole = ended.exitCode == 0 && told.finished;
  const bool refused = ended.exitCode == kBadInput && !told.finished;
  const bool died = ended.timedOut || (!whole && !refused);
  return died ? told.LastOpen() : "";
}

}  // namespace

bool IsDone(const RunPlan &plan, const Batch &batch) { return SizeOf(DoneFile(plan, batch)) >= 0; }

std::string DoneLines(const RunPlan &plan, const Batch &batch) {
  return ReadKept(DoneFile(plan, batch));
}

CaseTexts CasesOf(const RunPlan &plan, const Batch &batch) {
  CaseTexts texts = ReadCaseTexts(plan.kit + "/cases/" + batch.caseFile + ".txt");
  if (batch.about.empty()) return texts;
  const auto others =
      std::remove_if(texts.cases.begin(), texts.cases.end(),
                     [&](const CaseTexts::Entry &each) { return each.id != batch.about; });
  texts.cases.erase(others, texts.cases.end());
  return texts;
}

size_t NeverBegun(const RunPlan &plan, const Batch &batch) {
  std::set<std::string> begun;
  for (const ProcessFacts &process : ReadProcesses(DoneLines(plan, batch))) {
    const ToldCases told = ReadToldCases(EventsFile(plan, process.name));
    begun.insert(told.begun.begin(), told.begun.end());
  }
  return CasesOf(plan, batch).cases.size() - begun.size();
}

BatchRun::BatchRun(const RunPlan &plan, Batch batch, int32_t device)
    : plan_(plan), batch_(std::move(batch)), device_(device), left_(CasesOf(plan, batch_)) {
  TakeUp();
  if (HasMore()) Start();
}

// What an interrupted run knows of the batch stays known: a case that crashed is not run in the
// batch once more until it passes.
void BatchRun::TakeUp() {
  const std::string ended = EndedFile(plan_, batch_);
  if (SizeOf(ended) < 0) return;
  processes_ = ReadKept(ended);
  for (const ProcessFacts &process : ReadProcesses(processes_)) {
    (void)DropBegun(ReadToldCases(EventsFile(plan_, process.name)));
    timeouts_ += process.timedOut ? 1 : 0;
    ++number_;
  }
}

void BatchRun::Start() {
  const std::string cases = plan_.work + "/cases/" + Name() + ".txt";
  const std::string events = EventsFile(plan_, Name());
  WriteText(cases, left_.Text());
  // What an interrupted attempt left there would count as a sign of life. It may be all that is
  // known of a crash.
  RememberCut(plan_, batch_, events);
  (void)unlink(events.c_str());
  const std::string milliseconds = std::to_string(plan_.caseSeconds * 1000);
  child_ = std::make_unique<Child>(
      std::vector<std::string>{plan_.programs + "/" + batch_.operatorName, "--cases", cases,
                               "--data", plan_.kit + "/data", "--events", events, "--outputs",
                               OutputsFile(plan_, Name()), "--device", std::to_string(device_),
                               "--timeout-ms", milliseconds},
      // Longer than a stream is given: the program itself ends it in time.
      events, std::chrono::seconds(plan_.caseSeconds + plan_.caseSeconds / 2 + 1));
}

BatchRun::State BatchRun::Poll() {
  if (child_ == nullptr) return ComeToEnd();
  if (!child_->Poll()) return State::kRunning;
  const Ended ended = child_->HowItEnded();
  const ToldCases told = ReadToldCases(EventsFile(plan_, Name()));
  const bool progress = DropBegun(told);
  if (!ended.timedOut && ended.exitCode == kBadInput && !told.finished) {
    throw InputError(batch_.name + " cannot go on: " + LastLine(ended.words) +
                     "; then start run.sh again");
  }
  if (!ended.timedOut && ended.exitCode == kNoRuntime && !progress) {
    refusal_ = "device " + std::to_string(device_) + " cannot be used: " + LastLine(ended.words);
    return State::kDeviceRefused;
  }
  Note(ended, told);
  // A program that dies before its first case would do so for ever.
  if (!progress || !HasMore()) return ComeToEnd();
  Start();
  return State::kRunning;
}

BatchRun::State BatchRun::ComeToEnd() {
  WriteKept(DoneFile(plan_, batch_), processes_);
  return State::kOver;
}

void BatchRun::MoveTo(int32_t device) {
  device_ = device;
  Start();
}

// Whether the process has begun a case; those that it has are none of the next one's.
bool BatchRun::DropBegun(const ToldCases &told) {
  const auto left =
      std::remove_if(left_.cases.begin(), left_.cases.end(),
                     [&](const CaseTexts::Entry &each) { return told.HasBegun(each.id); });
  const bool progress = left != left_.cases.end();
  left_.cases.erase(left, left_.cases.end());
  return progress;
}

// Whether another process is to take up the cases that are left.
bool BatchRun::HasMore() const { return !left_.cases.empty() && timeouts_ < kMostTimeouts; }

void BatchRun::Note(const Ended &ended, const ToldCases &told) {
  // A program that died before it recorded anything left an empty record, which is one, too.
  const std::string events = EventsFile(plan_, Name());
  const std::string outputs = OutputsFile(plan_, Name());
  for (const std::string &path : {events, outputs}) {
    if (SizeOf(path) < 0) WriteText(path, "");
    // What is noted of it must not be more than what a loss of power leaves.
    KeepOnDisk(path);
  }
  const ProcessFacts facts{Name(), CulpritOf(ended, told), ended.timedOut, DigestOf(events),
                           DigestOf(outputs)};
  processes_ += ProcessLine(facts, batch_, device_, ended);
  WriteKept(EndedFile(plan_, batch_), processes_);
  timeouts_ += ended.timedOut ? 1 : 0;
  ++number_;
}

}  // namespace aclnn_cts
