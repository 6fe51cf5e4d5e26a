// SPDX-License-Identifier: Apache-2.0
/// The runner of a kit: runs all batches on the devices, and packs what they leave.
///
///     kit_runner check OPTIONS     is the toolkit for this host, and the kit what was packed?
///     kit_runner run OPTIONS
///
/// Exit status 0: all was run and recorded. 1: it was not; one sentence on standard error says why.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "again.h"
#include "batch_run.h"
#include "crew.h"
#include "errors.h"
#include "file_reader.h"
#include "kept_file.h"
#include "kit_record.h"
#include "line_fields.h"
#include "work_check.h"

namespace aclnn_cts {
namespace {

volatile sig_atomic_t interrupted = 0;

void Interrupt(int) { interrupted = 1; }

using Options = std::map<std::string, std::string>;

Options ReadOptions(int argc, char **argv) {
  Options options;
  for (int i = 2; i + 1 < argc; i += 2) options[argv[i]] = argv[i + 1];
  return options;
}

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

// Numbers and ranges: 0,1,4-7.
std::vector<int32_t> ReadDevices(const std::string &text) {
  std::vector<int32_t> devices;
  for (const std::string &part : Split(text, ',')) {
    const std::string::size_type dash = part.find('-');
    const int32_t first = Number("DEVICES", part.substr(0, dash), 0);
    const int32_t last =
        dash == std::string::npos ? first : Number("DEVICES", part.substr(dash + 1), first);
    for (int32_t each = first; each <= last; ++each) {
      if (std::find(devices.begin(), devices.end(), each) != devices.end()) {
        throw InputError("DEVICES names " + std::to_string(each) + " twice; name each device once");
      }
      devices.push_back(each);
    }
  }
  if (devices.empty()) throw InputError("DEVICES names no device; write DEVICES=0,1,4-7");
  return devices;
}

HostFacts ReadFacts(Options &options) {
  HostFacts facts;
  facts.toolkit = options["--toolkit"];
  facts.branches = Split(options["--branches"], ' ');
  facts.libraryFolder = options["--library-folder"];
  facts.libraries = Split(options["--libraries"], ' ');
  facts.compiler = options["--compiler"];
  return facts;
}

// Held as long as the object lives.
class Claim {
 public:
  explicit Claim(const std::string &folder)
      : file_(open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (!file_.IsOpen()) FailToWrite(folder + "/lock");
    if (flock(file_.Number(), LOCK_EX | LOCK_NB) == 0) return;
    throw InputError("this kit is being run already; wait for that run, or end it");
  }

 private:
  FileDescriptor file_;
};

// What a run that is taken up again must have in common with its beginning.
void KeepHost(const std::string &path, const std::string &host) {
  if (SizeOf(path) < 0) {
    WriteKept(path, host);
  } else if (ReadKept(path) != host) {
    throw InputError(path +
                     ": the run began on another host, with another toolkit or compiler; go on "
                     "with these, or remove the folder work-... that it is in to begin anew");
  }
}

// The archive is worth to be taken home even if it lacks something.
void RequireAll(const RunPlan &plan, const std::vector<Batch> &batches,
                const std::string &archive) {
  size_t neverBegun = 0;
  for (const Batch &batch : batches) neverBegun += NeverBegun(plan, batch);
  if (neverBegun == 0) return;
  throw InputError(std::to_string(neverBegun) +
                   " cases were never begun, because their program ended too early, or too many "
                   "cases before them did not end; take " +
                   archive + " home all the same");
}

void Run(Options &options) {
  RunPlan plan;
  plan.kit = options["--kit"];
  plan.work = options["--work"];
  plan.programs = options["--programs"];
  plan.caseSeconds = Number("CASE_SECONDS", options["--case-seconds"], 1);
  const std::vector<int32_t> devices = ReadDevices(options["--devices"]);
  const HostFacts facts = ReadFacts(options);
  const Claim claim(plan.work);
  for (const char *name : {"/cases", "/events", "/outputs", "/ended", "/done", "/cut"})
    MakeFolder(plan.work + name);
  const std::string host = Describe(plan.kit, facts);
  KeepHost(plan.work + "/host.jsonl", host);
  const std::string start = StartOf(plan.work);
  const std::vector<Batch> batches = ReadBatches(plan.kit + "/batches.txt");
  CheckWork(plan, batches);
  Crew crew(plan, devices, interrupted);
  crew.Work(batches, "batches");
  const Suspects suspects = SuspectsOf(plan, batches);
  const std::string refusal = RunAgain(crew, suspects);
  const std::vector<Batch> again = suspects.Done(plan);
  std::vector<Batch> done = batches;
  done.insert(done.end(), again.begin(), again.end());
  PackOutputs(plan, done, host + start, facts, options["--archive"]);
  std::printf("%s holds what all of them left\n", options["--archive"].c_str());
  RequireAll(plan, batches, options["--archive"]);
  if (refusal.empty()) return;
  throw InputError(std::to_string(suspects.Count() - again.size()) +
                   " cases that ended their process were not run again alone: " + refusal +
                   ", or take " + options["--archive"] + " home all the same");
}

}  // namespace
}  // namespace aclnn_cts

int main(int argc, char **argv) {
  using namespace aclnn_cts;
  struct sigaction action = {};
  action.sa_handler = Interrupt;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) (void)sigaction(number, &action, nullptr);
  try {
    Options options = ReadOptions(argc, argv);
    const std::string command = argc > 1 ? argv[1] : "";
    CheckManifest(options["--kit"]);
    CheckArchitecture(ReadFacts(options));
    if (command == "run") Run(options);
    return EXIT_SUCCESS;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
