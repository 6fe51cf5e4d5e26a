// SPDX-License-Identifier: Apache-2.0
// Converts stdin to stdout by the simulator's own functions. The argument names the conversion:
// widen16, widenb, round16 or roundb.
#include "nnopbase/float_types.h"

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

template <typename From, typename To, typename Function>
void Convert(const Function &function) {
  std::vector<From> input(1 << 16);
  std::vector<To> output;
  size_t count = 0;
  while ((count = std::fread(input.data(), sizeof(From), input.size(), stdin)) > 0) {
    output.clear();
    for (size_t i = 0; i < count; ++i) output.push_back(function(input[i]));
    std::fwrite(output.data(), sizeof(To), count, stdout);
  }
}

}  // namespace

int main(int, char **argv) {
  using namespace simulator;
  const char *const name = argv[1];
  if (std::strcmp(name, "widen16") == 0)
    Convert<Float16, float>([](Float16 v) { return Widen(v); });
  if (std::strcmp(name, "widenb") == 0)
    Convert<Bfloat16, float>([](Bfloat16 v) { return Widen(v); });
  if (std::strcmp(name, "round16") == 0) Convert<float, Float16>(Round<Float16>);
  if (std::strcmp(name, "roundb") == 0) Convert<float, Bfloat16>(Round<Bfloat16>);
  return 0;
}
