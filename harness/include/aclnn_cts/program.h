// SPDX-License-Identifier: Apache-2.0
/// The header for generated sources: an operator's two phases, and their registration with the
/// program.
#ifndef ACLNN_CTS_PROGRAM_H_
#define ACLNN_CTS_PROGRAM_H_

#include <cstdint>
#include <string>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnn_cts/arguments.h"

namespace aclnn_cts {

/// Phase one: calls aclnnXGetWorkspaceSize with arguments by name.
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

/// Registers an operator. Each generated source defines one as a static object.
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

/// The operator of that name, or nullptr.
const Operator *FindOperator(const std::string &name);

/// Runs and records all cases of the case file that the arguments name, without judging them. The
/// case file's first line names the measured operator.
///
/// Arguments: --cases FILE --data DIR --events FILE --outputs FILE [--device N] [--timeout-ms N].
/// Returns the exit code: 0 after all cases; 2 if the arguments, the case file or a data file are
/// wrong, or a result file cannot be written; 3 if the runtime refuses initialisation; 4 if the
/// supervising process is gone. All except 0 come with a message on stderr.
int RunProgram(int argc, char **argv);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_PROGRAM_H_
