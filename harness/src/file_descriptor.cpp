// SPDX-License-Identifier: Apache-2.0
#include "file_descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace aclnn_cts {

FileDescriptor::~FileDescriptor() {
  if (IsOpen()) (void)close(number_);
}

int64_t FileDescriptor::Size() const {
  struct stat facts = {};
  return fstat(number_, &facts) == 0 ? static_cast<int64_t>(facts.st_size) : 0;
}

int64_t FileDescriptor::ReadAt(uint8_t *data, size_t size, int64_t position) const {
  size_t done = 0;
  while (done < size) {
    const ssize_t count = pread(number_, data + done, size - done,
                                static_cast<off_t>(position) + static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<size_t>(count);
  }
  return static_cast<int64_t>(done);
}

bool FileDescriptor::WriteAll(const void *data, size_t size) const {
  const char *rest = static_cast<const char *>(data);
  while (size > 0) {
    const ssize_t count = write(number_, rest, size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    rest += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

FileDescriptor OpenForReading(const std::string &path) {
  return FileDescriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

FileDescriptor OpenForWriting(const std::string &path) {
  return FileDescriptor(open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
}

}  // namespace aclnn_cts
