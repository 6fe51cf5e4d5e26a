// SPDX-License-Identifier: Apache-2.0
/// The two files that a program writes: what happened, as lines of JSON, and the outputs' bytes.
///
/// Events: device, then for each case begin, for each run (other, other,) (producer, producer,)
/// phase1, (not-repeatable,) phase2, memory..., (output,) repeat..., then timing, error, end; at
/// last finished. What a failure makes impossible is missing. Durations are microseconds.
#ifndef ACLNN_CTS_RESULT_FILES_H_
#define ACLNN_CTS_RESULT_FILES_H_

#include <cstdint>
#include <string>

#include "file_descriptor.h"
#include "host_bytes.h"
#include "json_line.h"

namespace aclnn_cts {

/// Both files start empty. What was written is with the operating system when a call returns, so a
/// crash loses nothing.
class ResultFiles {
 public:
  /// Throws InputError when one of the files cannot be made.
  ResultFiles(const std::string &eventsPath, const std::string &outputsPath);

  /// Appends one line to the events. Throws InputError when that fails.
  void Write(const JsonLine &line);
  /// How many bytes of outputs there are.
  int64_t OutputBytes() const { return outputBytes_; }
  /// Appends to the outputs. Throws InputError when that fails.
  void WriteOutput(const uint8_t *from, int64_t bytes);
  /// The outputs from there on. The source needs the files, and throws InputError.
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
