// SPDX-License-Identifier: Apache-2.0
/// Files as the kit's runner reads and writes them.
#ifndef ACLNN_CTS_KIT_FILE_READER_H_
#define ACLNN_CTS_KIT_FILE_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "file_descriptor.h"

namespace aclnn_cts {

/// Hands out a file piece by piece.
class FileReader {
 public:
  /// Throws InputError when the file cannot be read.
  explicit FileReader(const std::string &path);
  /// Reads on; the number of bytes that Data() holds now, 0 at the end.
  size_t Next();
  const uint8_t *Data() const { return piece_.data(); }
  /// Of the whole file.
  int64_t Size() const { return file_.Size(); }

 private:
  FileDescriptor file_;
  std::vector<uint8_t> piece_;
  int64_t position_ = 0;
};

/// Throws InputError when the file cannot be read.
std::string ReadText(const std::string &path);
/// The lines of a text, without their ends; what stands behind the last end counts as one.
std::vector<std::string> LinesOf(const std::string &text);
/// Writes a whole file or none, which is with the disk then. Throws InputError when that fails.
void WriteText(const std::string &path, const std::string &text);
/// Has the disk take all of a file that was written. Throws InputError when that fails.
void KeepOnDisk(const std::string &path);
/// Throws InputError when there is no such folder and none can be made.
void MakeFolder(const std::string &path);
/// Size in bytes, -1 if there is no such file.
int64_t SizeOf(const std::string &path);

/// Throws InputError with the reason of the last failed call.
[[noreturn]] void FailToWrite(const std::string &path);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_FILE_READER_H_
