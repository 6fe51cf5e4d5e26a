// SPDX-License-Identifier: Apache-2.0
#include "case_runner.h"

#include <cstring>
#include <new>
#include <utility>

#include "errors.h"
#include "memory_checks.h"
#include "npy_file.h"
#include "run_events.h"
#include "runtime.h"
#include "two_phase.h"

namespace aclnn_cts {
namespace {

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
      if (!RunOnce(payload, {run, Circumstance::kOrdinary, stream_}, completed)) return false;
    }
    // What fails by itself says nothing under other circumstances.
    if (!completed) return true;
    for (size_t i = 0; i < case_.again.size(); ++i) {
      if (!RunAgain(payload, case_.runs + static_cast<int64_t>(i), case_.again[i])) return false;
    }
    return case_.timed == 0 || RunTimed(payload);
  }

  // Last of all, so that the memory and the state of the runs that are judged do not depend on it.
  bool RunTimed(const HostBytes &payload) {
    run_ = case_.runs + static_cast<int64_t>(case_.again.size());
    const RunSetting setting{run_, Circumstance::kOrdinary, stream_};
    const TimedLaunches timed = TimeLaunches(bench_, setting, case_, payload);
    bench_.results.Write(
        JsonLine("timing").Text("case", case_.id).Reals("microseconds", timed.microseconds));
    return !timed.deviceLost;
  }

  bool RunAgain(const HostBytes &payload, int64_t run, Circumstance circumstance) {
    bool completed = true;
    if (circumstance != Circumstance::kSecondStream) {
      return RunOnce(payload, {run, circumstance, stream_}, completed);
    }
    const Stream second;
    return RunOnce(payload, {run, circumstance, second.Handle()}, completed);
  }

  // Returns whether the device is still good; `completed` becomes false when the call failed.
  bool RunOnce(const HostBytes &payload, const RunSetting &setting, bool &completed) {
    run_ = setting.number;
    RunResult result = ExecuteRun(bench_, setting, case_, payload);
    if (result.deviceLost) return false;
    completed = completed && result.completed;
    Record(result.earlier, setting.circumstance, LaunchOf::kFirstOfTwo);
    Record(result.outputs, setting.circumstance, LaunchOf::kOne);
    if (run_ == 0) first_ = std::move(result);
    return true;
  }

  void Record(const std::vector<DenseOutput> &outputs, Circumstance circumstance, LaunchOf launch) {
    WriteOutputs(outputs, launch);
    if (first_.completed) RecordRepetitions(outputs, circumstance, launch);
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

  void RecordRepetitions(const std::vector<DenseOutput> &outputs, Circumstance circumstance,
                         LaunchOf launch) {
    for (size_t i = 0; i < outputs.size(); ++i) {
      const TensorFacts &facts = *outputs[i].facts;
      const Repetition repetition =
          CompareRuns(first_.outputs[i].bytes, PoisonOf(0), outputs[i].bytes, PoisonOf(run_),
                      facts.elementBytes);
      JsonLine line = Event("repeat", launch);
      if (circumstance != Circumstance::kOrdinary) line.Text("again", NameOf(circumstance));
      bench_.results.Write(line.Text("tensor", facts.name)
                               .Integer("different", repetition.different.count)
                               .Integer("first", repetition.different.first)
                               .Integer("unwritten", repetition.unwritten.count)
                               .Integer("unwritten_first", repetition.unwritten.first)
                               .Integer("missing_before", repetition.missingBefore)
                               .Integer("missing", repetition.missing));
    }
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
