// SPDX-License-Identifier: Apache-2.0
/// The one header that a generated program needs: an operator's two phases, and the program that
/// runs its cases.
#ifndef ACLNN_CTS_PROGRAM_H_
#define ACLNN_CTS_PROGRAM_H_

#include <cstdint>

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

/// Runs every case of the case file that the arguments name and records what happened; never
/// judges.
///
/// Arguments: --cases FILE --data DIR --events FILE --outputs FILE [--device N] [--timeout-ms N].
/// Returns the exit code: 0 when it went through all cases; 2 when the arguments, the case file or
/// a data file are wrong, or a result file cannot be written; 3 when the runtime refuses
/// initialisation. 2 and 3 come with one sentence on stderr.
int RunProgram(int argc, char **argv, const Operator &measured);

/// The same for an operator some of whose inputs only another operator can make: cases with
/// `producer-tensor` lines run `producer` first, and the measured call gets its outputs.
int RunProgram(int argc, char **argv, const Operator &measured, const Operator &producer);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_PROGRAM_H_
