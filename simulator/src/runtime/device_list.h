// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_DEVICE_LIST_H_
#define SIMULATOR_RUNTIME_DEVICE_LIST_H_

#include <cstdint>

namespace simulator {

/// How many devices the program sees: ACLNN_SIM_DEVICES (8 when it is not set), or those of them
/// that ASCEND_RT_VISIBLE_DEVICES names, up to the first that does not exist or is listed twice.
/// Ends the program when ACLNN_SIM_DEVICES or ACLNN_SIM_BUSY is not what it should be.
int32_t VisibleDevices();

/// Whether the program sees a device of that number.
bool IsVisible(int32_t deviceId);

/// Whether ACLNN_SIM_BUSY names the visible device `deviceId` as one that another process holds. It
/// counts as the host does, whatever ASCEND_RT_VISIBLE_DEVICES says.
bool IsHeldElsewhere(int32_t deviceId);

}  // namespace simulator

#endif  // SIMULATOR_RUNTIME_DEVICE_LIST_H_
