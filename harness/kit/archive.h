// SPDX-License-Identifier: Apache-2.0
/// A sealed archive: a .tar.gz that any tar unpacks, and in which no byte can change unnoticed.
///
/// The gzip header holds an extra field "AC" with the SHA-256 digest of all that follows the
/// header. The content is stored, not compressed.
#ifndef ACLNN_CTS_KIT_ARCHIVE_H_
#define ACLNN_CTS_KIT_ARCHIVE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "file_descriptor.h"
#include "sha256.h"

namespace aclnn_cts {

/// Written under another name, which Finish() changes; removed if it is never finished. All
/// functions throw InputError when the disk or a file refuses.
class SealedArchive {
 public:
  explicit SealedArchive(const std::string &path);
  SealedArchive(const SealedArchive &) = delete;
  SealedArchive &operator=(const SealedArchive &) = delete;
  ~SealedArchive();

  void AddText(const std::string &name, const std::string &text);
  void AddFile(const std::string &name, const std::string &path);
  void Finish();

 private:
  void AddHeader(const std::string &name, int64_t size);
  void Pad(int64_t size);
  void Put(const void *data, size_t size);
  void Flush(bool last);
  void Write(const void *data, size_t size);

  std::string path_;
  std::string partial_;
  FileDescriptor file_;
  Sha256 digest_;
  std::vector<uint8_t> block_;
  uint32_t crc_ = 0;
  uint32_t bytes_ = 0;
  bool finished_ = false;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_ARCHIVE_H_
