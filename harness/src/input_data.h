// SPDX-License-Identifier: Apache-2.0
/// The data of a case's inputs, which stay in their .npy file until they are needed.
#ifndef ACLNN_CTS_INPUT_DATA_H_
#define ACLNN_CTS_INPUT_DATA_H_

#include <cstdint>
#include <string>

#include "aclnn_cts/case.h"
#include "file_descriptor.h"

namespace aclnn_cts {

/// What inputs hold instead of the case's data.
enum class Alteration {
  kNone,
  kInverted,  ///< every bit: no byte is what it was
  kReversed,  ///< the numbers of each in the opposite order: valid data, too, with other results.
              ///< Bytes stay as they are, since the meaning of a mask's byte depends on its place
  kZeros,     ///< valid data of any input
};

class InputData {
 public:
  /// That of a case without data.
  InputData() = default;
  /// Opens the file below `folder`. Throws InputError (starting with FILE:LINE of the `data` line)
  /// when it cannot be read, is not a .npy file of version 1 to 3, or its payload does not have the
  /// size that the case states. Of its header only the length is looked at: what the bytes mean,
  /// the case file says.
  InputData(const Case &described, const std::string &folder);

  /// Copies `count` bytes of an input of the case, whose elements are dense here, from `position`
  /// on; both are multiples of an element. Throws InputError.
  void Read(const TensorFacts &input, Alteration alteration, int64_t position, uint8_t *to,
            int64_t count) const;

 private:
  int64_t FindPayload(int64_t bytes) const;
  [[noreturn]] void Fail(const std::string &wrong, const std::string &expected) const;

  std::string where_;
  std::string path_;
  FileDescriptor file_{-1};
  int64_t start_ = 0;  // of the payload
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_INPUT_DATA_H_
