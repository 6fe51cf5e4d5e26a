// SPDX-License-Identifier: Apache-2.0
#include "line_fields.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <utility>

#include "errors.h"

namespace aclnn_cts {

LineFields::LineFields(std::string where, std::string line)
    : where_(std::move(where)), line_(std::move(line)) {}

void LineFields::Fail(const std::string &wrong, const std::string &expected) const {
  throw InputError(where_ + ": " + wrong + "; expected " + expected);
}

std::string LineFields::Word(const char *what) {
  const std::string::size_type start = position_;
  const std::string::size_type end = std::min(line_.find(' ', start), line_.size());
  if (start >= line_.size() || end == start) Fail(std::string(what) + " is missing", "it here");
  position_ = end + 1;
  return line_.substr(start, end - start);
}

void LineFields::Keyword(const char *word) {
  const std::string found = Word(word);
  if (found != word) Fail("'" + found + "' is out of place", std::string("'") + word + "'");
}

std::string LineFields::Name(const char *what) {
  const std::string name = Word(what);
  RequireNameOf(name, what);
  return name;
}

std::string LineFields::TensorName(const char *what) {
  const std::string name = Word(what);
  const size_t bracket = name.find('[');
  RequireNameOf(name.substr(0, bracket), what);
  if (bracket == std::string::npos) return name;
  const std::string place = name.substr(bracket + 1, name.size() - bracket - 2);
  if (name.back() != ']' || name.size() < bracket + 3 ||
      place.find_first_not_of("0123456789") != std::string::npos) {
    Fail(std::string(what) + " '" + name + "' ends in no place of a list", "as in x[0]");
  }
  return name;
}

void LineFields::RequireNameOf(const std::string &name, const char *what) const {
  static const char kAllowed[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:+-";
  if (name.find_first_not_of(kAllowed) != std::string::npos) {
    Fail(std::string(what) + " '" + name + "' has other characters", "[A-Za-z0-9._:+-] only");
  }
}

int64_t LineFields::ParseInteger(const std::string &text, const char *what, int64_t low,
                                 int64_t high) const {
  // strtoll alone would accept leading blanks and a plus sign.
  const bool plain = !text.empty() && text.find_first_not_of("-0123456789") == std::string::npos;
  errno = 0;
  char *end = nullptr;
  const long long value = plain ? std::strtoll(text.c_str(), &end, 10) : 0;
  if (!plain || *end != '\0' || errno != 0 || value < low || value > high) {
    const bool open = high == std::numeric_limits<int64_t>::max();
    Fail(std::string(what) + " is '" + text + "'", "a whole number from " + std::to_string(low) +
                                                       (open ? "" : " to " + std::to_string(high)));
  }
  return value;
}

int64_t LineFields::Integer(const char *what, int64_t low, int64_t high) {
  return ParseInteger(Word(what), what, low, high);
}

double LineFields::Real(const char *what) {
  const std::string text = Word(what);
  char *end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || std::isspace(static_cast<unsigned char>(text[0]))) {
    Fail(std::string(what) + " is '" + text + "'", "a number such as 0x1.8p+0, nan, inf or -inf");
  }
  return value;
}

Dims LineFields::List(const char *what, int64_t low) {
  const std::string text = Word(what);
  Dims values;
  if (text == "-") return values;
  for (std::string::size_type start = 0; start <= text.size();) {
    const std::string::size_type end = std::min(text.find(',', start), text.size());
    values.push_back(ParseInteger(text.substr(start, end - start), what, low,
                                  std::numeric_limits<int64_t>::max()));
    start = end + 1;
  }
  return values;
}

std::vector<uint8_t> LineFields::Bytes(const char *what) {
  static const std::string kDigits = "0123456789abcdef";
  const std::string text = Word(what);
  if (text.size() % 2 != 0 || text.find_first_not_of(kDigits) != std::string::npos) {
    Fail(std::string(what) + " is '" + text + "'", "two digits of [0-9a-f] for each byte");
  }
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(kDigits.find(text[i]) * 16 + kDigits.find(text[i + 1])));
  }
  return bytes;
}

std::string LineFields::Rest() {
  std::string rest = position_ < line_.size() ? line_.substr(position_) : std::string();
  position_ = line_.size() + 1;
  return rest;
}

void LineFields::End() const {
  if (position_ <= line_.size())
    Fail("'" + line_.substr(position_) + "' is too much", "the line to end before it");
}

}  // namespace aclnn_cts
