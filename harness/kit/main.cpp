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

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "again.h"
#include "batch_run.h"
#include "crew.h"
#include "errors.h"
#include "file_reader.h"
#include "kept_file.h"
#include "kit_record.h"
#include "options.h"
#include "work_check.h"

namespace aclnn_cts {
namespace {

volatile sig_atomic_t interrupted = 0;

void Interrupt(int) { interrupted = 1; }

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

void Run(const Options &options) {
  RunPlan plan;
  plan.kit = options.Text("--kit");
  plan.work = options.Text("--work");
  plan.programs = options.Text("--programs");
  plan.caseSeconds = options.CaseSeconds();
  const std::string archive = options.Text("--archive");
  const std::vector<int32_t> devices = options.Devices();
  const HostFacts facts = options.Facts();
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
  PackOutputs(plan, done, host + start, facts, archive);
  std::printf("%s holds what all of them left\n", archive.c_str());
  RequireAll(plan, batches, archive);
  if (refusal.empty()) return;
  throw InputError(std::to_string(suspects.Count() - again.size()) +
                   " cases that ended their process were not run again alone: " + refusal +
                   ", or take " + archive + " home all the same");
}

}  // namespace
}  // namespace aclnn_cts

int main(int argc, char **argv) {
  using namespace aclnn_cts;
  struct sigaction action = {};
  action.sa_handler = Interrupt;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) (void)sigaction(number, &action, nullptr);
  try {
    const Options options(argc, argv);
    const std::string command = argc > 1 ? argv[1] : "";
    CheckManifest(options.Text("--kit"));
    CheckArchitecture(options.Facts());
    if (command == "run") Run(options);
    return EXIT_SUCCESS;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
