// SPDX-License-Identifier: Apache-2.0
#include "aclnn_cts/program.h"

#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "case_file.h"
#include "case_runner.h"
#include "errors.h"
#include "npy_file.h"
#include "options.h"
#include "runner_bond.h"
#include "runtime.h"

namespace aclnn_cts {
namespace {

constexpr int kDone = 0;
constexpr int kBadInput = 2;
constexpr int kNoRuntime = 3;
constexpr int kNoRunner = 4;

// Finds what is wrong with the input before the device is touched.
CaseFile ReadAndCheck(const Options &options) {
  CaseFile read = ReadCases(options.cases);
  for (const Case &described : read.cases) {
    if (described.dataPath.empty()) continue;
    CheckNpyFile(described.dataWhere, options.data + "/" + described.dataPath, described.dataBytes);
  }
  return read;
}

void RunCases(const Options &options, const CaseFile &read, const Bench &bench) {
  const Runtime runtime;
  auto device = std::make_unique<Device>(options.device);
  bench.results.Write(DescribeDevice().Text("nonce", read.nonce));
  for (const Case &described : read.cases) {
    if (RunCase(bench, device->FirstStream(), described, options.data)) continue;
    // One case's trouble must not become the next one's. The old device must be closed first.
    device.reset();
    device = std::make_unique<Device>(options.device);
  }
  bench.results.Write(
      JsonLine("finished").Integer("cases", static_cast<int64_t>(read.cases.size())));
}

}  // namespace

int RunProgram(int argc, char **argv) {
  std::string name = "aclnn-cts";
  if (!BindToRunner()) {
    std::fprintf(
        stderr, "ACLNN_CTS_RUNNER_PID names a process that did not start this program; unset it\n");
    return kNoRunner;
  }
  try {
    const Options options = ParseOptions(argc, argv);
    const CaseFile read = ReadAndCheck(options);
    name = read.operatorName;
    ResultFiles results(options.events, options.outputs);
    RunCases(options, read, {*FindOperator(name), options.timeoutMs, results});
    return kDone;
  } catch (const RuntimeError &error) {
    std::fprintf(stderr,
                 "%s: %s failed with status %d (%s); check the installation and the device\n",
                 name.c_str(), error.what(), error.Status(), error.Message().c_str());
    return kNoRuntime;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kBadInput;
  }
}

}  // namespace aclnn_cts
