// SPDX-License-Identifier: Apache-2.0
#include "case_run.h"

#include <memory>
#include <string>
#include <utility>

#include "device_memory.h"
#include "errors.h"
#include "memory_checks.h"
#include "placement.h"
#include "two_phase.h"

namespace aclnn_cts {
namespace {

// The memory of the tensors of one call, in their order; nullptr for those that have none of their
// own.
using CallMemory = std::vector<std::unique_ptr<TensorMemory>>;

std::unique_ptr<WorkspaceMemory> AllocateWorkspace(uint64_t bytes, int64_t slack, uint8_t poison) {
  if (bytes == 0) return nullptr;
  if (bytes > uint64_t{1} << 50) {
    throw RuntimeError("aclrtMalloc of a workspace of " + std::to_string(bytes) + " bytes", -1,
                       "no device has that much memory");
  }
  return std::make_unique<WorkspaceMemory>(static_cast<int64_t>(bytes), slack, poison);
}

void *AddressOrNull(const std::unique_ptr<WorkspaceMemory> &workspace) {
  return workspace ? workspace->Address() : nullptr;
}

class CaseRun {
 public:
  CaseRun(const Bench &bench, aclrtStream stream, const Case &described, int64_t run,
          const HostBytes &payload)
      : bench_(bench), stream_(stream), case_(described), run_(run) {
    measured_ = Allocate(described.measured, payload);
    produced_ = Allocate(described.producer, payload);
  }

  RunResult Execute() {
    if (!case_.producer.tensors.empty() && !Produce()) return std::move(result_);
    const Arguments arguments(case_.where, case_.measured, [this](const TensorFacts &facts) {
      return MemoryOf(facts).Address();
    });
    PlannedCall call(bench_.measured, arguments);
    RecordPhaseOne(call);
    arguments.RequireAllAsked();
    if (call.Status() == 0) {
      Launch(call);
    } else {
      CheckTensors(false);
    }
    return std::move(result_);
  }

 private:
  JsonLine Event(const char *event) const {
    JsonLine line(event);
    line.Text("case", case_.id).Integer("run", run_);
    return line;
  }

  CallMemory Allocate(const Parameters &parameters, const HostBytes &payload) const {
    CallMemory memory;
    for (const TensorFacts &facts : parameters.tensors) {
      const bool owns = facts.source == Source::kData || facts.source == Source::kOutput ||
                        facts.source == Source::kScratch;
      const uint8_t *data =
          facts.source == Source::kData ? payload.Data() + facts.dataOffset : nullptr;
      memory.push_back(
          owns ? std::make_unique<TensorMemory>(facts, case_.slackBytes, data, PoisonOf(run_))
               : nullptr);
    }
    return memory;
  }

  static TensorMemory &Find(const Parameters &parameters, const CallMemory &memory,
                            const std::string &name) {
    return *memory[static_cast<size_t>(parameters.FindTensor(name) - parameters.tensors.data())];
  }

  // The memory of a tensor of the measured call; the case file promises that a tensor from the
  // producer has some.
  TensorMemory &MemoryOf(const TensorFacts &facts) const {
    return facts.source == Source::kProducer ? Find(case_.producer, produced_, facts.name)
                                             : Find(case_.measured, measured_, facts.name);
  }

  TensorMemory &ProducerMemoryOf(const TensorFacts &facts) const {
    return facts.source == Source::kSame ? Find(case_.measured, measured_, facts.same)
                                         : Find(case_.producer, produced_, facts.name);
  }

  void RecordProducer(int64_t phase, int32_t status, const std::string &message) {
    bench_.results.Write(Event("producer")
                             .Integer("phase", phase)
                             .Integer("status", status)
                             .Text("message", message));
  }

  // Runs the producer; false when it failed.
  bool Produce() {
    const Arguments arguments(case_.where, case_.producer, [this](const TensorFacts &facts) {
      return ProducerMemoryOf(facts).Address();
    });
    PlannedCall call(*bench_.producer, arguments);
    RecordProducer(1, call.Status(), call.Message());
    arguments.RequireAllAsked();
    if (call.Status() != 0) return false;
    const auto workspace =
        AllocateWorkspace(call.WorkspaceBytes(), case_.slackBytes, WorkspacePoisonOf(run_));
    const LaunchResult launched = call.Launch(AddressOrNull(workspace), stream_, bench_.timeoutMs);
    result_.deviceLost = launched.synchronize != 0;
    const int32_t status = launched.status != 0 ? launched.status : launched.synchronize;
    RecordProducer(2, status, launched.message);
    if (status == 0) TakeOver();
    return status == 0;
  }

  // The measured call answers only for what it changes itself, so what the producer left counts as
  // expected.
  void TakeOver() {
    for (const TensorFacts &facts : case_.measured.tensors) {
      if (facts.source != Source::kProducer) continue;
      TensorMemory &memory = MemoryOf(facts);
      memory.Download();
      memory.AcceptChanges();
    }
    for (const TensorFacts &facts : case_.producer.tensors) {
      if (facts.source != Source::kSame) continue;
      TensorMemory &memory = ProducerMemoryOf(facts);
      memory.Download();
      if (memory.IsUnchanged()) continue;
      throw RuntimeError("running the producer, which changed " + facts.same, -1, "");
    }
  }

  void RecordPhaseOne(const PlannedCall &call) {
    bench_.results.Write(Event("phase1")
                             .Integer("status", call.Status())
                             .Integer("workspace", static_cast<int64_t>(call.WorkspaceBytes()))
                             .Real("microseconds", call.Microseconds())
                             .Text("message", call.Message()));
  }

  void Launch(PlannedCall &call) {
    const auto workspace =
        AllocateWorkspace(call.WorkspaceBytes(), case_.slackBytes, WorkspacePoisonOf(run_));
    const LaunchResult launched = call.Launch(AddressOrNull(workspace), stream_, bench_.timeoutMs);
    bench_.results.Write(Event("phase2")
                             .Integer("status", launched.status)
                             .Integer("synchronize", launched.synchronize)
                             .Real("microseconds", launched.microseconds)
                             .Real("device_microseconds", launched.deviceMicroseconds)
                             .Text("message", launched.message));
    result_.deviceLost = launched.synchronize != 0;
    if (result_.deviceLost) return;  // the memory cannot be read while the device may be writing
    result_.completed = launched.status == 0;
    CheckTensors(result_.completed);
    if (workspace) RecordFindings("workspace", CheckWorkspace(*workspace));
    if (result_.completed) CollectOutputs();
  }

  void RecordFindings(const std::string &name, const std::vector<Finding> &findings) {
    for (const Finding &finding : findings) {
      bench_.results.Write(Event("memory")
                               .Text("tensor", name)
                               .Text("kind", finding.kind)
                               .Integer("first", finding.difference.first)
                               .Integer("count", finding.difference.count)
                               .Text("unit", finding.unit));
    }
  }

  void CheckTensors(bool mayWrite) {
    for (const TensorFacts &facts : case_.measured.tensors) {
      if (facts.source == Source::kNull) continue;
      TensorMemory &memory = MemoryOf(facts);
      memory.Download();
      RecordFindings(facts.name, CheckTensor(facts, memory, mayWrite));
    }
  }

  void CollectOutputs() {
    for (const TensorFacts &facts : case_.measured.tensors) {
      if (facts.source != Source::kOutput) continue;
      DenseOutput output{&facts, HostBytes(facts.elements * facts.elementBytes)};
      Gather(facts, MemoryOf(facts).Found().Data() + kGuardBytes, output.bytes.Data());
      result_.outputs.push_back(std::move(output));
    }
  }

  const Bench &bench_;
  aclrtStream stream_;
  const Case &case_;
  int64_t run_;
  CallMemory measured_;
  CallMemory produced_;
  RunResult result_;
};

}  // namespace

RunResult ExecuteRun(const Bench &bench, aclrtStream stream, const Case &run, int64_t runNumber,
                     const HostBytes &payload) {
  return CaseRun(bench, stream, run, runNumber, payload).Execute();
}

}  // namespace aclnn_cts
