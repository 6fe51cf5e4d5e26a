// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_NNOPBASE_STAND_IN_H_
#define SIMULATOR_NNOPBASE_STAND_IN_H_

#include <vector>

#include "nnopbase/tensor.h"

#pragma GCC visibility push(default)
namespace simulator {

/// Stands in for the formula of a contract operator: sets every element of `outputs` to a finite
/// number that depends only on all bits of all `inputs`.
void StandIn(const std::vector<aclTensor> &outputs, const std::vector<aclTensor> &inputs);

/// The same for a batch: each sample of `outputs` depends only on all bits of its own samples of
/// `inputs`. The batch is the outermost axis of the first input; outputs without it depend on all.
void StandInBySample(const std::vector<aclTensor> &outputs, const std::vector<aclTensor> &inputs);

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_NNOPBASE_STAND_IN_H_
