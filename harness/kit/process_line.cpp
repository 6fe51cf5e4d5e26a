// SPDX-License-Identifier: Apache-2.0
#include "process_line.h"

#include "file_reader.h"
#include "json_line.h"

namespace aclnn_cts {

// Names and ids hold nothing that is escaped, and within a text the quotation marks of a key are.
std::string TextOf(const std::string &line, const std::string &key) {
  const std::string start = "\"" + key + "\":\"";
  const std::string::size_type found = line.find(start);
  if (found == std::string::npos) return "";
  const std::string::size_type begin = found + start.size();
  return line.substr(begin, line.find('"', begin) - begin);
}

std::string ProcessLine(const ProcessFacts &facts, const Batch &batch, int32_t device,
                        const Ended &ended) {
  JsonLine line("process");
  line.Text("name", facts.name)
      .Text("batch", batch.name)
      .Text("operator", batch.operatorName)
      .Text("about", batch.about)
      .Text("culprit", facts.culprit)
      .Integer("device", device)
      .Integer("exit_code", ended.exitCode)
      .Boolean("timed_out", ended.timedOut)
      .Real("seconds", ended.seconds)
      .Text("stderr", ended.words)
      .Text("events_sha256", facts.eventsDigest)
      .Text("outputs_sha256", facts.outputsDigest);
  return line.Finish();
}

std::vector<ProcessFacts> ReadProcesses(const std::string &lines) {
  std::vector<ProcessFacts> processes;
  for (const std::string &line : LinesOf(lines)) {
    const bool timedOut = line.find("\"timed_out\":true") != std::string::npos;
    processes.push_back({TextOf(line, "name"), TextOf(line, "culprit"), timedOut,
                         TextOf(line, "events_sha256"), TextOf(line, "outputs_sha256")});
  }
  return processes;
}

}  // namespace aclnn_cts
