// SPDX-License-Identifier: Apache-2.0
#include "case_runner.h"

#include <map>
#include <new>
#include <set>
#include <string>

#include "errors.h"
#include "input_data.h"
#include "memory_checks.h"
#include "runtime.h"
#include "two_phase.h"

namespace aclnn_cts {
namespace {

// Numbers of the runs that explain why the second one's outputs differ; far above all others.
constexpr int64_t kFirstRepeated = 100;
constexpr int64_t kSecondRepeated = 101;
constexpr int64_t kFirstWithLateData = 102;

// If a device sums in two orders with equal probability, it repeats twelve runs by chance once in
// 4096 times. The runs that repeat the second one have no period, because a device whose order
// changes with every second, third, ... call could otherwise repeat both runs each time.
constexpr bool kRepeatsSecond[] = {false, false, true,  false, false, false,
                                   false, false, false, true,  true,  true};

// The start of outputs in the outputs file, by tensor.
using Places = std::map<std::string, int64_t>;

class CaseRunner {
 public:
  CaseRunner(const Bench &bench, aclrtStream stream, const Case &described, const InputData &data)
      : bench_(bench), stream_(stream), case_(described), data_(data) {}

  // Returns whether the device is still good.
  bool Run() {
    try {
      const DeterminismSwitch determinism(case_.determinism);
      return RunAll();
    } catch (const RuntimeError &error) {
      RecordError(error.what(), error.Status(), error.Message());
    } catch (const std::bad_alloc &) {
      RecordError("allocation of host memory", -1, "the host has too little memory for the case");
    }
    return false;
  }

 private:
  bool RunAll() {
    bool completed = true;
    for (int64_t run = 0; run < case_.runs; ++run) {
      if (!RunOnce(run == 0 ? First(run) : Second(run), completed)) return false;
    }
    // A call that fails by itself need not run in other execution variants, except many times.
    if (!completed) return RunManyTimes();
    if (!Confirm(completed)) return false;
    if (!completed) return true;
    for (size_t i = 0; i < case_.again.size(); ++i) {
      if (!RunVariant(case_.runs + static_cast<int64_t>(i), case_.again[i])) return false;
    }
    return case_.timed == 0 || RunTimed();
  }

  RunSetting First(int64_t run) const {
    return {run, ExecutionVariant::kOrdinary, stream_, Content::kFirstPoison, false};
  }
  RunSetting Second(int64_t run) const {
    return {run, ExecutionVariant::kOrdinary, stream_, Content::kLaterPoison, true};
  }

  // Finds out why the second run's outputs differ from the first one's, if they do. A device that
  // repeats the bits of either run is deterministic; then the cause is the late data, or else the
  // content of memory. Returns whether the device is still good.
  bool Confirm(bool &completed) {
    for (const bool second : kRepeatsSecond) {
      if (!completed || unexplained_.empty()) break;
      const bool good = second ? Repeat(Second(kSecondRepeated), second_, completed)
                               : Repeat(First(kFirstRepeated), first_, completed);
      if (!good) return false;
    }
    if (!completed || unexplained_.empty()) return true;
    RunSetting late = First(kFirstWithLateData);
    late.withLateData = true;
    return Repeat(late, first_, completed);
  }

  bool RunManyTimes() {
    for (size_t i = 0; i < case_.again.size(); ++i) {
      if (case_.again[i] == ExecutionVariant::kManyCalls)
        return RunVariant(case_.runs + static_cast<int64_t>(i), case_.again[i]);
    }
    return true;
  }

  // Makes a run that should give the bits of an earlier one. Returns whether the device is still
  // good.
  bool Repeat(const RunSetting &setting, const Places &earlier, bool &completed) {
    run_ = setting.number;
    const auto take = [&](const TensorFacts &facts, const TensorMemory &memory, LaunchOf launch) {
      const Repetition repetition =
          Compare(facts, earlier.at(facts.name), setting.content, memory, setting.content);
      if (repetition.different.count != 0) unexplained_.erase(facts.name);
      Record(repetition, facts, Event("repeat", launch));
    };
    const RunResult result = ExecuteRun(bench_, setting, case_, data_, take);
    completed = result.completed;
    return !result.deviceLost;
  }

  // Timed launches come last, so that they do not affect the judged runs.
  bool RunTimed() {
    run_ = case_.runs + static_cast<int64_t>(case_.again.size());
    const RunSetting setting{run_, ExecutionVariant::kOrdinary, stream_};
    const TimedLaunches timed = TimeLaunches(bench_, setting, case_, data_);
    bench_.results.Write(
        JsonLine("timing").Text("case", case_.id).Reals("microseconds", timed.microseconds));
    return !timed.deviceLost;
  }

  bool RunVariant(int64_t run, ExecutionVariant variant) {
    bool completed = true;
    if (variant != ExecutionVariant::kSecondStream) {
      return RunOnce({run, variant, stream_}, completed);
    }
    const Stream second;
    return RunOnce({run, variant, second.Handle()}, completed);
  }

  // Returns whether the device is still good; `completed` becomes false if the call failed.
  bool RunOnce(const RunSetting &setting, bool &completed) {
    run_ = setting.number;
    const auto take = [&](const TensorFacts &facts, const TensorMemory &memory, LaunchOf launch) {
      Take(facts, memory, setting.variant, launch);
    };
    const RunResult result = ExecuteRun(bench_, setting, case_, data_, take);
    completed = completed && result.completed;
    return !result.deviceLost;
  }

  // A later run's outputs are written only if they differ.
  void Take(const TensorFacts &facts, const TensorMemory &memory, ExecutionVariant variant,
            LaunchOf launch) {
    const auto first = first_.find(facts.name);
    if (first == first_.end()) {
      const int64_t start = Write(facts, memory, launch);
      if (run_ == 0) first_[facts.name] = start;
      return;
    }
    const Repetition repetition =
        Compare(facts, first->second, Content::kFirstPoison, memory, Content::kLaterPoison);
    const bool differs = repetition.different.count != 0;
    const int64_t start = differs ? Write(facts, memory, launch) : first->second;
    JsonLine line = Event("repeat", launch);
    if (variant != ExecutionVariant::kOrdinary) line.Text("again", NameOf(variant));
    Record(repetition, facts, line);
    if (run_ != 1) return;
    second_[facts.name] = start;
    // Unwritten elements differ, because each run has a different poison.
    if (repetition.different.count > repetition.unwritten.count) unexplained_.insert(facts.name);
  }

  int64_t Write(const TensorFacts &facts, const TensorMemory &memory, LaunchOf launch) {
    const int64_t start = bench_.results.OutputBytes();
    memory.VisitElements(facts, [&](int64_t, const uint8_t *dense, int64_t bytes) {
      bench_.results.WriteOutput(dense, bytes);
    });
    bench_.results.Write(Event("output", launch)
                             .Text("tensor", facts.name)
                             .Integer("offset", start)
                             .Integer("bytes", facts.elements * facts.elementBytes));
    return start;
  }

  Repetition Compare(const TensorFacts &facts, int64_t first, Content firstContent,
                     const TensorMemory &second, Content secondContent) const {
    return CompareRuns(facts, bench_.results.OutputFrom(first), PatternOf(facts, firstContent),
                       second, PatternOf(facts, secondContent));
  }

  void Record(const Repetition &repetition, const TensorFacts &facts, JsonLine line) const {
    bench_.results.Write(line.Text("tensor", facts.name)
                             .Integer("different", repetition.different.count)
                             .Integer("first", repetition.different.first)
                             .Integer("unwritten", repetition.unwritten.count)
                             .Integer("unwritten_first", repetition.unwritten.first)
                             .Integer("missing_before", repetition.missingBefore)
                             .Integer("missing", repetition.missing));
  }

  // By default an event is about the recorded launch of a run.
  JsonLine Event(const char *event, LaunchOf launch) const {
    JsonLine line(event);
    line.Text("case", case_.id).Integer("run", run_);
    if (launch == LaunchOf::kFirstOfTwo) line.Integer("launch", 0);
    return line;
  }

  void RecordError(const std::string &what, int32_t status, const std::string &message) {
    bench_.results.Write(JsonLine("error")
                             .Text("case", case_.id)
                             .Integer("run", run_)
                             .Text("what", what)
                             .Integer("status", status)
                             .Text("message", message));
  }

  const Bench &bench_;
  aclrtStream stream_;
  const Case &case_;
  const InputData &data_;
  int64_t run_ = 0;  // the run that is being made
  Places first_;
  Places second_;
  std::set<std::string> unexplained_;  // outputs of the second run that differ from the first one's
};

}  // namespace

bool RunCase(const Bench &bench, aclrtStream stream, const Case &described,
             const std::string &dataFolder) {
  const Stopwatch watch;
  bench.results.Write(JsonLine("begin").Text("case", described.id));
  const InputData data(described, dataFolder);
  const bool good = CaseRunner(bench, stream, described, data).Run();
  bench.results.Write(
      JsonLine("end").Text("case", described.id).Real("microseconds", watch.Microseconds()));
  return good;
}

}  // namespace aclnn_cts
