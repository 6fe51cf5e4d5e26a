// SPDX-License-Identifier: Apache-2.0
/// The arguments of a program.
#ifndef ACLNN_CTS_OPTIONS_H_
#define ACLNN_CTS_OPTIONS_H_

#include <cstdint>
#include <string>

namespace aclnn_cts {

struct Options {
  std::string cases;    ///< case file
  std::string data;     ///< folder that the data paths of the case file start from
  std::string events;   ///< file to write events to
  std::string outputs;  ///< file to write outputs to
  int32_t device = 0;
  int32_t timeoutMs = 60000;  ///< for waiting until the stream is done
};

/// Throws InputError when an argument is unknown, missing, repeated without value, or no number
/// where one is due.
Options ParseOptions(int argc, char **argv);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_OPTIONS_H_
