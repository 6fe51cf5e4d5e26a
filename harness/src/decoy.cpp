// SPDX-License-Identifier: Apache-2.0
#include "decoy.h"

namespace aclnn_cts {
namespace {

// Nobody looks at what lies around a decoy's memory, so the case's wide guards would be wasted.
Margins Narrow(const Case &described) {
  Margins margins;
  margins.slack = described.margins.slack;
  return margins;
}

TensorMemories Zeros(const Case &described) {
  const HostBytes nothing(0);
  return Allocate(described.decoy.parameters, Narrow(described),
                  {nothing, Content::kZeros, Content::kZeros});
}

}  // namespace

Decoy::Decoy(const Bench &bench, const RunSetting &setting, const Case &described,
             RunEvents &events)
    : memories_(Zeros(described)),
      call_({"decoy", described.decoy,
             [&](const TensorFacts &facts) {
               return FindMemory(described.decoy.parameters, memories_, facts.name).Address();
             }},
            bench, setting, Narrow(described), events) {}

}  // namespace aclnn_cts
