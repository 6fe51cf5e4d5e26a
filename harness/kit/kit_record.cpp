// SPDX-License-Identifier: Apache-2.0
#include "kit_record.h"

#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <utility>

#include "archive.h"
#include "cut_cases.h"
#include "errors.h"
#include "file_reader.h"
#include "json_line.h"
#include "kept_file.h"
#include "sha256.h"
#include "work_check.h"

namespace aclnn_cts {
namespace {

constexpr char kManifest[] = "MANIFEST.sha256";
constexpr size_t kDigits = 64;
constexpr int64_t kMostVersionBytes = 1 << 16;

std::string RealPath(const std::string &path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real == nullptr ? path : std::string(real.get());
}

// The small files in which an installation says its version, by their name in the archive.
std::vector<std::pair<std::string, std::string>> VersionFiles(const HostFacts &facts) {
  static const char *const kNames[] = {"ascend_toolkit_install.info",
                                       "compiler/version.info",
                                       "runtime/version.info",
                                       "opp/version.info",
                                       "share/info/runtime/version.info",
                                       "version.cfg"};
  std::vector<std::string> folders = {""};
  for (const std::string &branch : facts.branches) folders.push_back(branch + "/");
  std::vector<std::pair<std::string, std::string>> files;
  for (const std::string &folder : folders) {
    for (const char *name : kNames) {
      files.emplace_back("versions/toolkit/" + folder + name, facts.toolkit + "/" + folder + name);
    }
  }
  for (const std::string name : {"driver/version.info", "firmware/version.info"}) {
    files.emplace_back("versions/" + name, "/usr/local/Ascend/" + name);
  }
  return files;
}

// A file of the archive.
struct Member {
  std::string name;  // in the archive
  std::string path;
  std::string digest;
};

Member MemberOf(const std::string &name, const std::string &path) {
  return {name, path, DigestOf(path)};
}

}  // namespace

void CheckManifest(const std::string &kit) {
  for (const std::string &line : LinesOf(ReadText(kit + "/" + kManifest))) {
    // As sha256sum writes it: the digest, two spaces, the name.
    const std::string name = line.size() > kDigits + 2 ? line.substr(kDigits + 2) : line;
    const std::string path = kit + "/" + name;
    if (SizeOf(path) < 0 || line != DigestOf(path) + "  " + name) {
      throw InputError(name + ": is not what was packed; unpack the kit again");
    }
  }
}

void CheckArchitecture(const HostFacts &facts) {
  // The first 20 bytes of an ELF file end with its machine; this program's own is the right one.
  const std::string own = ReadText("/proc/self/exe").substr(0, 20);
  for (const std::string &name : facts.libraries) {
    const std::string path = facts.libraryFolder + "/" + name;
    FileReader file(path);
    const size_t count = std::min<size_t>(file.Next(), 20);
    const std::string head(reinterpret_cast<const char *>(file.Data()), count);
    if (count < 20 || head.compare(0, 6, own, 0, 6) != 0 || head.substr(18) != own.substr(18)) {
      throw InputError(path +
                       ": is no library for this host's architecture; name a toolkit that is: "
                       "sh run.sh TOOLKIT");
    }
  }
}

std::string Describe(const std::string &kit, const HostFacts &facts) {
  utsname host = {};
  (void)uname(&host);
  JsonLine line("host");
  line.Text("manifest_sha256", DigestOf(kit + "/" + kManifest))
      .Text("host", host.nodename)
      .Text("architecture", host.machine)
      .Text("compiler", facts.compiler)
      .Text("toolkit", RealPath(facts.toolkit));
  std::string text = line.Finish();
  for (const std::string &name : facts.libraries) {
    const std::string path = RealPath(facts.libraryFolder + "/" + name);
    JsonLine library("library");
    text += library.Text("name", name).Text("path", path).Text("sha256", DigestOf(path)).Finish();
  }
  return text;
}

std::string StartOf(const std::string &work) {
  const std::string path = work + "/start.jsonl";
  if (SizeOf(path) < 0) {
    const std::time_t now = std::time(nullptr);
    std::tm utc = {};
    (void)gmtime_r(&now, &utc);
    char text[32];
    (void)std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S+00:00", &utc);
    JsonLine line("start");
    WriteKept(path, line.Text("time", text).Finish());
  }
  return ReadKept(path);
}

void PackOutputs(const RunPlan &plan, const std::vector<Batch> &batches, const std::string &host,
                 const HostFacts &facts, const std::string &archive) {
  std::string record = host;
  std::vector<Member> members = {MemberOf("kit.json", plan.kit + "/kit.json")};
  for (const Batch &batch : batches) {
    const std::string lines = DoneLines(plan, batch);
    record += lines + CutLines(plan, batch);
    for (const ProcessFacts &process : ReadProcesses(lines)) {
      const std::string events = EventsFile(plan, process.name);
      const std::string outputs = OutputsFile(plan, process.name);
      members.push_back({"events/" + process.name + ".jsonl", events,
                         CheckedDigest(events, process.eventsDigest)});
      members.push_back({"outputs/" + process.name + ".bin", outputs,
                         CheckedDigest(outputs, process.outputsDigest)});
    }
  }
  for (const auto &file : VersionFiles(facts)) {
    const int64_t size = SizeOf(file.second);
    if (size >= 0 && size <= kMostVersionBytes) {
      members.push_back(MemberOf(file.first, file.second));
    }
  }
  const std::string recordPath = plan.work + "/record.jsonl";
  WriteText(recordPath, record);
  members.push_back(MemberOf("record.jsonl", recordPath));
  std::string manifest;
  for (const Member &member : members) manifest += member.digest + "  " + member.name + "\n";
  SealedArchive sealed(archive);
  sealed.AddText(kManifest, manifest);
  for (const Member &member : members) sealed.AddFile(member.name, member.path);
  sealed.Finish();
}

}  // namespace aclnn_cts
