// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <limits>
#include <map>

#include "errors.h"
#include "line_fields.h"

namespace aclnn_cts {
namespace {

constexpr char kUsage[] =
    "expected --cases FILE --data DIR --events FILE --outputs FILE [--device N] [--timeout-ms N]";

int32_t Number(const std::string &option, const std::string &value, int32_t low) {
  LineFields fields(option, value);
  const int64_t number = fields.Integer("the value", low, std::numeric_limits<int32_t>::max());
  fields.End();
  return static_cast<int32_t>(number);
}

}  // namespace

Options ParseOptions(int argc, char **argv) {
  Options options;
  std::map<std::string, std::string *> required = {{"--cases", &options.cases},
                                                   {"--data", &options.data},
                                                   {"--events", &options.events},
                                                   {"--outputs", &options.outputs}};
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    const auto found = required.find(option);
    if (found == required.end() && option != "--device" && option != "--timeout-ms") {
      throw InputError("argument '" + option + "' is unknown; " + kUsage);
    }
    if (i + 1 == argc) throw InputError(option + " has no value; " + kUsage);
    const std::string value = argv[i + 1];
    if (found != required.end()) {
      *found->second = value;
    } else if (option == "--device") {
      options.device = Number(option, value, 0);
    } else {
      options.timeoutMs = Number(option, value, 1);
    }
  }
  for (const auto &option : required) {
    if (option.second->empty()) throw InputError(option.first + " is missing; " + kUsage);
  }
  return options;
}

}  // namespace aclnn_cts
