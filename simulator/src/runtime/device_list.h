// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_DEVICE_LIST_H_
#define SIMULATOR_RUNTIME_DEVICE_LIST_H_

#include <cstdint>

namespace simulator {

/// The maximum number of devices.
constexpr int32_t kMostDevices = 64;

/// Number of visible devices: ACLNN_SIM_DEVICES (8 by default), or those of them that
/// ASCEND_RT_VISIBLE_DEVICES names, up to the first that does not exist or is a duplicate. Ends the
/// program if ACLNN_SIM_DEVICES or ACLNN_SIM_BUSY is invalid.
int32_t VisibleDevices();

/// Whether a device of that number is visible.
bool IsVisible(int32_t deviceId);

/// Whether ACLNN_SIM_BUSY names the visible device `deviceId` as held by another process. It uses
/// the host's numbers, regardless of ASCEND_RT_VISIBLE_DEVICES.
bool IsHeldElsewhere(int32_t deviceId);

}  // namespace simulator

#endif  // SIMULATOR_RUNTIME_DEVICE_LIST_H_
