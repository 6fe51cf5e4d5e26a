// SPDX-License-Identifier: Apache-2.0
/// Inputs other than the case's own.
#ifndef ACLNN_CTS_OTHER_DATA_H_
#define ACLNN_CTS_OTHER_DATA_H_

#include <cstddef>

#include "aclnn_cts/case.h"
#include "host_bytes.h"

namespace aclnn_cts {

/// So many bytes, all 0.
HostBytes Zeros(size_t size);

/// The same inputs with the numbers of each in the opposite order: valid data, too, with other
/// results. Bytes stay as they are, since what a mask's byte means depends on where it stands.
HostBytes ReversedNumbers(const Parameters &parameters, const HostBytes &payload);

/// The same inputs with every bit inverted: no byte is what it was.
HostBytes Inverted(const HostBytes &payload);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_OTHER_DATA_H_
