// SPDX-License-Identifier: Apache-2.0
#include "fake_faults.h"

#include <cstdlib>
#include <sstream>

namespace fake {

std::vector<std::string> Faults(const std::string &name) {
  const char *all = std::getenv("FAKE_CANN_FAULTS");
  std::istringstream words(all == nullptr ? "" : all);
  std::vector<std::string> values;
  for (std::string word; words >> word;) {
    const size_t colon = word.find(':');
    if (word.substr(0, colon) != name) continue;
    values.push_back(colon == std::string::npos ? "" : word.substr(colon + 1));
  }
  return values;
}

int64_t FaultNumber(const std::string &name, int64_t otherwise) {
  const std::vector<std::string> values = Faults(name);
  return values.empty() ? otherwise : std::stoll(values[0]);
}

}  // namespace fake
