// SPDX-License-Identifier: Apache-2.0
#include "batch_files.h"

#include <algorithm>

#include "errors.h"
#include "file_reader.h"
#include "line_fields.h"

namespace aclnn_cts {
namespace {

bool StartsWith(const std::string &text, const std::string &start) {
  return text.compare(0, start.size(), start) == 0;
}

// What stands between the start of a line and the next quotation mark; false for other lines.
bool QuotedAfter(const std::string &line, const std::string &start, std::string &quoted) {
  if (!StartsWith(line, start)) return false;
  quoted = line.substr(start.size(), line.find('"', start.size()) - start.size());
  return true;
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
    batch.caseFile = batch.name;
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

bool ToldCases::HasBegun(const std::string &id) const {
  return std::find(begun.begin(), begun.end(), id) != begun.end();
}

std::string ToldCases::LastOpen() const {
  const auto open = std::find_if(begun.rbegin(), begun.rend(),
                                 [this](const std::string &id) { return ended.count(id) == 0; });
  if (open != begun.rend()) return *open;
  return begun.empty() ? "" : begun.back();
}

ToldCases ReadToldCases(const std::string &events) {
  ToldCases told;
  if (SizeOf(events) < 0) return told;
  const std::string text = ReadText(events);
  std::string id;
  // What stands behind the last end of a line was cut off.
  for (const std::string &line : LinesOf(text.substr(0, text.rfind('\n') + 1))) {
    if (QuotedAfter(line, "{\"event\":\"begin\",\"case\":\"", id)) told.begun.push_back(id);
    if (QuotedAfter(line, "{\"event\":\"end\",\"case\":\"", id)) told.ended.insert(id);
    told.finished = told.finished || StartsWith(line, "{\"event\":\"finished\"");
  }
  return told;
}

}  // namespace aclnn_cts
