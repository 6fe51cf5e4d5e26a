// SPDX-License-Identifier: Apache-2.0
#include "batch_files.h"

#include "errors.h"
#include "file_reader.h"
#include "line_fields.h"

namespace aclnn_cts {
namespace {

bool StartsWith(const std::string &text, const std::string &start) {
  return text.compare(0, start.size(), start) == 0;
}

}  // namespace

std::vector<Batch> ReadBatches(const std::string &path) {
  std::vector<Batch> batches;
  for (const std::string &text : LinesOf(ReadText(path))) {
    LineFields line(path, text);
    Batch batch;
    batch.name = line.Name("the batch");
    batch.operatorName = line.Name("the operator");
    line.End();
    batches.push_back(batch);
  }
  return batches;
}

std::string CaseTexts::Text() const {
  std::string text = heading;
  for (const Entry &each : cases) text += each.text;
  return text;
}

CaseTexts ReadCaseTexts(const std::string &path) {
  static const std::string kCase = "case ";
  CaseTexts read;
  for (const std::string &line : LinesOf(ReadText(path))) {
    if (StartsWith(line, kCase)) read.cases.push_back({line.substr(kCase.size()), ""});
    (read.cases.empty() ? read.heading : read.cases.back().text) += line + "\n";
  }
  return read;
}

std::set<std::string> BegunCases(const std::string &events) {
  static const std::string kBegin = "{\"event\":\"begin\",\"case\":\"";
  std::set<std::string> begun;
  if (SizeOf(events) < 0) return begun;
  for (const std::string &line : LinesOf(ReadText(events))) {
    if (!StartsWith(line, kBegin)) continue;
    begun.insert(line.substr(kBegin.size(), line.find('"', kBegin.size()) - kBegin.size()));
  }
  return begun;
}

}  // namespace aclnn_cts
