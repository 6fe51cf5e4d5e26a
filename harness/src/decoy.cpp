// SPDX-License-Identifier: Apache-2.0
#include "decoy.h"

namespace aclnn_cts {
namespace {

TensorMemories Zeros(const Case &described) {
  const HostBytes nothing(0);
  return Allocate(described.decoy.parameters, described.margins, {nothing, 0, 0});
}

}  // namespace

Decoy::Decoy(const Bench &bench, const RunSetting &setting, const Case &described,
             RunEvents &events)
    : memories_(Zeros(described)),
      call_({"decoy", described.decoy,
             [&](const TensorFacts &facts) {
               return FindMemory(described.decoy.parameters, memories_, facts.name).Address();
             }},
            bench, setting, described.margins, events) {}

}  // namespace aclnn_cts
