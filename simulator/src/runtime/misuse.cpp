// SPDX-License-Identifier: Apache-2.0
#include "runtime/misuse.h"

#include <cstdio>
#include <cstdlib>

namespace simulator {

std::string Text(const void *value) {
  char digits[2 + 2 * sizeof(void *) + 1];
  std::snprintf(digits, sizeof(digits), "0x%llx",
                static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(value)));
  return digits;
}

std::string Sentence(const char *pattern, std::initializer_list<std::string> values) {
  std::string sentence;
  auto value = values.begin();
  for (const char *c = pattern; *c != '\0'; ++c) {
    if (c[0] == '{' && c[1] == '}' && value != values.end()) {
      sentence += *value++;
      ++c;
    } else {
      sentence += *c;
    }
  }
  return sentence;
}

namespace {

// The runner knows this status by the name UNABLE.
constexpr int kUnable = 86;

void Say(const std::string &sentence) {
  // Keep the output of the program so far.
  std::fflush(nullptr);
  std::fprintf(stderr, "simulator: %s\n", sentence.c_str());
}

}  // namespace

void EndProgram(const std::string &sentence) {
  Say(sentence);
  std::abort();
}

void EndProgramUnable(const std::string &sentence) {
  Say(sentence);
  std::_Exit(kUnable);
}

}  // namespace simulator
