// SPDX-License-Identifier: Apache-2.0
/// The result files of a program: events as lines of JSON, and the bytes of outputs.
///
/// Events: device, then for each case begin, for each run (other, other,) (producer, producer,)
/// phase1, (not-repeatable,) phase2, memory..., (output,) repeat..., then timing, error, end; at
/// last finished. Events that a failure prevents are missing. Durations are microseconds.
#ifndef ACLNN_CTS_RESULT_FILES_H_
#define ACLNN_CTS_RESULT_FILES_H_

#include <cstdint>
#include <string>

#include "file_descriptor.h"
#include "host_bytes.h"
#include "json_line.h"

namespace aclnn_cts {

/// Both files start empty. Writes are not buffered in the process, so a crash loses nothing.
class ResultFiles {
 public:
  /// Throws InputError if a file cannot be created.
  ResultFiles(const std::string &eventsPath, const std::string &outputsPath);

  /// Appends one line to the events. Throws InputError on failure.
  void Write(const JsonLine &line);
  /// Number of bytes of outputs.
  int64_t OutputBytes() const { return outputBytes_; }
  /// Appends to the outputs. Throws InputError on failure.
  void WriteOutput(const uint8_t *from, int64_t bytes);
  /// A source of the outputs from a position. It needs the files, and throws InputError.
  ByteSource OutputFrom(int64_t start) const;

 private:
  std::string eventsPath_;
  std::string outputsPath_;
  FileDescriptor events_;
  FileDescriptor outputs_;
  int64_t outputBytes_ = 0;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_RESULT_FILES_H_
