// SPDX-License-Identifier: Apache-2.0
/// Which cases a batch has, and which of them a program has begun.
#ifndef ACLNN_CTS_KIT_BATCH_FILES_H_
#define ACLNN_CTS_KIT_BATCH_FILES_H_

#include <set>
#include <string>
#include <vector>

namespace aclnn_cts {

struct Batch {
  std::string name;          ///< also of its case file: cases/<name>.txt
  std::string operatorName;  ///< also of the program
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

/// Ids of the cases that an events file says were begun; none if there is no file.
std::set<std::string> BegunCases(const std::string &events);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_BATCH_FILES_H_
