// SPDX-License-Identifier: Apache-2.0
/// An open file.
#ifndef ACLNN_CTS_FILE_DESCRIPTOR_H_
#define ACLNN_CTS_FILE_DESCRIPTOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace aclnn_cts {

/// Closes the file at the end. Interrupted calls are retried.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor &&other) noexcept : number_(other.number_) { other.number_ = -1; }
  FileDescriptor &operator=(FileDescriptor &&other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor();

  bool IsOpen() const { return number_ >= 0; }
  int Number() const { return number_; }
  int64_t Size() const;
  /// Reads from a position; returns the number of bytes, less than `size` at the end of the file or
  /// on errors.
  int64_t ReadAt(uint8_t *data, size_t size, int64_t position) const;
  /// Appends everything; false on errors, with errno set.
  bool WriteAll(const void *data, size_t size) const;

 private:
  int number_;
};

/// Opens a file for reading; not open, with errno set, on failure.
FileDescriptor OpenForReading(const std::string &path);

/// Creates an empty file; not open, with errno set, on failure.
FileDescriptor OpenForWriting(const std::string &path);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_FILE_DESCRIPTOR_H_
