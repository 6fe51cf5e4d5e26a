// SPDX-License-Identifier: Apache-2.0
/// Reads the bytes of a .npy file. What they mean, the case file says: only the header's length is
/// looked at.
#ifndef ACLNN_CTS_NPY_FILE_H_
#define ACLNN_CTS_NPY_FILE_H_

#include <cstdint>
#include <string>

#include "host_bytes.h"

namespace aclnn_cts {

/// Throws InputError (starting with `where`, FILE:LINE) when the file cannot be read, is not a .npy
/// file of version 1 to 3, or its payload does not have exactly `bytes` bytes.
void CheckNpyFile(const std::string &where, const std::string &path, int64_t bytes);

/// The payload; throws like CheckNpyFile.
HostBytes ReadNpyPayload(const std::string &where, const std::string &path, int64_t bytes);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_NPY_FILE_H_
