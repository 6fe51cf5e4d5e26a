// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "errors.h"
#include "run_events.h"
#include "runtime.h"

namespace aclnn_cts {
namespace {

constexpr int64_t kShown = 8;  // wrong elements that are printed for each output

Report *current = nullptr;

// Nine digits distinguish all float32; integers have all digits.
std::string Text(long double number) {
  char text[64];
  const bool isWhole = std::trunc(number) == number && std::fabs(number) < 0x1p64L;
  std::snprintf(text, sizeof text, isWhole ? "%.0Lf" : "%.9Lg", number);
  return text;
}

// Each line after an output's name and count has value, tolerance, and classes joined by '|'.
std::map<std::string, std::vector<Allowed>> ReadExpected() {
  std::ifstream file("expected.txt");
  std::map<std::string, std::vector<Allowed>> expected;
  std::string name;
  for (size_t count = 0; file >> name >> count;) {
    std::vector<Allowed> &elements = expected[name];
    Allowed one;
    while (elements.size() < count && file >> one.value >> one.tolerance >> one.classes)
      elements.push_back(one);
    if (elements.size() != count) throw InputError("expected.txt is cut off");
  }
  if (expected.empty()) throw InputError("expected.txt cannot be read; run it in its folder");
  return expected;
}

template <typename Stored>
Stored Read(const uint8_t *from) {
  Stored stored;
  std::memcpy(&stored, from, sizeof stored);
  return stored;
}

double WidenHalf(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? NAN : sign * HUGE_VAL;
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

double WidenBfloat(uint16_t bits) {
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  return static_cast<double>(Read<float>(reinterpret_cast<const uint8_t *>(&wide)));
}

long double Number(int32_t dataType, const uint8_t *element) {
  switch (dataType) {
    case ACL_FLOAT:
      return static_cast<long double>(Read<float>(element));
    case ACL_FLOAT16:
      return static_cast<long double>(WidenHalf(Read<uint16_t>(element)));
    case ACL_BF16:
      return static_cast<long double>(WidenBfloat(Read<uint16_t>(element)));
    case ACL_DOUBLE:
      return static_cast<long double>(Read<double>(element));
    case ACL_INT8:
      return Read<int8_t>(element);
    case ACL_UINT8:
    case ACL_BOOL:
      return *element;
    case ACL_INT16:
      return Read<int16_t>(element);
    case ACL_INT32:
      return static_cast<long double>(Read<int32_t>(element));
    case ACL_INT64:
      return static_cast<long double>(Read<int64_t>(element));
    default:
      throw InputError("results of this data type cannot be compared");
  }
}

std::string ElementName(const TensorFacts &facts, int64_t place) {
  std::string index;
  for (size_t axis = facts.shape.size(); axis-- > 0;) {
    const int64_t extent = facts.shape[axis];
    index = std::to_string(place % extent) + (index.empty() ? "" : ", ") + index;
    place /= extent;
  }
  return facts.name + "[" + index + "]";
}

// Description of a kind of finding; nullptr for a remark that breaks no promise.
const char *PlaceOf(const std::string &kind) {
  if (kind == "guard-front") return "before the start of ";
  if (kind == "guard-rear") return "behind the end of ";
  if (kind == "gap") return "in the gaps of ";
  if (kind == "slack") return nullptr;
  return kind == "input" ? "of the input " : "in ";
}

}  // namespace

int32_t DeviceNumber(int argc, char **argv) {
  if (argc < 2) return 0;
  const std::string text = argv[1];
  const bool isNumber = !text.empty() && text.size() <= 9 &&
                        text.find_first_not_of("0123456789") == std::string::npos;
  if (argc == 2 && isNumber) return static_cast<int32_t>(std::stol(text));
  throw InputError(std::string("usage: ") + argv[0] +
                   " [N], where N is the number of a device; 0 if it is left out");
}

void PrintDevice(int32_t number) {
  const char *soc = aclrtGetSocName();
  std::printf("Device %d is %s.\n", number, soc == nullptr ? "unknown" : soc);
}

bool Allowed::Accepts(long double found) const {
  if (Any()) return true;
  if (std::isnan(found)) return Has("nan");
  if (std::isinf(found)) return Has(found > 0 ? "+inf" : "-inf");
  return (Has("zero") && found == 0) || (Has("number") && std::fabs(found - value) <= tolerance);
}

std::string Allowed::Text() const {
  std::string text;
  const auto add = [&](const char *name, const std::string &part) {
    if (Has(name)) text += (text.empty() ? "" : " or ") + part;
  };
  add("number", aclnn_cts::Text(value) + " (tolerance " + aclnn_cts::Text(tolerance) + ")");
  add("zero", "0");
  add("+inf", "+Inf");
  add("-inf", "-Inf");
  add("nan", "NaN");
  return text;
}

Report::Report(Promise promise, std::vector<int32_t> statuses, bool sameBits)
    : promise_(promise), statuses_(std::move(statuses)), sameBits_(sameBits) {
  if (promise == Promise::kSuccess) expected_ = ReadExpected();
  current = this;
}

void Report::Add(const std::string &text) {
  std::printf("%s: %s\n", run_.c_str(), text.c_str());
  ++findings_;
}

void Report::Expect(const std::string &call, int32_t status, bool right,
                    const std::string &promised, const std::string &message) {
  if (right) return;
  Add(call + " returned " + std::to_string(status) + ", promised: " + promised +
      (message.empty() ? "" : " (" + message + ")"));
}

void Report::PhaseOne(aclnnStatus status, std::string message) {
  if (status != 0 && message.empty()) message = TakeErrorMessage();
  if (promise_ == Promise::kSuccess) Expect("phase one", status, status == 0, "0", message);
  if (promise_ != Promise::kRefusal) return;
  std::string promised;
  for (const int32_t each : statuses_)
    promised += (promised.empty() ? "" : " or ") + std::to_string(each);
  const bool listed = std::find(statuses_.begin(), statuses_.end(), status) != statuses_.end();
  Expect("phase one", status, statuses_.empty() ? status != 0 : listed,
         statuses_.empty() ? "an error" : promised, message);
}

void Report::PhaseTwo(aclnnStatus status, aclError synchronize, std::string message) {
  if ((status != 0 || synchronize != 0) && message.empty()) message = TakeErrorMessage();
  if (promise_ == Promise::kSuccess) Expect("phase two", status, status == 0, "0", message);
  if (promise_ == Promise::kRefusalByAny)
    Expect("phase two", status, status != 0, "an error", message);
  Expect("the stream's synchronisation", synchronize, synchronize == 0, "0", message);
  if (synchronize != 0) Abandon();
}

void Report::Memory(const std::string &tensor, const std::vector<Finding> &findings) {
  for (const Finding &finding : findings) {
    const std::string kind = finding.kind;
    const char *place = PlaceOf(kind);
    if (place == nullptr) continue;
    Add(std::to_string(finding.difference.count) + " " + finding.unit + "s " + place +
        (kind == "retired"       ? "an earlier "
         : tensor == "workspace" ? "the "
                                 : "") +
        tensor + " changed, first at " + finding.unit + " " +
        std::to_string(finding.difference.first));
  }
}

bool Report::Produce(const Case &described, const CaseMemory &memory, aclrtStream stream) {
  const SideCall &producer = described.producer;
  const auto addressOf = [&](const TensorFacts &facts) { return memory.Produced(facts).Address(); };
  const Arguments arguments(producer.where, producer.parameters, addressOf);
  PlannedCall call(*FindOperator(producer.operatorName), arguments);
  LaunchResult launched = {};
  launched.status = call.Status();
  Workspace workspace;
  if (call.Status() == 0) {
    workspace.Provide(call.WorkspaceBytes(), described.margins, Content::kFirstPoison);
    launched = call.Launch(workspace.Address(), stream, kTimeoutMs);
  }
  Expect(producer.operatorName, launched.status, launched.status == 0, "0", launched.message);
  Expect("the stream's synchronisation", launched.synchronize, launched.synchronize == 0, "0", "");
  if (launched.synchronize != 0) Abandon();
  if (launched.status == 0) memory.TakeOver(Content::kFirstPoison);
  return launched.status == 0;
}

void Report::Check(const Case &described, const CaseMemory &memory, const Workspace &workspace,
                   bool succeeded) {
  for (const TensorFacts &facts : described.measured.tensors) {
    if (facts.source == Source::kNull) continue;
    Memory(facts.name, CheckTensor(facts, memory.Measured(facts), succeeded));
  }
  Memory("workspace", workspace.Check());
  for (const TensorFacts &facts : described.measured.tensors) {
    if (succeeded && facts.isOutput && facts.source != Source::kNull)
      Compare(facts, memory.Measured(facts));
  }
}

void Report::Compare(const TensorFacts &facts, const TensorMemory &memory) {
  if (promise_ != Promise::kSuccess) return;
  HostBytes output(facts.elements * facts.elementBytes);
  memory.VisitElements(facts, [&](int64_t position, const uint8_t *dense, int64_t bytes) {
    std::memcpy(output.Data() + position, dense, static_cast<size_t>(bytes));
  });
  CompareElements(facts, output);
  const auto first = first_.find(facts.name);
  if (first == first_.end()) {
    first_[facts.name] = std::move(output);
  } else {
    CompareWithFirst(facts, first->second, memory);
  }
}

void Report::CompareWithFirst(const TensorFacts &facts, const HostBytes &first,
                              const TensorMemory &memory) {
  const std::vector<Allowed> &expected = expected_.at(facts.name);
  if (std::all_of(expected.begin(), expected.end(), [](const Allowed &a) { return a.Any(); }))
    return;
  const auto copy = [&first](int64_t position, uint8_t *to, int64_t count) {
    std::memcpy(to, first.Data() + position, static_cast<size_t>(count));
  };
  const Repetition repetition = CompareRuns(facts, copy, PatternOf(facts, Content::kFirstPoison),
                                            memory, PatternOf(facts, Content::kLaterPoison));
  const auto add = [&](int64_t count, const char *what) {
    if (count != 0) Add(facts.name + ": elements " + what + ": " + std::to_string(count));
  };
  add(repetition.unwritten.count, "that were not written");
  if (repetition.missing == facts.elements && facts.elements * facts.elementBytes >= 4) {
    add(repetition.missing, "that only the first run wrote");
  }
  if (sameBits_) add(repetition.different.count, "with other bits than in the first run");
}

void Report::CompareElements(const TensorFacts &facts, const HostBytes &output) {
  const std::vector<Allowed> &expected = expected_.at(facts.name);
  int64_t wrong = 0;
  for (int64_t i = 0; i < facts.elements; ++i) {
    const Allowed &allowed = expected.at(static_cast<size_t>(i));
    const long double found = Number(facts.dataType, output.Data() + i * facts.elementBytes);
    if (allowed.Accepts(found) || ++wrong > kShown) continue;
    Add(ElementName(facts, i) + ": expected " + allowed.Text() + ", got " + Text(found));
  }
  if (wrong > kShown) Add(facts.name + ": wrong elements: " + std::to_string(wrong));
}

int Report::Conclude() const {
  std::printf(findings_ == 0 ? "Every promise was kept.\n" : "Findings: %d.\n", findings_);
  return findings_ == 0 ? 0 : 1;
}

void Report::Abandon() const {
  const int status = Conclude();
  std::fflush(stdout);
  std::_Exit(status);
}

void Report::RunAgain(const char *run, const Operator &measured, const Case &described,
                      const InputData &data, const RunSetting &setting) {
  ResultFiles unused("/dev/null", "/dev/null");
  Begin(run);
  const auto take = [this](const TensorFacts &facts, const TensorMemory &memory, LaunchOf) {
    Compare(facts, memory);
  };
  if (ExecuteRun({measured, kTimeoutMs, unused}, setting, described, data, take).deviceLost)
    Abandon();
}

// Converts the events of the harness into lines of the report.

void RunEvents::PhaseOne(const PlannedCall &call) {
  current->PhaseOne(call.Status(), call.Message());
  if (call.Status() == 0 && !call.SetsWorkspaceBytes())
    current->Add("phase one did not set workspaceSize");
}

void RunEvents::PhaseTwo(const LaunchResult &launched) {
  current->PhaseTwo(launched.status, launched.synchronize, launched.message);
}

void RunEvents::SidePhase(const char *event, int64_t phase, int32_t status,
                          const std::string &message, const std::string &operatorName) {
  if (status == 0) return;
  const std::string name = operatorName.empty() ? event : operatorName;
  current->Add("phase " + std::to_string(phase) + " of the call \"" + name + "\" returned " +
               std::to_string(status) + " (" + message + ")");
}

void RunEvents::NotRepeatable(int32_t status, const std::string &) {
  std::printf("The executor cannot be made repeatable (status %d).\n", status);
}

void RunEvents::Unmade(const FailedFunction &failed) {
  const std::string text = std::string(failed.name) + " returned status " +
                           std::to_string(failed.status) + " (" + failed.message + ")";
  if (failed.isPromised) return current->Add(text);
  std::printf("The run was not made: %s.\n", text.c_str());
}

void RunEvents::Findings(const std::string &tensor, const std::vector<Finding> &findings) {
  current->Memory(tensor, findings);
}

void RunEvents::Changed(const std::vector<ChangedHandle> &handles) {
  for (const ChangedHandle &handle : handles) {
    current->Add(handle.tensor + ": the call changed the " + handle.what +
                 " of the caller's tensor");
  }
}

void RunEvents::Runtime(const std::vector<BrokenFunction> &broken) {
  for (const BrokenFunction &each : broken) current->Add(each.function + (" " + each.what));
}

void RunEvents::Calls(const ManyCalls &calls) {
  if (calls.different != 0) {
    current->Add("calls with another status or other results than the first: " +
                 std::to_string(calls.different) + " of " + std::to_string(calls.made) +
                 ", first call " + std::to_string(calls.firstDifferent));
  }
  if (calls.memory.GrowsBeyondPools()) {
    current->Add("bytes of memory not given back after " + std::to_string(calls.made) + " calls: " +
                 std::to_string(calls.memory.GrownBytes(MemoryKind::kDevice)) + " of the device, " +
                 std::to_string(calls.memory.GrownBytes(MemoryKind::kHost)) + " of the host");
  }
}

}  // namespace aclnn_cts
