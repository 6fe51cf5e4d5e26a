// SPDX-License-Identifier: Apache-2.0
#include "kept_file.h"

#include <dirent.h>

#include <algorithm>
#include <memory>

#include "errors.h"
#include "file_descriptor.h"
#include "file_reader.h"
#include "json_line.h"
#include "sha256.h"

namespace aclnn_cts {
namespace {

std::string SealOf(const std::string &text) {
  Sha256 digest;
  digest.Add(text.data(), text.size());
  return JsonLine("whole").Text("sha256", Hexadecimal(digest.Finish())).Finish();
}

bool EndsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

struct CloseFolder {
  void operator()(DIR *folder) const { (void)closedir(folder); }
};

}  // namespace

void FailToGoOn(const std::string &path, const std::string &wrong) {
  throw InputError(path + ": " + wrong +
                   "; remove the folder work-... that it is in, and start run.sh again to begin "
                   "anew");
}

void WriteKept(const std::string &path, const std::string &text) {
  WriteText(path, text + SealOf(text));
}

std::string ReadKept(const std::string &path) {
  if (!OpenForReading(path).IsOpen()) FailToGoOn(path, "cannot be read");
  const std::string whole = ReadText(path);
  const std::string::size_type length = SealOf("").size();
  const std::string text = whole.substr(0, whole.size() - std::min(whole.size(), length));
  if (whole != text + SealOf(text)) FailToGoOn(path, "is damaged");
  return text;
}

void CheckKept(const std::string &folder) {
  const std::unique_ptr<DIR, CloseFolder> listing(opendir(folder.c_str()));
  if (listing == nullptr) FailToGoOn(folder, "cannot be read");
  while (const dirent *entry = readdir(listing.get())) {
    const std::string name = entry->d_name;
    // One that was being written when the run was ended never counted.
    if (name[0] != '.' && !EndsWith(name, ".partial")) (void)ReadKept(folder + "/" + name);
  }
}

}  // namespace aclnn_cts
