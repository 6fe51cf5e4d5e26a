// SPDX-License-Identifier: Apache-2.0
#include "memory_checks.h"

#include <cstring>

#include "placement.h"

namespace aclnn_cts {
namespace {

// Calls `visit(index)` for every element that differs. Equal stretches go by at the speed of
// memcmp.
template <typename Visit>
void ForEachDifference(const uint8_t *a, const uint8_t *b, int64_t elements, int64_t elementBytes,
                       const Visit &visit) {
  constexpr int64_t kBlock = 1024;
  const auto equal = [&](int64_t element, int64_t count) {
    const int64_t start = element * elementBytes;
    return std::memcmp(a + start, b + start, static_cast<size_t>(count * elementBytes)) == 0;
  };
  for (int64_t start = 0; start < elements; start += kBlock) {
    const int64_t end = std::min(elements, start + kBlock);
    if (equal(start, end - start)) continue;
    for (int64_t i = start; i < end; ++i) {
      if (!equal(i, 1)) visit(i);
    }
  }
}

Difference Compare(const uint8_t *a, const uint8_t *b, int64_t elements, int64_t elementBytes) {
  Difference difference;
  ForEachDifference(a, b, elements, elementBytes, [&](int64_t i) { difference.Add(i); });
  return difference;
}

// Adds a finding when there is a difference; `origin` is the index of the first place that was
// compared.
void Report(std::vector<Finding> &findings, const char *kind, Difference difference, int64_t origin,
            const char *unit) {
  if (difference.count == 0) return;
  difference.first += origin;
  findings.push_back({kind, difference, unit});
}

// `front` points to the guard in front, `rear` to the slack, with the guard behind it.
void CheckZones(std::vector<Finding> &findings, const Zones &zones, const uint8_t *front,
                const uint8_t *expectedFront, const uint8_t *rear, const uint8_t *expectedRear) {
  const int64_t slack = zones.room - zones.payload;
  Report(findings, "guard-front", Compare(front, expectedFront, zones.guard, 1), -zones.guard,
         "byte");
  Report(findings, "slack", Compare(rear, expectedRear, slack, 1), zones.payload, "byte");
  Report(findings, "guard-rear", Compare(rear + slack, expectedRear + slack, zones.guard, 1), 0,
         "byte");
}

Difference CompareViews(const TensorFacts &facts, const uint8_t *storage, const uint8_t *expected) {
  const int64_t bytes = facts.elements * facts.elementBytes;
  HostBytes found(bytes);
  HostBytes wanted(bytes);
  Gather(facts, storage, found.Data());
  Gather(facts, expected, wanted.Data());
  return Compare(found.Data(), wanted.Data(), facts.elements, facts.elementBytes);
}

void CheckStorage(std::vector<Finding> &findings, const TensorFacts &facts, const uint8_t *storage,
                  uint8_t *expected, bool mayWrite) {
  const int64_t elements = facts.storageBytes / facts.elementBytes;
  if (facts.isOutput && !mayWrite) {
    Report(findings, "output-touched", Compare(storage, expected, elements, facts.elementBytes), 0,
           "element");
    return;
  }
  if (!facts.isOutput) {
    Report(findings, "input", CompareViews(facts, storage, expected), 0, "element");
  }
  // Once the view counts as expected, only gaps can still differ.
  if (!MayHaveGaps(facts)) return;
  CopyView(facts, storage, expected);
  Report(findings, "gap", Compare(storage, expected, elements, facts.elementBytes), 0, "element");
}

bool IsPoison(const uint8_t *element, const Pattern &poison, int64_t elementBytes) {
  return std::memcmp(element, poison.data(), static_cast<size_t>(elementBytes)) == 0;
}

}  // namespace

std::vector<Finding> CheckTensor(const TensorFacts &facts, TensorMemory &memory, bool mayWrite) {
  std::vector<Finding> findings;
  if (memory.IsUnchanged()) return findings;
  const Zones &zones = memory.Layout();
  const uint8_t *found = memory.Found().Data();
  uint8_t *expected = memory.Expected().Data();
  const int64_t rear = zones.guard + zones.payload;
  CheckZones(findings, zones, found, expected, found + rear, expected + rear);
  CheckStorage(findings, facts, found + zones.guard, expected + zones.guard, mayWrite);
  return findings;
}

std::vector<Finding> CheckWorkspace(const WorkspaceMemory &memory) {
  const Zones &zones = memory.Layout();
  const int64_t slack = zones.room - zones.payload;
  const std::vector<uint8_t> expectedFront(static_cast<size_t>(zones.guard), kGuardByte);
  std::vector<uint8_t> expectedRear(static_cast<size_t>(slack), kSlackByte);
  expectedRear.insert(expectedRear.end(), static_cast<size_t>(zones.guard), kGuardByte);
  const HostBytes front = memory.DownloadFront();
  const HostBytes rear = memory.DownloadRear();
  std::vector<Finding> findings;
  CheckZones(findings, zones, front.Data(), expectedFront.data(), rear.Data(), expectedRear.data());
  return findings;
}

std::vector<Finding> CheckRetired(const WorkspaceMemory &memory, Content content) {
  const HostBytes found = memory.Download();
  const std::vector<uint8_t> expected(found.Size(), WorkspaceByteOf(content));
  std::vector<Finding> findings;
  Report(findings, "retired",
         Compare(found.Data(), expected.data(), static_cast<int64_t>(found.Size()), 1), 0, "byte");
  return findings;
}

Repetition CompareRuns(const HostBytes &first, const Pattern &firstPoison, const HostBytes &second,
                       const Pattern &secondPoison, int64_t elementBytes) {
  Repetition repetition;
  const int64_t elements = static_cast<int64_t>(first.Size()) / elementBytes;
  // Where the poisons differ, an element that nobody wrote shows as a difference, too.
  ForEachDifference(first.Data(), second.Data(), elements, elementBytes, [&](int64_t i) {
    repetition.different.Add(i);
    const int64_t start = i * elementBytes;
    const bool before = IsPoison(first.Data() + start, firstPoison, elementBytes);
    const bool now = IsPoison(second.Data() + start, secondPoison, elementBytes);
    if (before && now) repetition.unwritten.Add(i);
    if (before && !now) ++repetition.missingBefore;
    if (now && !before) ++repetition.missing;
  });
  return repetition;
}

}  // namespace aclnn_cts
