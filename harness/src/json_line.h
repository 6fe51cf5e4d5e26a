// SPDX-License-Identifier: Apache-2.0
/// Builds one line of JSON.
#ifndef ACLNN_CTS_JSON_LINE_H_
#define ACLNN_CTS_JSON_LINE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace aclnn_cts {

/// An object of one level; keys appear in the order of the calls and must need no escaping.
class JsonLine {
 public:
  explicit JsonLine(const char *event) { Text("event", event); }

  /// Any bytes; invalid UTF-8 is replaced.
  JsonLine &Text(const char *key, const std::string &value);
  JsonLine &Integer(const char *key, int64_t value);
  /// Three decimals; null if it is not finite.
  JsonLine &Real(const char *key, double value);
  /// A list of them.
  JsonLine &Reals(const char *key, const std::vector<double> &values);
  JsonLine &Boolean(const char *key, bool value);
  JsonLine &Null(const char *key);

  /// The line with a line feed.
  std::string Finish() const { return text_ + "}\n"; }

 private:
  JsonLine &Raw(const char *key, const std::string &value);

  std::string text_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_JSON_LINE_H_
