// SPDX-License-Identifier: Apache-2.0
#include "case_checks.h"

#include <algorithm>

#include "placement.h"

namespace aclnn_cts {
namespace {

void CheckData(const LineFields &line, const Case &read, const TensorFacts &tensor) {
  const int64_t bytes = tensor.elements * tensor.elementBytes;
  if (bytes > read.dataBytes || tensor.dataOffset > read.dataBytes - bytes) {
    line.Fail(
        "the data of tensor " + tensor.name + " end at byte " +
            std::to_string(static_cast<uint64_t>(tensor.dataOffset) + static_cast<uint64_t>(bytes)),
        "them inside the data file's " + std::to_string(read.dataBytes) + " bytes");
  }
}

// Whether all elements of both views have the same places.
bool IsSameView(const TensorFacts &a, const TensorFacts &b) {
  return a.shape == b.shape && a.strides == b.strides && a.offset == b.offset;
}

// `tensor` and `other` are in one storage. What is filled with the elements of both must hold both.
void CheckElements(const LineFields &line, const TensorFacts &tensor, const TensorFacts &other) {
  if (IsSameView(tensor, other)) {
    if (tensor.dataOffset == other.dataOffset) return;
    line.Fail("tensors " + other.name + " and " + tensor.name + " are the same elements",
              "the same data for both");
  }
  if (!AreApart(tensor, other)) {
    line.Fail("tensors " + other.name + " and " + tensor.name + " overlap in their storage",
              "the same view, or views of equal shape and strides without a common element");
  }
}

// `tensor` is in the storage of another input of the call, which the line must have described.
void CheckSharing(const LineFields &line, const Parameters &parameters, const TensorFacts &tensor) {
  const TensorFacts *owner = parameters.FindTensor(tensor.shares);
  if (owner == nullptr || owner >= &tensor || owner->source != Source::kData ||
      !owner->shares.empty()) {
    line.Fail("tensor " + tensor.name + " shares the storage of " + tensor.shares,
              "an earlier input of the call, with data and its own storage, after shares");
  }
  if (tensor.isOutput || owner->isOutput) {
    line.Fail("tensors " + owner->name + " and " + tensor.name + " share a storage",
              "the role input for both");
  }
  if (owner->dataType != tensor.dataType || owner->storage != tensor.storage) {
    line.Fail("tensor " + tensor.name + " shares the storage of " + owner->name,
              "the same data type and storage shape for both");
  }
  for (const TensorFacts *other = owner; other != &tensor; ++other) {
    if (other == owner || other->shares == tensor.shares) CheckElements(line, tensor, *other);
  }
}

// `tensor` borrows the memory of a tensor of the case.
void CheckLoan(const LineFields &line, const TensorFacts &tensor, const TensorFacts *lender) {
  if (lender == nullptr) {
    line.Fail("nothing lends its memory to tensor " + tensor.name,
              "a tensor of the case, with data, after same");
  }
  if (lender->storageBytes != tensor.storageBytes) {
    line.Fail("tensor " + tensor.name + " has a storage of " + std::to_string(tensor.storageBytes) +
                  " bytes, its lender one of " + std::to_string(lender->storageBytes),
              "the same size");
  }
}

// Produced elements cannot repeat along an axis, unlike data of the suite.
bool SharesPlaces(const TensorFacts &tensor) {
  for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    if (tensor.shape[axis] > 1 && tensor.strides[axis] == 0) return true;
  }
  return false;
}

// `tensor` receives the elements of `maker`, in row-major order.
void CheckHandOver(const LineFields &line, const TensorFacts &tensor, const TensorFacts *maker) {
  if (maker == nullptr) {
    line.Fail("nothing makes tensor " + tensor.name,
              "a producer-tensor of this name with source scratch");
  }
  if (maker->dataType != tensor.dataType || maker->elements != tensor.elements) {
    line.Fail("tensor " + tensor.name + " has other elements than the producer's",
              "the same data type and number of elements");
  }
  if (maker->elements == 0) return;
  if (MayHaveGaps(*maker)) {
    line.Fail("producer-tensor " + tensor.name + " is not dense",
              "row-major strides and no storage beyond the view");
  }
  if (SharesPlaces(tensor)) {
    line.Fail("elements of tensor " + tensor.name + " share their places",
              "no stride of 0 in a tensor from-producer");
  }
}

void CheckMeasured(const LineFields &line, const Case &read, const TensorFacts &tensor) {
  const bool fits =
      tensor.source == Source::kNull ||
      (tensor.isInput ? tensor.source == Source::kData || tensor.source == Source::kProducer
                      : tensor.source == Source::kOutput);
  if (!fits) {
    line.Fail("the source of tensor " + tensor.name + " does not fit its role",
              tensor.isInput ? "data, from-producer or null" : "output or null");
  }
  if (tensor.source == Source::kData) CheckData(line, read, tensor);
  if (!tensor.shares.empty()) CheckSharing(line, read.measured, tensor);
  if (tensor.source != Source::kProducer) return;
  const TensorFacts *maker = read.producer.parameters.FindTensor(tensor.name);
  if (maker != nullptr && maker->source != Source::kScratch) maker = nullptr;
  CheckHandOver(line, tensor, maker);
}

void CheckProducer(const LineFields &line, const Case &read, const TensorFacts &tensor) {
  const bool fits =
      tensor.source == Source::kNull ||
      (tensor.isOutput ? tensor.source == Source::kScratch
                       : tensor.source == Source::kData || tensor.source == Source::kSame);
  if (!fits) {
    line.Fail("the source of producer-tensor " + tensor.name + " does not fit its role",
              tensor.isOutput ? "scratch or null" : "data, same or null");
  }
  if (tensor.source == Source::kData) CheckData(line, read, tensor);
  if (!tensor.shares.empty()) {
    line.Fail("producer-tensor " + tensor.name + " shares a storage", "its own storage");
  }
  if (tensor.source != Source::kSame) return;
  const TensorFacts *lender = read.measured.FindTensor(tensor.same);
  if (lender != nullptr && lender->source != Source::kData) lender = nullptr;
  CheckLoan(line, tensor, lender);
}

// `call` is the fact that names it; its tensors have their own memory.
void CheckAside(const LineFields &line, const SideCall &call, const std::string &fact) {
  for (const TensorFacts &tensor : call.parameters.tensors) {
    if (tensor.source == Source::kScratch || tensor.source == Source::kNull) continue;
    line.Fail("the source of " + fact + "-tensor " + tensor.name + " does not fit",
              "scratch or null");
  }
}

// Parameters and the operator's name come together.
void CheckNamed(const LineFields &line, const Case &read, const SideCall &call, const char *fact) {
  const Parameters &parameters = call.parameters;
  const bool described = !parameters.tensors.empty() || !parameters.attributes.empty();
  if (described && call.operatorName.empty()) {
    line.Fail("case " + read.id + " has no " + fact + " line", "one that names the operator");
  }
}

bool IsMade(const Case &read, ExecutionVariant variant) {
  return std::count(read.again.begin(), read.again.end(), variant) != 0;
}

void CheckAgain(const LineFields &line, const Case &read) {
  if (!read.launch && (read.again.size() > (read.calls != 0 ? 1 : 0) || read.timed != 0)) {
    line.Fail("case " + read.id + " is not launched, but has again or timed lines", "launch 1");
  }
  if (!read.again.empty() && read.runs != 2 && read.calls == 0) {
    line.Fail("case " + read.id + " has again lines but no second run", "runs 2");
  }
  const bool besides =
      IsMade(read, ExecutionVariant::kAfterOthers) || IsMade(read, ExecutionVariant::kAmongOthers);
  if (besides == read.others.empty()) {
    line.Fail("case " + read.id + " has one of `again after-others` or `again among-others`, and " +
                  "an other line",
              "both, or neither");
  }
  const bool decoyed = IsMade(read, ExecutionVariant::kInFlight) ||
                       IsMade(read, ExecutionVariant::kPlannedBetween) ||
                       IsMade(read, ExecutionVariant::kManyPlanned);
  if (decoyed == read.decoy.operatorName.empty()) {
    line.Fail("case " + read.id + " has one of `again in-flight`, `again planned-between` or " +
                  "`again many-planned`, and a decoy line",
              "both, or neither");
  }
  if (IsMade(read, ExecutionVariant::kManyCalls) != (read.calls != 0)) {
    line.Fail("case " + read.id + " has one of `again many-calls` and a calls line",
              "both, or neither");
  }
}

}  // namespace

const TensorFacts *Parameters::FindTensor(const std::string &name) const {
  for (const TensorFacts &tensor : tensors) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

void CheckCase(const LineFields &line, const Case &read, const std::set<std::string> &seen) {
  for (const char *fact : {"data", "runs", "slack", "deterministic"}) {
    if (seen.count(fact) == 0) line.Fail("case " + read.id + " has no " + fact + " line", "one");
  }
  for (const TensorFacts &tensor : read.measured.tensors) CheckMeasured(line, read, tensor);
  for (const TensorFacts &tensor : read.producer.parameters.tensors) {
    CheckProducer(line, read, tensor);
  }
  for (const SideCall &other : read.others) {
    CheckAside(line, other, "other");
    CheckNamed(line, read, other, "other");
  }
  CheckAside(line, read.decoy, "decoy");
  CheckNamed(line, read, read.producer, "producer");
  CheckNamed(line, read, read.decoy, "decoy");
  CheckAgain(line, read);
}

}  // namespace aclnn_cts
