// SPDX-License-Identifier: Apache-2.0
/// Other device addresses for the tensors of a repeatable executor.
#ifndef ACLNN_CTS_MOVED_ADDRESSES_H_
#define ACLNN_CTS_MOVED_ADDRESSES_H_

#include <optional>

#include "aclnn_cts/arguments.h"
#include "aclnn_cts/case.h"
#include "runtime.h"

namespace aclnn_cts {

/// The functions that tell an executor where tensors are that are no members of lists.
enum class AddressFunctions {
  kByRole,  ///< aclSetInputTensorAddr and aclSetOutputTensorAddr
  kForAll,  ///< aclSetTensorAddr, unless a tensor is input and output: then its page leaves open
            ///< how it counts
};

/// Tells a repeatable executor where the tensors of its call are from now on; members of lists with
/// aclSetDynamicInputTensorAddr and aclSetDynamicOutputTensorAddr. Returns the function that
/// failed.
std::optional<FailedFunction> MoveTensors(aclOpExecutor *executor, const Parameters &parameters,
                                          const Arguments &arguments, const AddressOf &addressOf,
                                          AddressFunctions functions);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_MOVED_ADDRESSES_H_
