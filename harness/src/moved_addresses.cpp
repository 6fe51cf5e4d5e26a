// SPDX-License-Identifier: Apache-2.0
#include "moved_addresses.h"

#include <algorithm>
#include <vector>

namespace aclnn_cts {
namespace {

using SetTensor = aclnnStatus (*)(aclOpExecutor *, const size_t index, aclTensor *, void *addr);
using SetMember = aclnnStatus (*)(aclOpExecutor *, size_t irIndex, const size_t relativeIndex,
                                  aclTensorList *, void *addr);

// The inputs, or the outputs, in the order of the prototype.
std::vector<const TensorFacts *> SideOf(const Parameters &parameters, bool TensorFacts::*has) {
  std::vector<const TensorFacts *> side;
  for (const TensorFacts &facts : parameters.tensors) {
    if (facts.*has) side.push_back(&facts);
  }
  return side;
}

struct SideFunctions {
  const char *ofTensors;
  const char *ofMembers;
  size_t firstIndex;  // of ofTensors, which counts members, too
};

std::optional<FailedFunction> MoveSide(aclOpExecutor *executor,
                                       const std::vector<const TensorFacts *> &side,
                                       const Arguments &arguments, const AddressOf &addressOf,
                                       const SideFunctions &functions) {
  size_t parameter = 0;
  size_t place = 0;
  for (size_t i = 0; i < side.size(); ++i) {
    const TensorFacts &facts = *side[i];
    const bool goesOn = i != 0 && !facts.list.empty() && facts.list == side[i - 1]->list;
    place = goesOn ? place + 1 : 0;
    if (i != 0 && !goesOn) ++parameter;
    if (facts.source == Source::kNull) continue;
    void *const address = addressOf(facts);
    std::optional<FailedFunction> failed =
        facts.list.empty()
            ? CallIfFound<SetTensor>(functions.ofTensors, executor, functions.firstIndex + i,
                                     arguments.Tensor(facts.name.c_str()), address)
            : CallIfFound<SetMember>(functions.ofMembers, executor, parameter, place,
                                     arguments.TensorList(facts.list.c_str()), address);
    if (failed) return failed;
  }
  return std::nullopt;
}

}  // namespace

std::optional<FailedFunction> MoveTensors(aclOpExecutor *executor, const Parameters &parameters,
                                          const Arguments &arguments, const AddressOf &addressOf,
                                          AddressFunctions functions) {
  const std::vector<const TensorFacts *> inputs = SideOf(parameters, &TensorFacts::isInput);
  const std::vector<const TensorFacts *> outputs = SideOf(parameters, &TensorFacts::isOutput);
  const bool overwrites = std::any_of(inputs.begin(), inputs.end(),
                                      [](const TensorFacts *facts) { return facts->isOutput; });
  const bool forAll = functions == AddressFunctions::kForAll && !overwrites;
  std::optional<FailedFunction> failed = MoveSide(
      executor, inputs, arguments, addressOf,
      {forAll ? "aclSetTensorAddr" : "aclSetInputTensorAddr", "aclSetDynamicInputTensorAddr", 0});
  if (failed) return failed;
  return MoveSide(executor, outputs, arguments, addressOf,
                  {forAll ? "aclSetTensorAddr" : "aclSetOutputTensorAddr",
                   "aclSetDynamicOutputTensorAddr", forAll ? inputs.size() : 0});
}

}  // namespace aclnn_cts
