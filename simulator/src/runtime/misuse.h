// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_MISUSE_H_
#define SIMULATOR_RUNTIME_MISUSE_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>

#pragma GCC visibility push(default)
namespace simulator {

/// A value as text for messages: pointers in hexadecimal, numbers in decimal.
inline std::string Text(const char *value) { return value; }
inline std::string Text(const std::string &value) { return value; }
std::string Text(const void *value);
template <typename Integer>
std::enable_if_t<std::is_integral<Integer>::value, std::string> Text(Integer value) {
  return std::to_string(value);
}

/// `pattern` with each `{}` replaced by the next of `values`.
std::string Sentence(const char *pattern, std::initializer_list<std::string> values);

/// Writes `simulator: <sentence>` to stderr and aborts the process.
[[noreturn]] void EndProgram(const std::string &sentence);

/// Ends the program because it misused the simulated device. The message says what was misused,
/// which handle, and what to do; `simulator/README.md` lists all patterns.
template <typename... Values>
[[noreturn]] void Misuse(const char *pattern, const Values &...values) {
  EndProgram(Sentence(pattern, {Text(values)...}));
}

/// Writes `simulator: <sentence>` to stderr and ends the process with the exit status 86.
[[noreturn]] void EndProgramUnable(const std::string &sentence);

/// Ends the program because the simulated device lacks what a call needs. Unlike misuse, this says
/// nothing about the program or about the operator under test.
template <typename... Values>
[[noreturn]] void EndUnable(const char *pattern, const Values &...values) {
  EndProgramUnable(Sentence(pattern, {Text(values)...}));
}

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_RUNTIME_MISUSE_H_
