// SPDX-License-Identifier: Apache-2.0
#include "result_files.h"

#include <cerrno>
#include <cstring>

#include "errors.h"

namespace aclnn_cts {
namespace {

[[noreturn]] void Fail(const std::string &path) {
  throw InputError(path + ": cannot be written: " + std::strerror(errno) +
                   "; choose a place that is writable and has room");
}

}  // namespace

ResultFiles::ResultFiles(const std::string &eventsPath, const std::string &outputsPath)
    : eventsPath_(eventsPath),
      outputsPath_(outputsPath),
      events_(OpenForWriting(eventsPath)),
      outputs_(-1) {
  if (!events_.IsOpen()) Fail(eventsPath_);
  outputs_ = OpenForWriting(outputsPath);
  if (!outputs_.IsOpen()) Fail(outputsPath_);
}

void ResultFiles::Write(const JsonLine &line) {
  const std::string text = line.Finish();
  if (!events_.WriteAll(text.data(), text.size())) Fail(eventsPath_);
}

void ResultFiles::WriteOutput(const uint8_t *from, int64_t bytes) {
  if (!outputs_.WriteAll(from, static_cast<size_t>(bytes))) Fail(outputsPath_);
  outputBytes_ += bytes;
}

ByteSource ResultFiles::OutputFrom(int64_t start) const {
  return [this, start](int64_t position, uint8_t *to, int64_t count) {
    if (outputs_.ReadAt(to, static_cast<size_t>(count), start + position) == count) return;
    throw InputError(outputsPath_ + ": cannot be read back; nothing may change it during the run");
  };
}

}  // namespace aclnn_cts
