// SPDX-License-Identifier: Apache-2.0
#include "json_line.h"

#include <cmath>
#include <cstdio>

namespace aclnn_cts {
namespace {

bool IsContinuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// Length of the UTF-8 sequence at `start`, or 0 if it is invalid.
size_t SequenceLength(const std::string &text, size_t start) {
  const auto byte = [&](size_t i) {
    return static_cast<unsigned char>(i < text.size() ? text[i] : 0);
  };
  const unsigned char first = byte(start);
  const unsigned char second = byte(start + 1);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !IsContinuation(second)) return 0;
  if (first < 0xE0) return 2;
  // Overlong forms, surrogates and code points above U+10FFFF.
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) {
    return 0;
  }
  if (!IsContinuation(byte(start + 2))) return 0;
  if (first < 0xF0) return 3;
  return IsContinuation(byte(start + 3)) ? 4 : 0;
}

void AppendCharacter(std::string &out, char character) {
  if (character == '"' || character == '\\') {
    out += '\\';
    out += character;
  } else if (static_cast<unsigned char>(character) < 0x20) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(character));
    out += escape;
  } else {
    out += character;
  }
}

std::string Quote(const std::string &text) {
  std::string out = "\"";
  for (size_t i = 0; i < text.size();) {
    const size_t length = SequenceLength(text, i);
    if (length == 0) {
      out += "\xEF\xBF\xBD";  // the replacement character
    } else if (length == 1) {
      AppendCharacter(out, text[i]);
    } else {
      out.append(text, i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return out + "\"";
}

std::string Decimals(double value) {
  if (!std::isfinite(value)) return "null";
  char digits[400];  // the longest double has 309 digits before the point
  std::snprintf(digits, sizeof digits, "%.3f", value);
  return digits;
}

}  // namespace

JsonLine &JsonLine::Raw(const char *key, const std::string &value) {
  text_ += text_.empty() ? "{\"" : ",\"";
  text_ += key;
  text_ += "\":";
  text_ += value;
  return *this;
}

JsonLine &JsonLine::Text(const char *key, const std::string &value) {
  return Raw(key, Quote(value));
}

JsonLine &JsonLine::Integer(const char *key, int64_t value) {
  return Raw(key, std::to_string(value));
}

JsonLine &JsonLine::Real(const char *key, double value) { return Raw(key, Decimals(value)); }

JsonLine &JsonLine::Reals(const char *key, const std::vector<double> &values) {
  std::string list = "[";
  for (const double value : values) {
    if (list.size() > 1) list += ',';
    list += Decimals(value);
  }
  return Raw(key, list + "]");
}

JsonLine &JsonLine::Boolean(const char *key, bool value) {
  return Raw(key, value ? "true" : "false");
}

JsonLine &JsonLine::Null(const char *key) { return Raw(key, "null"); }

}  // namespace aclnn_cts
