// SPDX-License-Identifier: Apache-2.0
/// The report of a reproducer: one line per broken promise, and the exit status.
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

/// The device number from the program's arguments; 0 by default. Throws InputError.
int32_t DeviceNumber(int argc, char **argv);

/// Prints the device in use.
void PrintDevice(int32_t number);

/// The promised outcome of a call.
enum class Promise {
  kSuccess,
  kRefusal,       ///< by phase one, with one of the listed statuses
  kRefusalByAny,  ///< by either phase, with any error
  kNothing,       ///< any status
};

/// The accepted results of one element: a number within a tolerance, or other classes.
struct Allowed {
  long double value = 0;  // which holds all of double and of 64-bit integers
  long double tolerance = 0;
  std::string classes;  ///< any, or the accepted ones of number, zero, +inf, -inf and nan

  bool Any() const { return classes == "any"; }
  bool Has(const char *name) const { return classes.find(name) != std::string::npos; }
  bool Accepts(long double found) const;
  std::string Text() const;
};

/// There is one at a time, which receives the harness's findings.
class Report {
 public:
  /// `statuses`: the accepted statuses of a refusal by phase one, any but 0 if empty. `sameBits`:
  /// whether equal calls must give equal bits. Reads expected.txt if the promise is success. Throws
  /// InputError.
  Report(Promise promise, std::vector<int32_t> statuses, bool sameBits);

  /// Sets the run of the following lines.
  void Begin(const std::string &run) { run_ = run; }
  void Add(const std::string &text);

  void PhaseOne(aclnnStatus status, std::string message = "");
  void PhaseTwo(aclnnStatus status, aclError synchronize, std::string message = "");
  void Memory(const std::string &tensor, const std::vector<Finding> &findings);

  /// Has the producer make inputs of the call; false if it failed.
  bool Produce(const Case &described, const CaseMemory &memory, aclrtStream stream);
  /// Checks the memory after a call, and compares its outputs if it succeeded.
  void Check(const Case &described, const CaseMemory &memory, const Workspace &workspace,
             bool succeeded);
  /// Has the harness make a further run of the call, and compares its outputs.
  void RunAgain(const char *run, const Operator &measured, const Case &described,
                const InputData &data, const RunSetting &setting);

  /// The exit status of the program.
  int Conclude() const;
  /// Exits without freeing memory, because the device may still use it.
  [[noreturn]] void Abandon() const;

 private:
  void Expect(const std::string &call, int32_t status, bool right, const std::string &promised,
              const std::string &message);
  // Compares with the expectation, and with the first run that had this output.
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
