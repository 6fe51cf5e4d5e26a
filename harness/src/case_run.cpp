// SPDX-License-Identifier: Apache-2.0
#include "case_run.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "captured_work.h"
#include "case_memory.h"
#include "errors.h"
#include "memory_checks.h"
#include "moved_addresses.h"
#include "run_events.h"
#include "runtime_checks.h"
#include "side_call.h"
#include "threads.h"
#include "two_phase.h"
#include "workspace.h"

namespace aclnn_cts {
namespace {

// Pause between timed launches, so that a short disturbance of the device affects few of them.
constexpr std::chrono::milliseconds kBetweenTimed(1);

// Alive executors of the variant kManyPlanned, without the measured one.
constexpr size_t kDecoysPlanned = 31;

// Calls of the variant kFourThreads.
constexpr size_t kThreads = 4;

// Calls after which the use of memory is looked at.
constexpr int64_t kCallsPerLook = 250;
// As long as memory grows, there are more calls than the case asks for, up to this many times.
constexpr int64_t kMostTimesTheCalls = 200;

using Bytes = std::vector<uint8_t>;

Bytes ElementsOf(const TensorFacts &facts, const TensorMemory &memory) {
  Bytes elements;
  elements.reserve(static_cast<size_t>(facts.elements * facts.elementBytes));
  memory.VisitElements(facts, [&](int64_t, const uint8_t *dense, int64_t bytes) {
    elements.insert(elements.end(), dense, dense + bytes);
  });
  return elements;
}

int64_t CountDifferent(const Bytes &a, const Bytes &b, int64_t elementBytes) {
  if (a == b) return 0;
  int64_t count = 0;
  const auto size = static_cast<size_t>(elementBytes);
  for (size_t i = 0; i + size <= a.size(); i += size) {
    count += std::memcmp(&a[i], &b[i], size) != 0 ? 1 : 0;
  }
  return count;
}

class CaseRun {
 public:
  CaseRun(const Bench &bench, const RunSetting &setting, const Case &described,
          const InputData &data, const TakeOutput &take)
      : bench_(bench),
        setting_(setting),
        case_(described),
        data_(data),
        take_(take),
        events_(bench.results, described.id, setting.number) {}

  RunResult Execute() {
    if (IsFirstAmongOthers()) CallOthersBefore();
    if (result_.deviceLost) return result_;
    switch (setting_.variant) {
      case ExecutionVariant::kKeptWorkspace:
        CallWithKeptWorkspace();
        break;
      case ExecutionVariant::kAfterOthers:
        if (CallOther(case_.others.front())) CallOnce();
        break;
      case ExecutionVariant::kAmongOthers:
        CallAmongOthers();
        break;
      case ExecutionVariant::kInFlight:
        CallInFlight();
        break;
      case ExecutionVariant::kPlannedBetween:
        CallPlannedBefore(1);
        break;
      case ExecutionVariant::kRepeatableExecutor:
        LaunchTwice();
        break;
      case ExecutionVariant::kMovedAddresses:
        LaunchAtMovedAddresses();
        break;
      case ExecutionVariant::kCaptured:
        ExecuteCaptured();
        break;
      case ExecutionVariant::kOtherThread:
        LaunchInOtherThread();
        break;
      case ExecutionVariant::kFourThreads:
        CallInThreads();
        break;
      case ExecutionVariant::kDefaultStream:
        CallOnDefaultStream();
        break;
      case ExecutionVariant::kSharedWorkspace:
        CallWithSharedWorkspace();
        break;
      case ExecutionVariant::kManyPlanned:
        CallPlannedBefore(kDecoysPlanned);
        break;
      case ExecutionVariant::kManyCalls:
        CallManyTimes();
        break;
      default:
        CallOnce();
    }
    return result_;
  }

  // Nothing is checked or refilled in between, because the content of caches is part of the time.
  TimedLaunches Time(int64_t launches) {
    TimedLaunches timed;
    const CaseMemory memory(case_, TrueData());
    if (!Produce(memory)) return {result_.deviceLost, {}};
    const Arguments arguments = ArgumentsOf(memory);
    // Nothing is recorded meanwhile, so stop before the runner takes it for a hang.
    const Stopwatch watch;
    for (int64_t i = 0; i < launches && watch.Microseconds() < 500.0 * bench_.timeoutMs; ++i) {
      PlannedCall call(bench_.measured, arguments);
      if (!Accepted(call)) break;
      ProvideWorkspace(call);
      const LaunchResult launched =
          call.Launch(workspace_.Address(), setting_.stream, bench_.timeoutMs);
      timed.deviceLost = launched.synchronize != 0;
      if (timed.deviceLost || launched.status != 0) {
        events_.PhaseTwo(launched);
        break;
      }
      timed.microseconds.push_back(launched.deviceMicroseconds);
      std::this_thread::sleep_for(kBetweenTimed);
    }
    return timed;
  }

 private:
  // Only failures of timed launches are recorded.
  bool Accepted(const PlannedCall &call) {
    if (call.Status() != 0) events_.PhaseOne(call);
    return call.Status() == 0;
  }

  Filling Data(Alteration alteration) const {
    return {data_, alteration, setting_.content, setting_.content};
  }
  Filling TrueData() const { return Data(Alteration::kNone); }
  // also of an input that only a producer can make
  Filling Zeros() const { return {data_, Alteration::kZeros, setting_.content, Content::kZeros}; }

  void CallOnce() {
    if (setting_.withLateData) {
      CallWithLateData();
      return;
    }
    const CaseMemory memory(case_, TrueData());
    if (Produce(memory)) Call(memory);
  }

  // Phase one sees wrong elements of inputs.
  void CallWithLateData() {
    CaseMemory memory(case_, Data(Alteration::kInverted));
    const Arguments arguments = ArgumentsOf(memory);
    PlannedCall call(bench_.measured, arguments);
    if (!GoesOn(call, arguments, memory)) return;
    memory.RefillInputs(TrueData());
    if (Produce(memory)) Launch(call, memory);
  }

  // Other calls use the workspace first. The first one has the true data, because the leftovers of
  // zeros could look like a fresh workspace. The next one has other data, so that its leftovers are
  // not by chance what the recorded call needs.
  void CallWithKeptWorkspace() {
    events_.Enter(LaunchOf::kFirstOfTwo);
    CallOnce();
    if (!ForgetResult()) return;
    CallWithReversedNumbers();
    if (!ForgetResult()) return;
    events_.Enter(LaunchOf::kSecondOfTwo);
    CallOnce();
  }

  void CallWithReversedNumbers() {
    const CaseMemory memory(case_, Data(Alteration::kReversed));
    takes_ = false;
    if (Produce(memory)) Call(memory);
    takes_ = true;
  }

  // One decoy on each side, because launches may overwrite shared state of the previous or the next
  // one. Right before the call, another one writes other results to its outputs, and then the
  // inputs get their data, so that a device that breaks the order of a stream gives wrong results.
  void CallInFlight() {
    Decoy before(bench_, setting_, case_, events_);
    Decoy behind(bench_, setting_, case_, events_);
    if (!before.Call().IsPlanned() || !behind.Call().IsPlanned()) return;
    const CaseMemory memory(case_, Data(Alteration::kReversed));
    const CaseMemory other(case_, Data(Alteration::kReversed));
    const CaseMemory data(case_, TrueData());
    if (!Produce(memory) || !Produce(other) || !Produce(data)) return;
    const Arguments argumentsOfFirst(case_.where, case_.measured, [&](const TensorFacts &facts) {
      return (facts.isOutput ? memory : other).Measured(facts).Address();
    });
    PlannedCall first(bench_.measured, argumentsOfFirst);
    events_.SidePhase("decoy", 1, first.Status(), first.Message());
    if (first.Status() != 0) return;
    Workspace workspaceOfFirst;
    workspaceOfFirst.Provide(first.WorkspaceBytes(), case_.margins, setting_.content);
    const Arguments arguments = ArgumentsOf(memory);
    PlannedCall call(bench_.measured, arguments);
    if (!GoesOn(call, arguments, memory)) return;
    ProvideWorkspace(call);
    before.Call().Enqueue();
    const LaunchResult enqueued = first.Enqueue(workspaceOfFirst.Address(), setting_.stream);
    try {
      memory.CopyInputs(data, setting_.stream);
    } catch (const RuntimeError &) {
      // Wait, because enqueued work uses memory that is freed on return.
      (void)aclrtSynchronizeStreamWithTimeout(setting_.stream, bench_.timeoutMs);
      throw;
    }
    const LaunchResult launched = call.Launch(workspace_.Address(), setting_.stream,
                                              bench_.timeoutMs, [&] { behind.Call().Enqueue(); });
    before.Call().RecordEnqueued();
    events_.SidePhase("decoy", 2, enqueued.status, enqueued.message);
    Conclude(launched, memory, workspace_);
    behind.Call().RecordEnqueued();
  }

  // The decoys are launched after the call, because a launch releases its executor.
  void CallPlannedBefore(size_t count) {
    const CaseMemory memory(case_, TrueData());
    if (!Produce(memory)) return;
    const Arguments arguments = ArgumentsOf(memory);
    PlannedCall call(bench_.measured, arguments);
    if (!GoesOn(call, arguments, memory)) return;
    std::vector<std::unique_ptr<Decoy>> decoys;
    while (decoys.size() < count) {
      decoys.push_back(std::make_unique<Decoy>(bench_, setting_, case_, events_));
      if (!decoys.back()->Call().IsPlanned()) return;
    }
    Launch(call, memory);
    for (const std::unique_ptr<Decoy> &decoy : decoys) {
      if (result_.deviceLost) return;
      result_.deviceLost = decoy->Call().Launch() == SideOutcome::kDeviceLost;
    }
  }

  // What a call leaves behind shows in a later one. A refused call is made as often.
  void CallManyTimes() {
    const CaseMemory memory(case_, TrueData());
    const CaseMemory fresh(case_, TrueData());
    if (!Produce(memory) || !Produce(fresh)) return;
    const Arguments arguments = ArgumentsOf(memory);
    ManyCalls calls;
    const Stopwatch watch;
    const auto goesOn = [&] {
      // Nothing is recorded meanwhile, so stop before the runner takes it for a hang.
      if (watch.Microseconds() > 250.0 * bench_.timeoutMs) return false;
      if (calls.made < case_.calls) return true;
      return calls.memory.Grows() && !calls.memory.GrowsBeyondPools() &&
             calls.made < kMostTimesTheCalls * case_.calls;
    };
    for (bool good = true; good && goesOn();) {
      good = CallNext(calls, arguments, memory, fresh);
      if (calls.made % kCallsPerLook == 0) calls.memory.Look();
    }
    events_.Changed(arguments.Changed());
    CheckTensors(memory, result_.completed);
    events_.Findings("workspace", workspace_.Check());
    events_.Calls(calls);
    if (result_.completed)
      events_.Runtime(CheckRuntime(setting_.stream, bench_.timeoutMs, case_.determinism));
  }

  // Makes one of many equal calls; false if it fails, and the others with it.
  bool CallNext(ManyCalls &calls, const Arguments &arguments, const CaseMemory &memory,
                const CaseMemory &fresh) {
    const bool isFirst = calls.made++ == 0;
    PlannedCall call(bench_.measured, arguments);
    if (isFirst) {
      firstStatus_ = call.Status();
      events_.PhaseOne(call);
      arguments.RequireAllAsked();
    }
    if (call.Status() != firstStatus_) {
      calls.AddDifferent();
      events_.PhaseOne(call);
      return false;
    }
    if (call.Status() != 0 || !case_.launch) return true;
    ProvideWorkspace(call);
    memory.CopyOutputs(fresh, setting_.stream);
    QueuedCopies copies;
    if (isFirst) AddOutputs(memory, copies);
    const LaunchResult launched =
        call.Launch(workspace_.Address(), setting_.stream, bench_.timeoutMs,
                    [&] { copies.Enqueue(setting_.stream); });
    result_.deviceLost = launched.synchronize != 0;
    result_.completed = launched.status == 0 && !result_.deviceLost;
    if (isFirst || !result_.completed) events_.PhaseTwo(launched);
    if (!result_.completed) return false;
    events_.Runtime(copies.Check());
    CompareWithFirst(calls, memory);
    return true;
  }

  void AddOutputs(const CaseMemory &memory, QueuedCopies &copies) const {
    for (const TensorFacts &facts : case_.measured.tensors) {
      if (!facts.isOutput || facts.source == Source::kNull) continue;
      const TensorMemory &output = memory.Measured(facts);
      copies.Add(output.Address(), output.Layout().payload);
    }
  }

  // Takes the outputs of the first call, and of each one that differs more than all before.
  void CompareWithFirst(ManyCalls &calls, const CaseMemory &memory) {
    int64_t different = 0;
    std::vector<Bytes> results;
    for (const TensorFacts &facts : case_.measured.tensors) {
      if (!facts.isOutput || facts.source == Source::kNull) continue;
      results.push_back(ElementsOf(facts, memory.Measured(facts)));
      if (calls.made == 1) continue;
      different +=
          CountDifferent(results.back(), firstResults_[results.size() - 1], facts.elementBytes);
    }
    if (different != 0) calls.AddDifferent();
    if (calls.made == 1 || different > mostDifferent_) TakeOutputs(memory);
    if (calls.made == 1) firstResults_ = std::move(results);
    mostDifferent_ = std::max(mostDifferent_, different);
  }

  void LaunchTwice() {
    events_.Enter(LaunchOf::kFirstOfTwo);
    CaseMemory memory(case_, Zeros());
    const Arguments arguments = ArgumentsOf(memory);
    PlannedCall call(bench_.measured, arguments);
    if (!GoesOn(call, arguments, memory) || !IsRepeatable(call)) return;
    takes_ = false;
    Launch(call, memory);
    takes_ = true;
    if (!ForgetResult()) return;
    events_.Enter(LaunchOf::kSecondOfTwo);
    memory.Refill(TrueData());
    workspace_.Retire();
    if (Produce(memory)) Launch(call, memory);
  }

  // The first launch finds zeros, each further one the true data elsewhere. What an executor
  // without the new addresses would read is data, too, but other.
  void LaunchAtMovedAddresses() {
    events_.Enter(LaunchOf::kFirstOfTwo);
    std::vector<std::unique_ptr<CaseMemory>> memories;
    memories.push_back(std::make_unique<CaseMemory>(case_, Zeros()));
    const Arguments arguments = ArgumentsOf(*memories.back());
    PlannedCall call(bench_.measured, arguments);
    if (!GoesOn(call, arguments, *memories.back()) || !IsRepeatable(call)) return;
    takes_ = false;
    Launch(call, *memories.back());
    takes_ = true;
    events_.Enter(LaunchOf::kSecondOfTwo);
    for (const auto functions : {AddressFunctions::kByRole, AddressFunctions::kForAll}) {
      if (!ForgetResult()) return;
      memories.back()->Refill(Data(Alteration::kReversed));
      memories.push_back(std::make_unique<CaseMemory>(case_, TrueData()));
      const CaseMemory &memory = *memories.back();
      if (!Produce(memory)) return;
      const std::optional<FailedFunction> failed =
          MoveTensors(call.Executor(), case_.measured, arguments, AddressesIn(memory), functions);
      if (failed) return events_.Unmade(*failed);
      workspace_.Retire();
      Launch(call, memory);
      if (!result_.completed) return;
      for (size_t i = 0; i + 1 < memories.size(); ++i) CheckRetiredTensors(*memories[i]);
    }
  }

  // Nothing may be written to memory where the tensors of a launch are no longer.
  void CheckRetiredTensors(const CaseMemory &memory) {
    for (const TensorFacts &facts : case_.measured.tensors) {
      if (facts.source == Source::kNull) continue;
      std::vector<Finding> findings = CheckTensor(facts, memory.Measured(facts), false);
      for (Finding &finding : findings) finding.kind = "retired";
      events_.Findings(facts.name, findings);
    }
  }

  // The model finds other data at each execution, and those of the second are not the true ones. A
  // stream of its own, because no page says how one is left when a capture fails.
  void ExecuteCaptured() {
    CaseMemory memory(case_, Zeros());
    const Arguments arguments = ArgumentsOf(memory);
    PlannedCall call(bench_.measured, arguments);
    if (!GoesOn(call, arguments, memory)) return;
    ProvideWorkspace(call);
    const Stream stream;
    CapturedWork captured(stream.Handle());
    const std::optional<FailedFunction> failed = Capture(captured, call, stream.Handle());
    if (failed) return events_.Unmade(*failed);
    for (const auto alteration : {Alteration::kNone, Alteration::kReversed, Alteration::kNone}) {
      result_ = RunResult();
      memory.Refill(Data(alteration));
      if (!Produce(memory)) return;
      takes_ = alteration == Alteration::kNone;
      if (!ExecuteOnce(captured, memory, stream.Handle())) return;
    }
  }

  std::optional<FailedFunction> Capture(CapturedWork &captured, PlannedCall &call,
                                        aclrtStream stream) {
    std::optional<FailedFunction> failed = captured.Begin();
    if (failed) return failed;
    const LaunchResult launched = call.Enqueue(workspace_.Address(), stream);
    failed = captured.End();
    if (launched.status == 0) return failed;
    return FailedFunction{bench_.measured.name, launched.status, launched.message, false};
  }

  // Returns whether the captured call has been executed.
  bool ExecuteOnce(const CapturedWork &captured, const CaseMemory &memory, aclrtStream stream) {
    const Stopwatch watch;
    const std::optional<FailedFunction> failed = captured.Execute();
    if (failed) {
      events_.Unmade(*failed);
      return false;
    }
    LaunchResult executed = {};
    executed.synchronize = aclrtSynchronizeStreamWithTimeout(stream, bench_.timeoutMs);
    executed.microseconds = watch.Microseconds();
    executed.deviceMicroseconds = std::numeric_limits<double>::quiet_NaN();
    if (executed.synchronize != ACL_SUCCESS) executed.message = TakeErrorMessage();
    Conclude(executed, memory, workspace_);
    return result_.completed;
  }

  // As a queue of tasks does.
  void LaunchInOtherThread() {
    const CaseMemory memory(case_, TrueData());
    if (!Produce(memory)) return;
    const Arguments arguments = ArgumentsOf(memory);
    PlannedCall call(bench_.measured, arguments);
    if (!GoesOn(call, arguments, memory)) return;
    ProvideWorkspace(call);
    LaunchResult launched = {};
    RunInThreads(1, [&](size_t) {
      launched = call.Launch(workspace_.Address(), setting_.stream, bench_.timeoutMs);
    });
    Conclude(launched, memory, workspace_);
  }

  // A call with what it has of its own.
  struct ConcurrentCall {
    ConcurrentCall(const Case &described, const Filling &filling)
        : memory(described, filling),
          arguments(described.where, described.measured, AddressesIn(memory)) {}

    CaseMemory memory;
    Arguments arguments;
    Stream stream;
    Workspace workspace;
    std::unique_ptr<PlannedCall> call;
    LaunchResult launched = {};
  };

  // All are planned at once, then launched at once, so that each is between its phases meanwhile.
  void CallInThreads() {
    std::vector<std::unique_ptr<ConcurrentCall>> calls;
    while (calls.size() < kThreads) {
      calls.push_back(std::make_unique<ConcurrentCall>(case_, TrueData()));
      if (!Produce(calls.back()->memory)) return;
    }
    Meeting meeting(kThreads);
    RunInThreads(kThreads, [&](size_t number) {
      try {
        CallAtOnce(*calls[number], meeting);
      } catch (...) {
        meeting.GiveUp();
        throw;
      }
    });
    for (const std::unique_ptr<ConcurrentCall> &each : calls) {
      if (!GoesOn(*each->call, each->arguments, each->memory)) return;
      Conclude(each->launched, each->memory, each->workspace);
      if (!result_.completed) return;
    }
  }

  void CallAtOnce(ConcurrentCall &call, Meeting &meeting) const {
    meeting.Wait();
    call.call = std::make_unique<PlannedCall>(bench_.measured, call.arguments);
    const uint64_t bytes = call.call->WorkspaceBytes();
    if (call.call->Status() == 0)
      call.workspace.Provide(bytes, MarginsOfWorkspace(bytes), setting_.content);
    meeting.Wait();
    if (call.call->Status() != 0 || !case_.launch) return;
    call.launched =
        call.call->Launch(call.workspace.Address(), call.stream.Handle(), bench_.timeoutMs);
  }

  void CallOnDefaultStream() {
    using GetStream = aclError (*)(aclrtStream *);
    const std::optional<FailedFunction> failed =
        CallIfFound<GetStream>("aclrtCtxGetCurrentDefaultStream", &setting_.stream);
    if (failed) return events_.Unmade(*failed);
    CallOnce();
  }

  // Only the order of the stream keeps the three calls apart.
  void CallWithSharedWorkspace() {
    const CaseMemory other(case_, Data(Alteration::kReversed));
    const CaseMemory memory(case_, TrueData());
    if (!Produce(other) || !Produce(memory)) return;
    const Arguments argumentsOfOther = ArgumentsOf(other);
    PlannedCall before(bench_.measured, argumentsOfOther);
    PlannedCall behind(bench_.measured, argumentsOfOther);
    for (const PlannedCall *each : {&before, &behind}) {
      events_.SidePhase("decoy", 1, each->Status(), each->Message());
      if (each->Status() != 0) return;
    }
    const Arguments arguments = ArgumentsOf(memory);
    PlannedCall call(bench_.measured, arguments);
    if (!GoesOn(call, arguments, memory)) return;
    const uint64_t bytes = std::max(call.WorkspaceBytes(), before.WorkspaceBytes());
    workspace_.Provide(bytes, MarginsOfWorkspace(bytes), setting_.content);
    void *const workspace = workspace_.Address();
    const LaunchResult first = before.Enqueue(workspace, setting_.stream);
    LaunchResult last = {};
    const LaunchResult launched = call.Launch(workspace, setting_.stream, bench_.timeoutMs, [&] {
      last = behind.Enqueue(workspace, setting_.stream);
    });
    events_.SidePhase("decoy", 2, first.status, first.message);
    Conclude(launched, memory, workspace_);
    events_.SidePhase("decoy", 2, last.status, last.message);
  }

  // Discards the result of the first of two launches; false if it failed, so that there is no
  // second.
  bool ForgetResult() {
    const bool good = result_.completed;
    if (good) result_ = RunResult();
    return good;
  }

  bool IsRepeatable(PlannedCall &call) {
    std::string message;
    const int32_t status = call.MakeRepeatable(message);
    if (status != 0) events_.NotRepeatable(status, message);
    return status == 0;
  }

  Arguments ArgumentsOf(const CaseMemory &memory) const {
    return Arguments(case_.where, case_.measured, AddressesIn(memory));
  }

  static AddressOf AddressesIn(const CaseMemory &memory) {
    return [&memory](const TensorFacts &facts) { return memory.Measured(facts).Address(); };
  }

  void Call(const CaseMemory &memory) {
    const Arguments arguments = ArgumentsOf(memory);
    PlannedCall call(bench_.measured, arguments);
    if (!GoesOn(call, arguments, memory)) return;
    Launch(call, memory);
    events_.Changed(arguments.Changed());
  }

  // Records phase one, and returns whether phase two follows: not if the call was refused or must
  // not be launched. Without phase two, memory must be unchanged.
  bool GoesOn(const PlannedCall &call, const Arguments &arguments, const CaseMemory &memory) {
    events_.PhaseOne(call);
    arguments.RequireAllAsked();
    events_.Changed(arguments.Changed());
    const bool goesOn = call.Status() == 0 && case_.launch;
    if (!goesOn) CheckTensors(memory, false);
    return goesOn;
  }

  void Launch(PlannedCall &call, const CaseMemory &memory) {
    ProvideWorkspace(call);
    Conclude(call.Launch(workspace_.Address(), setting_.stream, bench_.timeoutMs), memory,
             workspace_);
  }

  void ProvideWorkspace(const PlannedCall &call) {
    workspace_.Provide(call.WorkspaceBytes(), MarginsOfWorkspace(call.WorkspaceBytes()),
                       setting_.content);
  }

  // In the first run it is a separate allocation. Later runs take it from a larger allocation, as
  // from an application's pool, where other data follow immediately.
  Margins MarginsOfWorkspace(uint64_t bytes) const {
    Margins margins = case_.margins;
    if (setting_.content == Content::kLaterPoison)
      margins.slack = -static_cast<int64_t>((32 - bytes % 32) % 32);
    return margins;
  }

  // Records the result of a launch, and checks memory.
  void Conclude(const LaunchResult &launched, const CaseMemory &memory,
                const Workspace &workspace) {
    events_.PhaseTwo(launched);
    result_.deviceLost = launched.synchronize != 0;
    if (result_.deviceLost) return;  // the memory cannot be read while the device may be writing
    result_.completed = launched.status == 0;
    CheckTensors(memory, result_.completed);
    events_.Findings("workspace", workspace.Check());
    if (result_.completed && takes_) TakeOutputs(memory);
  }

  // Makes the inputs that only another operator can make; false if it failed.
  bool Produce(const CaseMemory &memory) {
    if (case_.producer.operatorName.empty()) return true;
    const bool good = CallAside("producer", case_.producer, [&memory](const TensorFacts &facts) {
      return memory.Produced(facts).Address();
    });
    if (good) memory.TakeOver(setting_.content);
    return good;
  }

  // Whether others run before this run, to see that their calls are accepted.
  bool IsFirstAmongOthers() const {
    return setting_.number == 0 &&
           std::count(case_.again.begin(), case_.again.end(), ExecutionVariant::kAmongOthers) != 0;
  }

  // Every second one, because a call may harm later ones of another operator, or the other way.
  void CallOthersBefore() {
    for (size_t i = 0; i < case_.others.size(); i += 2) (void)CallOther(case_.others[i]);
  }

  // In the opposite order, so that each pair of neighbours is met both ways.
  void CallAmongOthers() {
    for (size_t i = case_.others.size(); i-- > 0;) {
      (void)CallOther(case_.others[i]);
      if (!result_.deviceLost) CallOnce();
      if (!result_.completed) return;
    }
  }

  bool CallOther(const SideCall &other) {
    if (result_.deviceLost) return false;
    const Parameters &parameters = other.parameters;
    const TensorMemories memories = Allocate(parameters, case_.margins, TrueData());
    return CallAside("other", other, [&](const TensorFacts &facts) {
      return FindMemory(parameters, memories, facts.name).Address();
    });
  }

  bool CallAside(const char *event, const SideCall &call, const AddressOf &addressOf) {
    PlannedSideCall planned({event, call, addressOf}, bench_, setting_, case_.margins, events_);
    if (!planned.IsPlanned()) return false;
    const SideOutcome outcome = planned.Launch();
    result_.deviceLost = outcome == SideOutcome::kDeviceLost;
    return outcome == SideOutcome::kDone;
  }

  void CheckTensors(const CaseMemory &memory, bool mayWrite) {
    for (const TensorFacts &facts : case_.measured.tensors) {
      if (facts.source == Source::kNull) continue;
      events_.Findings(facts.name, CheckTensor(facts, memory.Measured(facts), mayWrite));
    }
  }

  void TakeOutputs(const CaseMemory &memory) {
    for (const TensorFacts &facts : case_.measured.tensors) {
      if (facts.isOutput && facts.source != Source::kNull)
        take_(facts, memory.Measured(facts), events_.Entered());
    }
  }

  const Bench &bench_;
  RunSetting setting_;
  const Case &case_;
  const InputData &data_;
  const TakeOutput &take_;
  RunEvents events_;
  Workspace workspace_;
  bool takes_ = true;  // whether the outputs of the current launch are taken
  // Of many equal calls: the first one's status and outputs, and how many elements differed at
  // most.
  aclnnStatus firstStatus_ = 0;
  std::vector<Bytes> firstResults_;
  int64_t mostDifferent_ = 0;
  RunResult result_;
};

}  // namespace

RunResult ExecuteRun(const Bench &bench, const RunSetting &setting, const Case &described,
                     const InputData &data, const TakeOutput &take) {
  return CaseRun(bench, setting, described, data, take).Execute();
}

TimedLaunches TimeLaunches(const Bench &bench, const RunSetting &setting, const Case &described,
                           const InputData &data) {
  return CaseRun(bench, setting, described, data, nullptr).Time(described.timed);
}

}  // namespace aclnn_cts
