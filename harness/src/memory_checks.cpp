// SPDX-License-Identifier: Apache-2.0
#include "memory_checks.h"

#include <cstring>

#include "placement.h"

namespace aclnn_cts {
namespace {

using Parts = std::vector<Part>;

// Calls `visit(index)` for every differing element. Equal stretches are skipped by memcmp.
template <typename Visit>
void ForEachDifference(const uint8_t *a, const uint8_t *b, int64_t bytes, int64_t elementBytes,
                       const Visit &visit) {
  const int64_t block = 1024 * elementBytes;
  const auto differ = [&](int64_t start, int64_t count) {
    return std::memcmp(a + start, b + start, static_cast<size_t>(count)) != 0;
  };
  for (int64_t start = 0; start < bytes; start += block) {
    const int64_t end = std::min(bytes, start + block);
    if (!differ(start, end - start)) continue;
    for (int64_t i = start; i < end; i += elementBytes) {
      if (differ(i, elementBytes)) visit(i / elementBytes);
    }
  }
}

// `origin` is the index of the first element.
void Compare(Difference &difference, const uint8_t *found, const ByteSource &expected,
             int64_t bytes, int64_t elementBytes, int64_t origin) {
  HostBytes piece = RoomForPiece(bytes);
  ForEachPiece(bytes, [&](int64_t position, int64_t count) {
    expected(position, piece.Data(), count);
    ForEachDifference(found + position, piece.Data(), count, elementBytes,
                      [&](int64_t i) { difference.Add(origin + position / elementBytes + i); });
  });
}

ByteSource Repeated(const Pattern &pattern) {
  return [pattern](int64_t, uint8_t *to, int64_t count) { Repeat(pattern, to, count); };
}

// Compares bytes with the pattern that they must repeat.
Difference CompareWithPattern(const GuardedMemory &memory, int64_t origin, const Pattern &pattern,
                              int64_t bytes, int64_t elementBytes) {
  HostBytes found = RoomForPiece(bytes);
  Difference difference;
  ForEachPiece(bytes, [&](int64_t position, int64_t count) {
    memory.Download(origin + position, found.Data(), count);
    Compare(difference, found.Data(), Repeated(pattern), count, elementBytes,
            position / elementBytes);
  });
  return difference;
}

Difference CompareBytes(const GuardedMemory &memory, int64_t origin, uint8_t expected,
                        int64_t bytes) {
  Pattern pattern;
  pattern.fill(expected);
  return CompareWithPattern(memory, origin, pattern, bytes, 1);
}

// Adds a finding if there is a difference; `origin` is the index of the first compared place.
void AddFinding(std::vector<Finding> &findings, const char *kind, Difference difference,
                int64_t origin, const char *unit) {
  if (difference.count == 0) return;
  difference.first += origin;
  findings.push_back({kind, difference, unit});
}

// Adds differences in the view, unless it may be written, and between its elements.
void ComparePart(Difference &view, Difference &gaps, const TensorMemory &memory, const Part &part,
                 bool mayWrite) {
  if (mayWrite && !part.MayHaveGaps()) return;
  const int64_t stored = part.stored * part.elementBytes;
  HostBytes found(stored);
  memory.Download(part.firstStored * part.elementBytes, found.Data(), stored);
  if (!mayWrite) {
    const int64_t bytes = part.elements * part.elementBytes;
    HostBytes dense(part.IsDense() ? 0 : bytes);
    if (!part.IsDense()) part.Gather(found.Data(), dense.Data());
    const auto filled = [&](int64_t position, uint8_t *to, int64_t count) {
      memory.CopyFilled(part.firstElement * part.elementBytes + position, to, count);
    };
    Compare(view, part.IsDense() ? found.Data() : dense.Data(), filled, bytes, part.elementBytes,
            part.firstElement);
  }
  if (!part.MayHaveGaps()) return;
  // After all views are set to the content of the gaps, only the gaps can differ.
  part.ScatterOne(memory.FilledGaps().data(), found.Data());
  for (const TensorMemory::Sharer &sharer : memory.Sharers()) {
    WholeOf(*sharer.facts).ScatterOne(memory.FilledGaps().data(), found.Data());
  }
  Compare(gaps, found.Data(), Repeated(memory.FilledGaps()), stored, part.elementBytes,
          part.firstStored);
}

// Of an input in the storage of another one: its own elements, if they are not those of that input.
std::vector<Finding> CheckSharer(const TensorFacts &facts, const TensorMemory &memory) {
  std::vector<Finding> findings;
  for (const TensorMemory::Sharer &sharer : memory.Sharers()) {
    if (sharer.facts != &facts) continue;
    Difference view;
    memory.VisitElements(facts, [&](int64_t position, const uint8_t *dense, int64_t bytes) {
      const auto filled = [&](int64_t from, uint8_t *to, int64_t count) {
        sharer.data(position + from, to, count);
      };
      Compare(view, dense, filled, bytes, facts.elementBytes, position / facts.elementBytes);
    });
    AddFinding(findings, "input", view, 0, "element");
  }
  return findings;
}

bool IsPoison(const uint8_t *element, const Pattern &poison, int64_t elementBytes) {
  return std::memcmp(element, poison.data(), static_cast<size_t>(elementBytes)) == 0;
}

}  // namespace

std::vector<Finding> CheckTensor(const TensorFacts &facts, const TensorMemory &memory,
                                 bool mayWrite) {
  if (!facts.shares.empty()) return CheckSharer(facts, memory);
  std::vector<Finding> findings = CheckZones(memory);
  if (!facts.isInput && !mayWrite) {
    AddFinding(
        findings, "output-touched",
        CompareWithPattern(memory, 0, memory.FilledGaps(), facts.storageBytes, facts.elementBytes),
        0, "element");
  } else {
    Difference view;
    Difference gaps;
    for (const Part &part : memory.Sharers().empty() ? PartsOf(facts) : Parts{WholeOf(facts)}) {
      ComparePart(view, gaps, memory, part, facts.isOutput && mayWrite);
    }
    AddFinding(findings, facts.isOutput ? "output-touched" : "input", view, 0, "element");
    AddFinding(findings, "gap", gaps, 0, "element");
  }
  return findings;
}

std::vector<Finding> CheckZones(const GuardedMemory &memory) {
  const Zones &zones = memory.Layout();
  std::vector<Finding> findings;
  AddFinding(findings, "guard-front", CompareBytes(memory, -zones.guard, kGuardByte, zones.guard),
             -zones.guard, "byte");
  AddFinding(findings, "slack",
             CompareBytes(memory, zones.payload, kSlackByte, zones.room - zones.payload),
             zones.payload, "byte");
  AddFinding(findings, "guard-rear", CompareBytes(memory, zones.room, kGuardByte, zones.guard), 0,
             "byte");
  return findings;
}

std::vector<Finding> CheckRetired(const WorkspaceMemory &memory, Content content) {
  std::vector<Finding> findings;
  AddFinding(findings, "retired",
             CompareBytes(memory, 0, WorkspaceByteOf(content), memory.Layout().payload), 0, "byte");
  return findings;
}

Repetition CompareRuns(const TensorFacts &facts, const ByteSource &first,
                       const Pattern &firstPoison, const TensorMemory &second,
                       const Pattern &secondPoison) {
  Repetition repetition;
  const int64_t size = facts.elementBytes;
  second.VisitElements(facts, [&](int64_t position, const uint8_t *elements, int64_t bytes) {
    HostBytes earlier(bytes);
    first(position, earlier.Data(), bytes);
    // Unwritten elements differ if the poisons do.
    ForEachDifference(earlier.Data(), elements, bytes, size, [&](int64_t i) {
      repetition.different.Add(position / size + i);
      const bool before = IsPoison(earlier.Data() + i * size, firstPoison, size);
      const bool now = IsPoison(elements + i * size, secondPoison, size);
      if (before && now) repetition.unwritten.Add(position / size + i);
      if (before && !now) ++repetition.missingBefore;
      if (now && !before) ++repetition.missing;
    });
  });
  return repetition;
}

}  // namespace aclnn_cts
