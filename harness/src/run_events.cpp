// SPDX-License-Identifier: Apache-2.0
#include "run_events.h"

namespace aclnn_cts {

JsonLine RunEvents::Event(const char *event) const {
  JsonLine line(event);
  line.Text("case", caseId_).Integer("run", run_);
  return line;
}

// An event of the measured call; names the launch if there are two.
JsonLine RunEvents::Measured(const char *event) const {
  JsonLine line = Event(event);
  if (launch_ != LaunchOf::kOne) line.Integer("launch", launch_ == LaunchOf::kFirstOfTwo ? 0 : 1);
  return line;
}

void RunEvents::PhaseOne(const PlannedCall &call) {
  JsonLine line = Measured("phase1");
  line.Integer("status", call.Status());
  if (call.SetsWorkspaceBytes()) {
    line.Integer("workspace", static_cast<int64_t>(call.WorkspaceBytes()));
  } else {
    line.Null("workspace");
  }
  results_.Write(line.Real("microseconds", call.Microseconds()).Text("message", call.Message()));
}

void RunEvents::PhaseTwo(const LaunchResult &launched) {
  results_.Write(Measured("phase2")
                     .Integer("status", launched.status)
                     .Integer("synchronize", launched.synchronize)
                     .Real("microseconds", launched.microseconds)
                     .Real("device_microseconds", launched.deviceMicroseconds)
                     .Text("message", launched.message));
}

void RunEvents::SidePhase(const char *event, int64_t phase, int32_t status,
                          const std::string &message, const std::string &operatorName) {
  JsonLine line = Event(event).Integer("phase", phase).Integer("status", status);
  if (!operatorName.empty()) line.Text("operator", operatorName);
  results_.Write(line.Text("message", message));
}

void RunEvents::NotRepeatable(int32_t status, const std::string &message) {
  results_.Write(Event("not-repeatable").Integer("status", status).Text("message", message));
}

void RunEvents::Unmade(const FailedFunction &failed) {
  results_.Write(Event("unmade")
                     .Text("function", failed.name)
                     .Integer("status", failed.status)
                     .Text("message", failed.message)
                     .Boolean("promised", failed.isPromised));
}

void RunEvents::Findings(const std::string &tensor, const std::vector<Finding> &findings) {
  for (const Finding &finding : findings) {
    results_.Write(Measured("memory")
                       .Text("tensor", tensor)
                       .Text("kind", finding.kind)
                       .Integer("first", finding.difference.first)
                       .Integer("count", finding.difference.count)
                       .Text("unit", finding.unit));
  }
}

void RunEvents::Changed(const std::vector<ChangedHandle> &handles) {
  for (const ChangedHandle &handle : handles) {
    results_.Write(Measured("handle").Text("tensor", handle.tensor).Text("what", handle.what));
  }
}

void RunEvents::Calls(const ManyCalls &calls) {
  results_.Write(Event("calls")
                     .Integer("made", calls.made)
                     .Integer("different", calls.different)
                     .Integer("first", calls.firstDifferent)
                     .Integer("device_grown", calls.memory.GrownBytes(MemoryKind::kDevice))
                     .Integer("host_grown", calls.memory.GrownBytes(MemoryKind::kHost)));
}

void RunEvents::Runtime(const std::vector<BrokenFunction> &broken) {
  for (const BrokenFunction &each : broken) {
    results_.Write(Event("runtime").Text("function", each.function).Text("what", each.what));
  }
}

}  // namespace aclnn_cts
