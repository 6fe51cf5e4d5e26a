// SPDX-License-Identifier: Apache-2.0
#include "aclnn_cts/program.h"

#include <malloc.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "case_file.h"
#include "case_runner.h"
#include "errors.h"
#include "input_data.h"
#include "line_fields.h"
#include "runtime.h"

namespace aclnn_cts {
namespace {

constexpr int kDone = 0;
constexpr int kBadInput = 2;
constexpr int kNoRuntime = 3;
constexpr int kNoRunner = 4;

struct Options {
  std::string cases;    // case file
  std::string data;     // base folder of the data paths in the case file
  std::string events;   // file to write events to
  std::string outputs;  // file to write outputs to
  int32_t device = 0;
  int32_t timeoutMs = 60000;  // limit for waiting for the stream
};

constexpr char kUsage[] =
    "expected --cases FILE --data DIR --events FILE --outputs FILE [--device N] [--timeout-ms N]";

int32_t Number(const std::string &option, const std::string &value, int32_t low) {
  LineFields fields(option, value);
  const int64_t number = fields.Integer("the value", low, std::numeric_limits<int32_t>::max());
  fields.End();
  return static_cast<int32_t>(number);
}

// Throws InputError if an argument is unknown, missing or invalid.
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

// Ends this process with the one that ACLNN_CTS_RUNNER_PID names, because otherwise a hanging
// program would hold its device after the runner is gone. Without that variable there is no runner.
//
// Returns false if that process has already ended, or is not the parent.
bool BindToRunner() {
  const char *const runner = std::getenv("ACLNN_CTS_RUNNER_PID");
  if (runner == nullptr) return true;
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Check after the call, because the end of the runner before it would never be noticed.
  return std::to_string(getppid()) == runner;
}

// Checks the input before the device is used.
CaseFile ReadAndCheck(const Options &options) {
  CaseFile read = ReadCases(options.cases);
  for (const Case &described : read.cases) (void)InputData(described, options.data);
  return read;
}

void RunCases(const Options &options, const CaseFile &read, const Bench &bench) {
  const Runtime runtime;
  auto device = std::make_unique<Device>(options.device);
  bench.results.Write(DescribeDevice().Text("nonce", read.nonce));
  for (const Case &described : read.cases) {
    if (RunCase(bench, device->FirstStream(), described, options.data)) continue;
    // Reopen the device so that the next case is not affected. The old one must be closed first.
    device.reset();
    device = std::make_unique<Device>(options.device);
  }
  bench.results.Write(
      JsonLine("finished").Integer("cases", static_cast<int64_t>(read.cases.size())));
}

}  // namespace

int RunProgram(int argc, char **argv) {
  // Buffers for pieces of tensors are short-lived. If malloc returned them to the system, fresh
  // pages for the next one would cost as much as filling it.
  (void)mallopt(M_MMAP_THRESHOLD, 8 * kPieceBytes);
  (void)mallopt(M_TRIM_THRESHOLD, 32 * kPieceBytes);
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
