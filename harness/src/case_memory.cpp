// SPDX-License-Identifier: Apache-2.0
#include "case_memory.h"

#include <cstring>

#include "errors.h"
#include "memory_checks.h"
#include "placement.h"

namespace aclnn_cts {
namespace {

// A producer's output is dense, so only a dense input can share its memory.
bool HasOwnMemory(const TensorFacts &facts) {
  return (facts.source == Source::kData && facts.shares.empty()) ||
         facts.source == Source::kOutput || facts.source == Source::kScratch ||
         (facts.source == Source::kProducer && MayHaveGaps(facts));
}

ByteSource DataOf(const TensorFacts &facts, const Filling &filling) {
  if (facts.source != Source::kData) return nullptr;
  return [&facts, &data = filling.data, alteration = filling.alteration](
             int64_t position, uint8_t *to, int64_t count) {
    data.Read(facts, alteration, position, to, count);
  };
}

Content ContentFor(const TensorFacts &facts, const Filling &filling) {
  const bool made = facts.source == Source::kScratch || facts.source == Source::kProducer;
  return made ? filling.scratch : filling.poison;
}

// Fills the elements of inputs in the storage of another one; the same elements are filled already.
void FillSharers(const Parameters &parameters, const TensorMemories &memories,
                 const Filling &filling) {
  for (const TensorFacts &facts : parameters.tensors) {
    if (facts.shares.empty()) continue;
    const TensorFacts &owner = *parameters.FindTensor(facts.shares);
    if (facts.offset == owner.offset) continue;
    FindMemory(parameters, memories, owner.name).Share(facts, DataOf(facts, filling));
  }
}

void RefillAll(const Parameters &parameters, const TensorMemories &memories,
               const Filling &filling) {
  for (size_t i = 0; i < memories.size(); ++i) {
    const TensorFacts &facts = parameters.tensors[i];
    if (memories[i]) memories[i]->Fill(facts, DataOf(facts, filling), ContentFor(facts, filling));
  }
  FillSharers(parameters, memories, filling);
}

}  // namespace

TensorMemories Allocate(const Parameters &parameters, const Margins &margins,
                        const Filling &filling) {
  TensorMemories memories;
  for (const TensorFacts &facts : parameters.tensors) {
    memories.push_back(HasOwnMemory(facts)
                           ? std::make_unique<TensorMemory>(facts, margins, DataOf(facts, filling),
                                                            ContentFor(facts, filling))
                           : nullptr);
  }
  FillSharers(parameters, memories, filling);
  return memories;
}

TensorMemory &FindMemory(const Parameters &parameters, const TensorMemories &memories,
                         const std::string &name) {
  return *memories[static_cast<size_t>(parameters.FindTensor(name) - parameters.tensors.data())];
}

CaseMemory::CaseMemory(const Case &described, const Filling &filling)
    : case_(described),
      measured_(Allocate(described.measured, described.margins, filling)),
      produced_(Allocate(described.producer.parameters, described.margins, filling)) {}

void CaseMemory::Refill(const Filling &filling) {
  RefillAll(case_.measured, measured_, filling);
  RefillAll(case_.producer.parameters, produced_, filling);
}

void CaseMemory::RefillInputs(const Filling &filling) {
  for (const TensorFacts &facts : case_.measured.tensors) {
    if (facts.source != Source::kData || !facts.shares.empty()) continue;
    Measured(facts).Fill(facts, DataOf(facts, filling), filling.poison);
  }
  FillSharers(case_.measured, measured_, filling);
}

void CaseMemory::CopyInputs(const CaseMemory &from, aclrtStream stream) const {
  for (const TensorFacts &facts : case_.measured.tensors) {
    if (!facts.isInput || facts.source == Source::kNull) continue;
    Measured(facts).CopyFrom(from.Measured(facts), stream);
  }
}

void CaseMemory::CopyOutputs(const CaseMemory &from, aclrtStream stream) const {
  for (const TensorFacts &facts : case_.measured.tensors) {
    if (!facts.isOutput || facts.source == Source::kNull) continue;
    Measured(facts).CopyFrom(from.Measured(facts), stream);
  }
}

TensorMemory &CaseMemory::Measured(const TensorFacts &facts) const {
  if (!facts.shares.empty()) return FindMemory(case_.measured, measured_, facts.shares);
  return HasOwnMemory(facts) ? FindMemory(case_.measured, measured_, facts.name)
                             : FindMemory(case_.producer.parameters, produced_, facts.name);
}

TensorMemory &CaseMemory::Produced(const TensorFacts &facts) const {
  return facts.source == Source::kSame
             ? Measured(*case_.measured.FindTensor(facts.same))
             : FindMemory(case_.producer.parameters, produced_, facts.name);
}

void CaseMemory::TakeOver(Content content) const {
  for (const TensorFacts &facts : case_.measured.tensors) {
    if (facts.source != Source::kProducer) continue;
    const TensorMemory &made = FindMemory(case_.producer.parameters, produced_, facts.name);
    const auto bytes = std::make_shared<HostBytes>(made.Layout().payload);
    made.Download(0, bytes->Data(), made.Layout().payload);
    const auto copy = [bytes](int64_t position, uint8_t *to, int64_t count) {
      std::memcpy(to, bytes->Data() + position, static_cast<size_t>(count));
    };
    Measured(facts).Fill(facts, copy, content);
  }
  RequireUnchangedInputs();
}

void CaseMemory::RequireUnchangedInputs() const {
  for (const TensorFacts &facts : case_.producer.parameters.tensors) {
    if (facts.source != Source::kSame) continue;
    const TensorFacts &same = *case_.measured.FindTensor(facts.same);
    if (CheckTensor(same, Measured(same), false).empty()) continue;
    throw RuntimeError("running the producer, which changed " + facts.same, -1, "");
  }
}

}  // namespace aclnn_cts
