// SPDX-License-Identifier: Apache-2.0
#include "input_data.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "errors.h"

namespace aclnn_cts {
namespace {

// Magic, version and the longest form of the header's length.
constexpr size_t kPrefixBytes = 12;

void ReverseElements(uint8_t *bytes, int64_t elementBytes, int64_t count) {
  uint8_t *last = bytes + count - elementBytes;
  for (uint8_t *first = bytes; first < last; first += elementBytes, last -= elementBytes)
    std::swap_ranges(first, first + elementBytes, last);
}

}  // namespace

InputData::InputData(const Case &described, const std::string &folder) {
  if (described.dataPath.empty()) return;
  where_ = described.dataWhere;
  path_ = folder + "/" + described.dataPath;
  file_ = OpenForReading(path_);
  if (!file_.IsOpen()) Fail(std::string("cannot be read: ") + std::strerror(errno), "a data file");
  start_ = FindPayload(described.dataBytes);
}

int64_t InputData::FindPayload(int64_t bytes) const {
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
    Fail("has a payload of " + std::to_string(found) + " bytes", std::to_string(bytes) + " bytes");
  }
  return start;
}

void InputData::Read(const TensorFacts &input, Alteration alteration, int64_t position, uint8_t *to,
                     int64_t count) const {
  if (alteration == Alteration::kZeros) {
    std::memset(to, 0, static_cast<size_t>(count));
    return;
  }
  const bool reversed = alteration == Alteration::kReversed && input.elementBytes > 1;
  const int64_t end = input.elements * input.elementBytes;
  const int64_t from = input.dataOffset + (reversed ? end - position - count : position);
  if (file_.ReadAt(to, static_cast<size_t>(count), start_ + from) != count) {
    Fail("could not be read to its end", "a file that nothing changes during the run");
  }
  if (reversed) ReverseElements(to, input.elementBytes, count);
  if (alteration == Alteration::kInverted) {
    std::transform(to, to + count, to, [](uint8_t byte) { return static_cast<uint8_t>(~byte); });
  }
}

void InputData::Fail(const std::string &wrong, const std::string &expected) const {
  throw InputError(where_ + ": data file " + path_ + " " + wrong + "; expected " + expected);
}

}  // namespace aclnn_cts
