// SPDX-License-Identifier: Apache-2.0
/// Which cases a batch has, and what a program has told of them.
#ifndef ACLNN_CTS_KIT_BATCH_FILES_H_
#define ACLNN_CTS_KIT_BATCH_FILES_H_

#include <set>
#include <string>
#include <vector>

namespace aclnn_cts {

struct Batch {
  std::string name;          ///< also of its first process
  std::string operatorName;  ///< also of the program
  std::string caseFile;      ///< without folder and ending
  std::string about;         ///< its only case, which is run again, alone; empty for a whole file
};

/// Lines `<name> <operator>`. Throws InputError when the file cannot be read or holds others.
std::vector<Batch> ReadBatches(const std::string &path);

/// A case file taken apart without a look at what its lines mean.
struct CaseTexts {
  struct Entry {
    std::string id;
    std::string text;  ///< from its `case` line to its `end` line
  };
  std::string heading;  ///< the lines before the first case
  std::vector<Entry> cases;

  /// A case file with these cases.
  std::string Text() const;
};

/// Throws InputError when the file cannot be read.
CaseTexts ReadCaseTexts(const std::string &path);

/// What an events file tells, as far as its lines are whole.
struct ToldCases {
  std::vector<std::string> begun;  ///< ids, in their order
  std::set<std::string> ended;
  bool finished = false;  ///< the program went through all of its cases

  bool HasBegun(const std::string &id) const;
  /// The last one that was begun and did not end, else the last one; empty if there is none.
  std::string LastOpen() const;
};

/// Nothing is told if there is no file.
ToldCases ReadToldCases(const std::string &events);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_BATCH_FILES_H_
