// SPDX-License-Identifier: Apache-2.0
/// What run.sh tells the runner: folders, the toolkit that it found, and what the user asked for.
#ifndef ACLNN_CTS_KIT_OPTIONS_H_
#define ACLNN_CTS_KIT_OPTIONS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kit_record.h"

namespace aclnn_cts {

class Options {
 public:
  /// Behind the command each name is followed by its value.
  Options(int argc, char **argv);

  /// The value of one; empty if it was not given.
  std::string Text(const std::string &name) const;

  /// Seconds, 1 or more. Throws InputError when something else was asked for.
  int64_t CaseSeconds() const;

  /// Numbers and ranges, such as 0,1,4-7. Throws InputError when it is written in another way, or
  /// names a device twice.
  std::vector<int32_t> Devices() const;

  HostFacts Facts() const;

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_OPTIONS_H_
