// SPDX-License-Identifier: Apache-2.0
/// The lines of JSON that say how processes ended: what goes home of them, and what is read back.
#ifndef ACLNN_CTS_KIT_PROCESS_LINE_H_
#define ACLNN_CTS_KIT_PROCESS_LINE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "batch_files.h"
#include "child.h"

namespace aclnn_cts {

/// One process of a batch.
struct ProcessFacts {
  std::string name;     ///< also of its files in events/ and outputs/
  std::string culprit;  ///< the case that it died in, or after which; empty if it did not
  bool timedOut = false;
  std::string eventsDigest;   ///< of its file in events/ when it had ended
  std::string outputsDigest;  ///< of its file in outputs/
};

/// The line of a process, with its end.
std::string ProcessLine(const ProcessFacts &facts, const Batch &batch, int32_t device,
                        const Ended &ended);

/// The name or id behind a key of a line that this runner wrote; empty if the key is not there.
std::string TextOf(const std::string &line, const std::string &key);

/// The processes of such lines.
std::vector<ProcessFacts> ReadProcesses(const std::string &lines);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_PROCESS_LINE_H_
