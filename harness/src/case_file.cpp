// SPDX-License-Identifier: Apache-2.0
#include "case_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <unordered_set>
#include <utility>

#include "aclnn_cts/program.h"
#include "case_checks.h"
#include "errors.h"
#include "line_fields.h"
#include "parameter_lines.h"

namespace aclnn_cts {
namespace {

constexpr std::pair<ExecutionVariant, const char *> kVariants[] = {
    {ExecutionVariant::kSecondStream, "second-stream"},
    {ExecutionVariant::kKeptWorkspace, "kept-workspace"},
    {ExecutionVariant::kAfterOthers, "after-others"},
    {ExecutionVariant::kInFlight, "in-flight"},
    {ExecutionVariant::kPlannedBetween, "planned-between"},
    {ExecutionVariant::kRepeatableExecutor, "repeatable-executor"},
    {ExecutionVariant::kMovedAddresses, "moved-addresses"},
    {ExecutionVariant::kCaptured, "captured"},
    {ExecutionVariant::kOtherThread, "other-thread"},
    {ExecutionVariant::kFourThreads, "four-threads"},
    {ExecutionVariant::kDefaultStream, "default-stream"},
    {ExecutionVariant::kSharedWorkspace, "shared-workspace"},
    {ExecutionVariant::kManyPlanned, "many-planned"},
    {ExecutionVariant::kManyCalls, "many-calls"},
    {ExecutionVariant::kAmongOthers, "among-others"},
};

void ReadData(LineFields &line, Case &read) {
  read.dataWhere = line.Where();
  const std::string path = line.Word("the data file's path");
  if (path == "-") return;
  read.dataPath = path;
  read.dataBytes = line.Integer("the payload's size", 0, kAny);
}

// The program must contain the operator.
std::string ReadOperator(LineFields &line) {
  const std::string name = line.Name("the operator");
  if (FindOperator(name) == nullptr) {
    line.Fail("operator '" + name + "' is not in this program",
              "the operator that the program is named after, or one that it calls besides");
  }
  return name;
}

// This and the next two functions return the fact that must be unique.
std::string ReadAgain(LineFields &line, Case &read) {
  const std::string name = line.Word("the execution variant");
  std::string known;
  for (const auto &[variant, own] : kVariants) {
    if (name == own) {
      read.again.push_back(variant);
      return "again " + name;
    }
    known += known.empty() ? own : std::string(", ") + own;
  }
  line.Fail("execution variant '" + name + "' is unknown", "one of " + known);
}

std::string ReadParameter(LineFields &line, const std::string &kind, Parameters &parameters) {
  if (kind == "tensor") {
    parameters.tensors.push_back(ReadTensor(line));
    return "parameter " + parameters.tensors.back().name;
  }
  if (kind == "attribute") {
    parameters.attributes.push_back(ReadAttribute(line));
    return "parameter " + parameters.attributes.back().name;
  }
  line.Fail("'" + kind + "' is unknown", "a fact of the case, or end");
}

// nullptr if the word names no side call. A case may have several others, one after another.
SideCall *FindSideCall(Case &read, const std::string &name, bool begins) {
  if (name == "producer") return &read.producer;
  if (name == "decoy") return &read.decoy;
  if (name != "other") return nullptr;
  if (begins || read.others.empty()) read.others.emplace_back();
  return &read.others.back();
}

std::string ReadCall(LineFields &line, const std::string &fact, Case &read) {
  const std::string::size_type dash = fact.find('-');
  const std::string which = fact.substr(0, dash);
  SideCall *const named = FindSideCall(read, which, dash == std::string::npos);
  if (named == nullptr) return ReadParameter(line, fact, read.measured);
  SideCall &call = *named;
  if (dash != std::string::npos) {
    const std::string key = which == "other" ? which + std::to_string(read.others.size()) : which;
    return key + " " + ReadParameter(line, fact.substr(dash + 1), call.parameters);
  }
  call.where = line.Where();
  call.operatorName = ReadOperator(line);
  return which == "other" ? which + " " + call.operatorName : which;
}

// A multiple of 64, so that the memory after it is aligned like memory from aclrtMalloc.
int64_t ReadGuard(LineFields &line) {
  const int64_t bytes = line.Integer("the guard", 64, 1 << 20);
  if (bytes % 64 != 0) line.Fail("the guard is not a multiple of 64 bytes", "one that is");
  return bytes;
}

// Reads one line between `case` and `end`; `seen` detects duplicate facts.
void ReadFact(LineFields &line, const std::string &fact, Case &read, std::set<std::string> &seen) {
  std::string key = fact;
  if (fact == "data") {
    ReadData(line, read);
  } else if (fact == "runs") {
    read.runs = line.Integer("the number of runs", 1, 2);
  } else if (fact == "slack") {
    read.margins.slack = line.Integer("the slack", 0, 1024);
  } else if (fact == "guard") {
    read.margins.guard = ReadGuard(line);
  } else if (fact == "deterministic") {
    read.determinism = line.Integer("deterministic", 0, 3);
  } else if (fact == "launch") {
    read.launch = line.Integer("launch", 0, 1) == 1;
  } else if (fact == "timed") {
    read.timed = line.Integer("the number of timed launches", 1, 10000);
  } else if (fact == "calls") {
    read.calls = line.Integer("the number of calls", 2, 10000);
  } else if (fact == "again") {
    key = ReadAgain(line, read);
  } else {
    key = ReadCall(line, fact, read);
  }
  line.End();
  if (!seen.insert(key).second) line.Fail("'" + key + "' is stated twice", "it once per case");
}

// Returns the lines of a file, with their numbers.
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

// Returns the measured operator.
std::string ReadHeading(LineSource &lines) {
  lines.Next();
  LineFields line = lines.Fields();
  line.Keyword("aclnn-cts-cases");
  (void)line.Integer("the format version", 6, 6);
  const std::string name = ReadOperator(line);
  line.End();
  return name;
}

std::string ReadNonce(LineSource &lines) {
  lines.Next();
  LineFields line = lines.Fields();
  line.Keyword("nonce");
  const std::string nonce = line.Word("the nonce");
  if (nonce.size() != 32 || nonce.find_first_not_of("0123456789abcdef") != std::string::npos) {
    line.Fail("the nonce is '" + nonce + "'", "32 digits of [0-9a-f]");
  }
  line.End();
  return nonce;
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

CaseFile ReadCases(const std::string &path) {
  LineSource lines(path);
  CaseFile read;
  read.operatorName = ReadHeading(lines);
  read.nonce = ReadNonce(lines);
  std::unordered_set<std::string> ids;
  while (lines.Next()) {
    LineFields line = lines.Fields();
    line.Keyword("case");
    read.cases.push_back(ReadCase(lines, line));
    if (!ids.insert(read.cases.back().id).second) {
      line.Fail("case " + read.cases.back().id + " is in the file twice", "every id once");
    }
  }
  return read;
}

const char *NameOf(ExecutionVariant variant) {
  for (const auto &[known, name] : kVariants) {
    if (known == variant) return name;
  }
  return "ordinary";
}

}  // namespace aclnn_cts
