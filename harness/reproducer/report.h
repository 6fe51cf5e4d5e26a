// SPDX-License-Identifier: Apache-2.0
/// What a reproducer prints: each broken promise as one line, and the exit status at the end.
#ifndef ACLNN_CTS_REPORT_H_
#define ACLNN_CTS_REPORT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn_cts/case.h"
#include "case_memory.h"
#include "case_run.h"
#include "memory_checks.h"
#include "workspace.h"

namespace aclnn_cts {

constexpr int32_t kTimeoutMs = 60000;  // for a stream

/// The number of a device, from the program's arguments; 0 without any. Throws InputError.
int32_t DeviceNumber(int argc, char **argv);

/// Prints the device in use.
void PrintDevice(int32_t number);

/// What a document promises of the statuses of a call.
enum class Promise {
  kSuccess,
  kRefusal,       ///< by phase one, with one of the listed statuses
  kRefusalByAny,  ///< by either phase, with any error
  kNothing,       ///< any status
};

/// What may come back for one element: a number within a tolerance, or one of the other classes.
struct Allowed {
  long double value = 0;  // which holds all of double and of 64-bit integers
  long double tolerance = 0;
  std::string classes;  ///< any, or of number, zero, +inf, -inf and nan those that are right

  bool Any() const { return classes == "any"; }
  bool Has(const char *name) const { return classes.find(name) != std::string::npos; }
  bool Accepts(long double found) const;
  std::string Text() const;
};

/// One exists at a time: what the harness finds in its runs goes to the current one.
class Report {
 public:
  /// `statuses`: those that a refusal by phase one may have, any but 0 if empty. `sameBits`: equal
  /// calls must give equal bits. Reads expected.txt if the promise is success. Throws InputError.
  Report(Promise promise, std::vector<int32_t> statuses, bool sameBits);

  /// All lines from here on are about that run.
  void Begin(const std::string &run) { run_ = run; }
  void Add(const std::string &text);

  void PhaseOne(aclnnStatus status, std::string message = "");
  void PhaseTwo(aclnnStatus status, aclError synchronize, std::string message = "");
  void Memory(const std::string &tensor, const std::vector<Finding> &findings);

  /// Has the producer make inputs of the call; false when it failed.
  bool Produce(const Case &described, const CaseMemory &memory, aclrtStream stream);
  /// Checks the memory after a call, and compares its outputs if it succeeded.
  void Check(const Case &described, const CaseMemory &memory, const Workspace &workspace,
             bool succeeded);
  /// Has the harness make a further run of the call, and compares its outputs.
  void RunAgain(const char *run, const Operator &measured, const Case &described,
                const InputData &data, const RunSetting &setting);

  /// The exit status of the program.
  int Conclude() const;
  /// Ends the program: the device may still be at work on memory that must not be freed.
  [[noreturn]] void Abandon() const;

 private:
  void Expect(const std::string &call, int32_t status, bool right, const std::string &promised,
              const std::string &message);
  // With what may come back, and with the first run that had this output.
  void Compare(const TensorFacts &facts, const TensorMemory &memory);
  void CompareElements(const TensorFacts &facts, const HostBytes &output);
  void CompareWithFirst(const TensorFacts &facts, const HostBytes &first,
                        const TensorMemory &memory);

  Promise promise_;
  std::vector<int32_t> statuses_;
  bool sameBits_;
  std::map<std::string, std::vector<Allowed>> expected_;  // by output
  std::map<std::string, HostBytes> first_;                // dense, by output
  std::string run_;
  int findings_ = 0;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_REPORT_H_
