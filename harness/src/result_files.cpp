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

int64_t ResultFiles::WriteOutput(const HostBytes &bytes) {
  const int64_t start = outputBytes_;
  if (!outputs_.WriteAll(bytes.Data(), bytes.Size())) Fail(outputsPath_);
  outputBytes_ += static_cast<int64_t>(bytes.Size());
  return start;
}

}  // namespace aclnn_cts
