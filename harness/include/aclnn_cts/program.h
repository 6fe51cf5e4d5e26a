// SPDX-License-Identifier: Apache-2.0
/// The one header that a generated source needs: an operator's two phases, and how they become
/// known to the program that they are linked into.
#ifndef ACLNN_CTS_PROGRAM_H_
#define ACLNN_CTS_PROGRAM_H_

#include <cstdint>
#include <string>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnn_cts/arguments.h"

namespace aclnn_cts {

/// Phase one: calls aclnnXGetWorkspaceSize with the arguments by their names.
using PlanFunction = aclnnStatus (*)(const Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor);
/// Phase two: aclnnX itself.
using LaunchFunction = aclnnStatus (*)(void *workspace, uint64_t workspaceSize,
                                       aclOpExecutor *executor, aclrtStream stream);

/// One operator of aclnn.
struct Operator {
  const char *name;  ///< as in the case file, for example "aclnnLogitGrad"
  PlanFunction plan;
  LaunchFunction launch;
};

/// Makes an operator known to the program. Each generated source defines one, as a static object;
/// it lives as long as the program.
class Registration {
 public:
  explicit Registration(const Operator &registered) noexcept;
  Registration(const Registration &) = delete;
  Registration &operator=(const Registration &) = delete;
  ~Registration() = default;

 private:
  friend const Operator *FindOperator(const std::string &name);

  Operator registered_;
  const Registration *next_;
};

/// The operator of that name, or nullptr when the program holds none.
const Operator *FindOperator(const std::string &name);

/// Runs every case of the case file that the arguments name and records what happened; never
/// judges. The case file's first line tells which operator is measured.
///
/// Arguments: --cases FILE --data DIR --events FILE --outputs FILE [--device N] [--timeout-ms N].
/// Returns the exit code: 0 when it went through all cases; 2 when the arguments, the case file or
/// a data file are wrong, or a result file cannot be written; 3 when the runtime refuses
/// initialisation; 4 when the process that is to watch it is no more. All but 0 come with one
/// sentence on stderr.
int RunProgram(int argc, char **argv);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_PROGRAM_H_
