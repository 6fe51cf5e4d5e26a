// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <algorithm>

#include "errors.h"
#include "line_fields.h"

namespace aclnn_cts {
namespace {

std::vector<std::string> Split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  for (std::string::size_type start = 0; start <= text.size();) {
    const std::string::size_type end = std::min(text.find(separator, start), text.size());
    if (end > start) parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

int32_t Number(const std::string &what, const std::string &text, int64_t low) {
  LineFields fields(what, text);
  const int64_t number = fields.Integer("the value", low, 99999);
  fields.End();
  return static_cast<int32_t>(number);
}

void AddDevice(std::vector<int32_t> &devices, int32_t number) {
  if (std::find(devices.begin(), devices.end(), number) != devices.end()) {
    throw InputError("DEVICES names " + std::to_string(number) + " twice; name each device once");
  }
  devices.push_back(number);
}

}  // namespace

Options::Options(int argc, char **argv) {
  for (int i = 2; i + 1 < argc; i += 2) values_[argv[i]] = argv[i + 1];
}

std::string Options::Text(const std::string &name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? "" : found->second;
}

int64_t Options::CaseSeconds() const { return Number("CASE_SECONDS", Text("--case-seconds"), 1); }

std::vector<int32_t> Options::Devices() const {
  std::vector<int32_t> devices;
  for (const std::string &part : Split(Text("--devices"), ',')) {
    const std::string::size_type dash = part.find('-');
    const int32_t first = Number("DEVICES", part.substr(0, dash), 0);
    const int32_t last =
        dash == std::string::npos ? first : Number("DEVICES", part.substr(dash + 1), first);
    for (int32_t each = first; each <= last; ++each) AddDevice(devices, each);
  }
  if (devices.empty()) throw InputError("DEVICES names no device; write DEVICES=0,1,4-7");
  return devices;
}

HostFacts Options::Facts() const {
  HostFacts facts;
  facts.toolkit = Text("--toolkit");
  facts.branches = Split(Text("--branches"), ' ');
  facts.libraryFolder = Text("--library-folder");
  facts.libraries = Split(Text("--libraries"), ' ');
  facts.compiler = Text("--compiler");
  return facts;
}

}  // namespace aclnn_cts
