// SPDX-License-Identifier: Apache-2.0
/// The data of a case's inputs, read from their .npy file on demand.
#ifndef ACLNN_CTS_INPUT_DATA_H_
#define ACLNN_CTS_INPUT_DATA_H_

#include <cstdint>
#include <string>

#include "aclnn_cts/case.h"
#include "file_descriptor.h"

namespace aclnn_cts {

/// Alternative content of inputs.
enum class Alteration {
  kNone,
  kInverted,  ///< all bits inverted
  /// The numbers of each in reverse order: valid data with other results. Bytes are unchanged,
  /// because the meaning of a mask's byte depends on its place.
  kReversed,
  kZeros,  ///< valid data of any input
};

class InputData {
 public:
  /// The data of a case without any.
  InputData() = default;
  /// Opens the file below `folder`. Throws InputError (starting with FILE:LINE of the `data` line)
  /// if it cannot be read, is not a .npy file of version 1 to 3, or its payload does not have the
  /// stated size. Only the length of its header is used; the case file describes the bytes.
  InputData(const Case &described, const std::string &folder);

  /// Copies `count` bytes of an input's dense elements from `position`; both are multiples of an
  /// element. Throws InputError.
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
