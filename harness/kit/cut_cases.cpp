// SPDX-License-Identifier: Apache-2.0
#include "cut_cases.h"

#include <algorithm>

#include "file_reader.h"
#include "json_line.h"
#include "kept_file.h"
#include "process_line.h"

namespace aclnn_cts {

void RememberCut(const RunPlan &plan, const Batch &batch, const std::string &events) {
  const std::string id = ReadToldCases(events).LastOpen();
  const std::vector<std::string> known = CutCases(plan, batch);
  if (id.empty() || std::find(known.begin(), known.end(), id) != known.end()) return;
  JsonLine line("cut");
  line.Text("case", id).Text("batch", batch.name).Text("operator", batch.operatorName);
  WriteKept(CutFile(plan, batch), CutLines(plan, batch) + line.Finish());
}

std::string CutLines(const RunPlan &plan, const Batch &batch) {
  const std::string path = CutFile(plan, batch);
  return SizeOf(path) < 0 ? "" : ReadKept(path);
}

std::vector<std::string> CutCases(const RunPlan &plan, const Batch &batch) {
  std::vector<std::string> cases;
  for (const std::string &line : LinesOf(CutLines(plan, batch))) {
    cases.push_back(TextOf(line, "case"));
  }
  return cases;
}

}  // namespace aclnn_cts
