// SPDX-License-Identifier: Apache-2.0
#include "npy_file.h"

#include <cerrno>
#include <cstring>

#include "errors.h"
#include "file_descriptor.h"

namespace aclnn_cts {
namespace {

// Magic, version and the longest form of the header's length.
constexpr size_t kPrefixBytes = 12;

// A data file that is open, with its place in the case file for error messages.
class NpyFile {
 public:
  NpyFile(const std::string &where, const std::string &path)
      : where_(where), path_(path), file_(OpenForReading(path)) {
    if (!file_.IsOpen())
      Fail(std::string("cannot be read: ") + std::strerror(errno), "a data file");
  }

  // Where the payload starts; checks everything around it.
  int64_t FindPayload(int64_t bytes) const {
    uint8_t prefix[kPrefixBytes] = {};
    if (file_.ReadAt(prefix, sizeof prefix, 0) != static_cast<int64_t>(sizeof prefix) ||
        std::memcmp(prefix, "\x93NUMPY", 6) != 0) {
      Fail("is not a .npy file", "one that numpy.save wrote");
    }
    if (prefix[6] < 1 || prefix[6] > 3) {
      Fail("has .npy version " + std::to_string(prefix[6]), "version 1, 2 or 3");
    }
    const int64_t shortLength = prefix[8] | prefix[9] << 8;
    const int64_t longLength =
        shortLength | prefix[10] << 16 | static_cast<int64_t>(prefix[11]) << 24;
    const int64_t start = prefix[6] == 1 ? 10 + shortLength : 12 + longLength;
    const int64_t found = file_.Size() - start;
    if (found != bytes) {
      Fail("has a payload of " + std::to_string(found) + " bytes",
           std::to_string(bytes) + " bytes");
    }
    return start;
  }

  HostBytes Read(int64_t bytes) const {
    const int64_t start = FindPayload(bytes);
    HostBytes payload(bytes);
    if (file_.ReadAt(payload.Data(), payload.Size(), start) != bytes) {
      Fail("could not be read to its end", "a file that nothing changes during the run");
    }
    return payload;
  }

 private:
  [[noreturn]] void Fail(const std::string &wrong, const std::string &expected) const {
    throw InputError(where_ + ": data file " + path_ + " " + wrong + "; expected " + expected);
  }

  const std::string &where_;
  const std::string &path_;
  FileDescriptor file_;
};

}  // namespace

void CheckNpyFile(const std::string &where, const std::string &path, int64_t bytes) {
  (void)NpyFile(where, path).FindPayload(bytes);
}

HostBytes ReadNpyPayload(const std::string &where, const std::string &path, int64_t bytes) {
  return NpyFile(where, path).Read(bytes);
}

}  // namespace aclnn_cts
