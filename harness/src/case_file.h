// SPDX-License-Identifier: Apache-2.0
/// Reads case files: UTF-8 text, one fact per line, fields separated by single spaces (a line
/// that goes on behind ... is one line).
///
///     aclnn-cts-cases 5 <operator>
///     nonce <digits>                   32 of [0-9a-f], the run's own
///     case <id>                        [A-Za-z0-9._:+-]+
///     data <path> <bytes> | data -     .npy file with the inputs, and the size of its payload
///     runs <1|2>
///     slack <bytes>                    room that aclrtMalloc leaves beyond a size rounded up to 32
///     guard <bytes>                    watched memory on each side, 1024 if not stated
///     deterministic <level from 0 to 3>
///     tensor <name> <role> <aclDataType> <aclFormat> shape <dims> strides <dims>
///         ... offset <n> storage <dims> <source>
///     attribute <name> <value>
///     again <variant>                  one further run each
///     timed <launches>                 for their time alone, none if not stated
///     producer <operator>              makes an input
///     producer-tensor ...              as tensor
///     producer-attribute ...           as attribute
///     other <operator>                 runs before the run `again after-others`
///     other-tensor ...                 as tensor
///     other-attribute ...              as attribute
///     decoy <operator>                 the measured one; for in-flight and planned-between
///     decoy-tensor ...                 as tensor
///     decoy-attribute ...              as attribute
///     end
///
/// role:   input | output
/// dims:   comma-separated, - for rank 0
/// source: data <first byte> <bytes> | output | null | from-producer | same <tensor> | scratch
/// value:  double <C99 number> | int64 <n> | bool <0|1> | string <rest of the line> | string-null |
///         ints <list or -> | ints-null
/// variant: second-stream | kept-workspace | after-others | in-flight | planned-between |
///          repeatable-executor
#ifndef ACLNN_CTS_CASE_FILE_H_
#define ACLNN_CTS_CASE_FILE_H_

#include <string>
#include <vector>

#include "aclnn_cts/case.h"

namespace aclnn_cts {

/// The content of a case file.
struct CaseFile {
  std::string operatorName;  ///< the measured operator
  std::string nonce;         ///< to be repeated in the first event
  std::vector<Case> cases;   ///< in the file's order
};

/// Reads the file. Throws InputError `FILE:LINE: what is wrong; expected what` for any deviation
/// from the format, or inconsistent parts.
CaseFile ReadCases(const std::string &path);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_CASE_FILE_H_
