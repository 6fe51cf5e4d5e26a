// SPDX-License-Identifier: Apache-2.0
#include "file_reader.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "errors.h"

namespace aclnn_cts {
namespace {

constexpr size_t kPiece = 1 << 20;

}  // namespace

void FailToWrite(const std::string &path) {
  throw InputError(
      path + ": cannot be written: " + std::strerror(errno) +
      "; free some space or unpack the kit where you may write, and start run.sh again");
}

FileReader::FileReader(const std::string &path) : file_(OpenForReading(path)), piece_(kPiece) {
  if (file_.IsOpen()) return;
  throw InputError(path + ": cannot be read: " + std::strerror(errno) + "; unpack the kit again");
}

size_t FileReader::Next() {
  const int64_t count = file_.ReadAt(piece_.data(), piece_.size(), position_);
  position_ += count;
  return static_cast<size_t>(count);
}

std::string ReadText(const std::string &path) {
  FileReader file(path);
  std::string text;
  while (const size_t count = file.Next()) {
    text.append(reinterpret_cast<const char *>(file.Data()), count);
  }
  return text;
}

std::vector<std::string> LinesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

void WriteText(const std::string &path, const std::string &text) {
  const std::string partial = path + ".partial";
  {
    const FileDescriptor file = OpenForWriting(partial);
    if (!file.IsOpen() || !file.WriteAll(text.data(), text.size()) || fsync(file.Number()) != 0) {
      FailToWrite(partial);
    }
  }
  if (std::rename(partial.c_str(), path.c_str()) != 0) FailToWrite(path);
  // Else a loss of power could take the new name back. Not all file systems can do it.
  const FileDescriptor folder = OpenForReading(path.substr(0, path.rfind('/') + 1) + ".");
  if (folder.IsOpen()) (void)fsync(folder.Number());
}

void KeepOnDisk(const std::string &path) {
  const FileDescriptor file = OpenForReading(path);
  if (!file.IsOpen() || fsync(file.Number()) != 0) FailToWrite(path);
}

void MakeFolder(const std::string &path) {
  if (mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) FailToWrite(path);
}

int64_t SizeOf(const std::string &path) {
  struct stat facts = {};
  return stat(path.c_str(), &facts) == 0 ? static_cast<int64_t>(facts.st_size) : -1;
}

}  // namespace aclnn_cts
