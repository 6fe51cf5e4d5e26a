// SPDX-License-Identifier: Apache-2.0
#include "case_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <set>
#include <unordered_set>
#include <utility>

#include "case_checks.h"
#include "errors.h"
#include "line_fields.h"
#include "parameter_lines.h"

namespace aclnn_cts {
namespace {

constexpr int64_t kAny = std::numeric_limits<int64_t>::max();

void ReadData(LineFields &line, Case &read) {
  read.dataWhere = line.Where();
  const std::string path = line.Word("the data file's path");
  if (path == "-") return;
  read.dataPath = path;
  read.dataBytes = line.Integer("the payload's size", 0, kAny);
}

// Reads one line between `case` and `end`; `seen` finds facts that are stated twice.
void ReadFact(LineFields &line, const std::string &fact, Case &read, std::set<std::string> &seen) {
  std::string key = fact;
  if (fact == "data") {
    ReadData(line, read);
  } else if (fact == "runs") {
    read.runs = line.Integer("the number of runs", 1, 2);
  } else if (fact == "slack") {
    read.slackBytes = line.Integer("the slack", 0, 1024);
  } else if (fact == "deterministic") {
    read.deterministic = line.Integer("deterministic", 0, 1) == 1;
  } else if (fact == "tensor" || fact == "producer-tensor") {
    auto &parameters = fact == "tensor" ? read.measured : read.producer;
    parameters.tensors.push_back(ReadTensor(line));
    key =
        (fact == "tensor" ? "parameter " : "producer parameter ") + parameters.tensors.back().name;
  } else if (fact == "attribute" || fact == "producer-attribute") {
    auto &parameters = fact == "attribute" ? read.measured : read.producer;
    parameters.attributes.push_back(ReadAttribute(line));
    key = (fact == "attribute" ? "parameter " : "producer parameter ") +
          parameters.attributes.back().name;
  } else {
    line.Fail("'" + fact + "' is unknown", "a fact of the case, or end");
  }
  line.End();
  if (!seen.insert(key).second) line.Fail("'" + key + "' is stated twice", "it once per case");
}

// Hands out the lines of a file, counted.
class LineSource {
 public:
  explicit LineSource(const std::string &path) : path_(path), file_(path) {
    if (file_.is_open()) return;
    throw InputError(path + ": " + std::strerror(errno) + "; expected a readable case file");
  }

  bool Next() {
    ++number_;
    return static_cast<bool>(std::getline(file_, text_));
  }

  LineFields Fields() const { return LineFields(path_ + ":" + std::to_string(number_), text_); }

 private:
  std::string path_;
  std::ifstream file_;
  int64_t number_ = 0;
  std::string text_;
};

void ReadHeading(LineSource &lines, const std::string &operatorName) {
  lines.Next();
  LineFields line = lines.Fields();
  line.Keyword("aclnn-cts-cases");
  (void)line.Integer("the format version", 1, 1);
  line.Keyword(operatorName.c_str());
  line.End();
}

// Reads on after a `case` line, up to `end`.
Case ReadCase(LineSource &lines, LineFields &heading) {
  Case read;
  read.where = heading.Where();
  read.id = heading.Name("the case id");
  heading.End();
  std::set<std::string> seen;
  while (lines.Next()) {
    LineFields line = lines.Fields();
    const std::string fact = line.Word("a fact of the case");
    if (fact == "end") {
      line.End();
      CheckCase(line, read, seen);
      return read;
    }
    ReadFact(line, fact, read, seen);
  }
  lines.Fields().Fail("the file stops inside case " + read.id, "its end line");
}

}  // namespace

std::vector<Case> ReadCases(const std::string &path, const std::string &operatorName) {
  LineSource lines(path);
  ReadHeading(lines, operatorName);
  std::vector<Case> cases;
  std::unordered_set<std::string> ids;
  while (lines.Next()) {
    LineFields line = lines.Fields();
    line.Keyword("case");
    cases.push_back(ReadCase(lines, line));
    if (!ids.insert(cases.back().id).second) {
      line.Fail("case " + cases.back().id + " stands in the file twice", "every id once");
    }
  }
  return cases;
}

}  // namespace aclnn_cts
