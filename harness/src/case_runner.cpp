// SPDX-License-Identifier: Apache-2.0
#include "case_runner.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "errors.h"
#include "memory_checks.h"
#include "npy_file.h"
#include "run_events.h"
#include "runtime.h"
#include "two_phase.h"

namespace aclnn_cts {
namespace {

// Numbers of the runs that say why the second one's outputs differ: far behind all others.
constexpr int64_t kFirstRepeated = 100;
constexpr int64_t kSecondRepeated = 101;
constexpr int64_t kFirstWithLateData = 102;

// A sum of which two orders are equally likely repeats twelve runs by chance once in 4096 times.
// Which of them repeat the second run: in no period, or else a device whose order of additions
// changes with every second, third, ... call could repeat both runs each time.
constexpr bool kRepeatsSecond[] = {false, false, true,  false, false, false,
                                   false, false, false, true,  true,  true};

HostBytes ReadData(const Case &described, const std::string &dataFolder) {
  if (described.dataPath.empty()) return HostBytes(0);
  return ReadNpyPayload(described.dataWhere, dataFolder + "/" + described.dataPath,
                        described.dataBytes);
}

bool SameBytes(const HostBytes &a, const HostBytes &b) {
  return std::memcmp(a.Data(), b.Data(), a.Size()) == 0;
}

class CaseRunner {
 public:
  CaseRunner(const Bench &bench, aclrtStream stream, const Case &described)
      : bench_(bench), stream_(stream), case_(described) {}

  // Returns whether the device is still good.
  bool Run(const HostBytes &payload) {
    try {
      const DeterminismSwitch determinism(case_.deterministic);
      return RunAll(payload);
    } catch (const RuntimeError &error) {
      RecordError(error.what(), error.Status(), error.Message());
    } catch (const std::bad_alloc &) {
      RecordError("allocation of host memory", -1, "the host has too little memory for the case");
    }
    return false;
  }

 private:
  bool RunAll(const HostBytes &payload) {
    bool completed = true;
    for (int64_t run = 0; run < case_.runs; ++run) {
      if (!RunOnce(payload, run == 0 ? First(run) : Second(run), completed)) return false;
    }
    // What fails by itself says nothing in other execution variants.
    if (!completed) return true;
    if (!Confirm(payload, completed)) return false;
    if (!completed) return true;
    for (size_t i = 0; i < case_.again.size(); ++i) {
      if (!RunVariant(payload, case_.runs + static_cast<int64_t>(i), case_.again[i])) return false;
    }
    return case_.timed == 0 || RunTimed(payload);
  }

  RunSetting First(int64_t run) const {
    return {run, ExecutionVariant::kOrdinary, stream_, Content::kFirstPoison, false};
  }
  RunSetting Second(int64_t run) const {
    return {run, ExecutionVariant::kOrdinary, stream_, Content::kLaterPoison, true};
  }

  // Finds out why the second run's outputs differ from the first one's, if they do. A device that
  // gives either run's bits again, whenever that run is repeated, is deterministic: then it is the
  // data that came late, or else what memory held. Returns whether the device is still good.
  bool Confirm(const HostBytes &payload, bool &completed) {
    for (const bool second : kRepeatsSecond) {
      if (!completed || !IsUnexplained()) break;
      const bool good = second ? Repeat(payload, Second(kSecondRepeated), second_, completed)
                               : Repeat(payload, First(kFirstRepeated), first_, completed);
      if (!good) return false;
    }
    if (!completed || !IsUnexplained()) return true;
    RunSetting late = First(kFirstWithLateData);
    late.withLateData = true;
    return Repeat(payload, late, first_, completed);
  }

  bool IsUnexplained() const {
    return std::find(unexplained_.begin(), unexplained_.end(), true) != unexplained_.end();
  }

  // Makes a run that gives the bits of an earlier one unless there is an explanation. Returns
  // whether the device is still good.
  bool Repeat(const HostBytes &payload, const RunSetting &setting, const RunResult &earlier,
              bool &completed) {
    run_ = setting.number;
    const RunResult result = ExecuteRun(bench_, setting, case_, payload);
    if (result.deviceLost) return false;
    completed = result.completed;
    for (size_t i = 0; i < result.outputs.size(); ++i) {
      const Repetition repetition =
          Compare(earlier.outputs[i], setting.content, result.outputs[i], setting.content);
      if (repetition.different.count != 0) unexplained_[i] = false;
      Record(repetition, *result.outputs[i].facts, Event("repeat", LaunchOf::kOne));
    }
    return true;
  }

  // Last of all, so that the memory and the state of the runs that are judged do not depend on it.
  bool RunTimed(const HostBytes &payload) {
    run_ = case_.runs + static_cast<int64_t>(case_.again.size());
    const RunSetting setting{run_, ExecutionVariant::kOrdinary, stream_};
    const TimedLaunches timed = TimeLaunches(bench_, setting, case_, payload);
    bench_.results.Write(
        JsonLine("timing").Text("case", case_.id).Reals("microseconds", timed.microseconds));
    return !timed.deviceLost;
  }

  bool RunVariant(const HostBytes &payload, int64_t run, ExecutionVariant variant) {
    bool completed = true;
    if (variant != ExecutionVariant::kSecondStream) {
      return RunOnce(payload, {run, variant, stream_}, completed);
    }
    const Stream second;
    return RunOnce(payload, {run, variant, second.Handle()}, completed);
  }

  // Returns whether the device is still good; `completed` becomes false when the call failed.
  bool RunOnce(const HostBytes &payload, const RunSetting &setting, bool &completed) {
    run_ = setting.number;
    RunResult result = ExecuteRun(bench_, setting, case_, payload);
    if (result.deviceLost) return false;
    completed = completed && result.completed;
    Record(result.earlier, setting.variant, LaunchOf::kFirstOfTwo);
    Record(result.outputs, setting.variant, LaunchOf::kOne);
    if (run_ == 0) first_ = std::move(result);
    if (run_ == 1 && IsUnexplained()) second_ = std::move(result);
    return true;
  }

  void Record(const std::vector<DenseOutput> &outputs, ExecutionVariant variant, LaunchOf launch) {
    WriteOutputs(outputs, launch);
    if (first_.completed) RecordRepetitions(outputs, variant, launch);
  }

  // A later run's outputs are written only where they say something new.
  void WriteOutputs(const std::vector<DenseOutput> &outputs, LaunchOf launch) {
    for (size_t i = 0; i < outputs.size(); ++i) {
      const DenseOutput &output = outputs[i];
      if (first_.completed && SameBytes(output.bytes, first_.outputs[i].bytes)) continue;
      const int64_t start = bench_.results.WriteOutput(output.bytes);
      bench_.results.Write(Event("output", launch)
                               .Text("tensor", output.facts->name)
                               .Integer("offset", start)
                               .Integer("bytes", static_cast<int64_t>(output.bytes.Size())));
    }
  }

  void RecordRepetitions(const std::vector<DenseOutput> &outputs, ExecutionVariant variant,
                         LaunchOf launch) {
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Repetition repetition =
          Compare(first_.outputs[i], Content::kFirstPoison, outputs[i], Content::kLaterPoison);
      JsonLine line = Event("repeat", launch);
      if (variant != ExecutionVariant::kOrdinary) line.Text("again", NameOf(variant));
      Record(repetition, *outputs[i].facts, line);
      // What nobody wrote differs by its poison.
      if (run_ == 1) {
        unexplained_.push_back(repetition.different.count > repetition.unwritten.count);
      }
    }
  }

  static Repetition Compare(const DenseOutput &first, Content firstContent,
                            const DenseOutput &second, Content secondContent) {
    const TensorFacts &facts = *first.facts;
    return CompareRuns(first.bytes, PatternOf(facts, firstContent), second.bytes,
                       PatternOf(facts, secondContent), facts.elementBytes);
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

  // The recorded launch of a run is the one that is spoken of where nothing else is said.
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
  int64_t run_ = 0;  // the run that is being made
  RunResult first_;
  RunResult second_;               // only where an output is unexplained
  std::vector<bool> unexplained_;  // outputs of the second run that differ from the first one's
};

}  // namespace

bool RunCase(const Bench &bench, aclrtStream stream, const Case &described,
             const std::string &dataFolder) {
  const Stopwatch watch;
  bench.results.Write(JsonLine("begin").Text("case", described.id));
  const HostBytes payload = ReadData(described, dataFolder);
  const bool good = CaseRunner(bench, stream, described).Run(payload);
  bench.results.Write(
      JsonLine("end").Text("case", described.id).Real("microseconds", watch.Microseconds()));
  return good;
}

}  // namespace aclnn_cts
