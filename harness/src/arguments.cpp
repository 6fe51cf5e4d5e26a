// SPDX-License-Identifier: Apache-2.0
#include "aclnn_cts/arguments.h"

#include <algorithm>
#include <cstring>

#include "errors.h"
#include "runtime.h"

namespace aclnn_cts {
namespace {

// A valid pointer even for rank 0 and length 0, where nothing is read.
const int64_t kNoValue = 0;

const int64_t *Values(const std::vector<int64_t> &values) {
  return values.empty() ? &kNoValue : values.data();
}

aclTensor *CreateTensor(const TensorFacts &facts, const AddressOf &addressOf) {
  if (facts.source == Source::kNull) return nullptr;
  aclTensor *tensor = aclCreateTensor(
      Values(facts.shape), facts.shape.size(), static_cast<aclDataType>(facts.dataType),
      Values(facts.strides), facts.offset, static_cast<aclFormat>(facts.format),
      Values(facts.storage), facts.storage.size(), addressOf(facts));
  if (tensor == nullptr) {
    throw RuntimeError("aclCreateTensor of " + facts.name, -1, TakeErrorMessage());
  }
  return tensor;
}

// In the order of the properties below; empty where the runtime does not say.
constexpr const char *kProperties[] = {"shape",  "strides", "storage",
                                       "offset", "format",  "data-type"};

using GetDims = aclnnStatus (*)(const aclTensor *, int64_t **, uint64_t *);

std::vector<int64_t> ReadDims(const aclTensor *tensor, GetDims get) {
  int64_t *values = nullptr;
  uint64_t count = 0;
  if (get(tensor, &values, &count) != 0) return {};
  const std::unique_ptr<int64_t[]> owner(values);
  return std::vector<int64_t>(values, values + count);
}

std::vector<std::vector<int64_t>> PropertiesOf(const aclTensor *tensor) {
  if (tensor == nullptr) return {};
  int64_t offset = 0;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  aclDataType dataType = ACL_DT_UNDEFINED;
  const aclnnStatus status[] = {aclGetViewOffset(tensor, &offset), aclGetFormat(tensor, &format),
                                aclGetDataType(tensor, &dataType)};
  const auto known = [&](int which, int64_t value) {
    return status[which] == 0 ? std::vector<int64_t>{value} : std::vector<int64_t>();
  };
  return {ReadDims(tensor, aclGetViewShape),
          ReadDims(tensor, aclGetViewStrides),
          ReadDims(tensor, aclGetStorageShape),
          known(0, offset),
          known(1, format),
          known(2, dataType)};
}

aclIntArray *CreateIntArray(const AttributeFacts &facts) {
  if (facts.kind != AttributeKind::kInts || facts.isNull) return nullptr;
  aclIntArray *array = aclCreateIntArray(Values(facts.list), facts.list.size());
  if (array == nullptr) {
    throw RuntimeError("aclCreateIntArray of " + facts.name, -1, TakeErrorMessage());
  }
  return array;
}

aclBoolArray *CreateBoolArray(const AttributeFacts &facts) {
  if (facts.kind != AttributeKind::kBools || facts.isNull) return nullptr;
  const std::unique_ptr<bool[]> values(new bool[facts.list.size() + 1]);
  std::copy(facts.list.begin(), facts.list.end(), values.get());
  aclBoolArray *array = aclCreateBoolArray(values.get(), facts.list.size());
  if (array == nullptr) {
    throw RuntimeError("aclCreateBoolArray of " + facts.name, -1, TakeErrorMessage());
  }
  return array;
}

// The prototype of aclCreateScalar takes a pointer to non-const, so it may write to a copy.
aclScalar *CreateScalar(const AttributeFacts &facts, std::vector<uint8_t> bytes) {
  aclScalar *scalar = aclCreateScalar(bytes.data(), static_cast<aclDataType>(facts.dataType));
  if (scalar == nullptr) {
    throw RuntimeError("aclCreateScalar of " + facts.name, -1, TakeErrorMessage());
  }
  return scalar;
}

std::unique_ptr<char[]> CopyText(const AttributeFacts &facts) {
  if (facts.kind != AttributeKind::kString || facts.isNull) return nullptr;
  std::unique_ptr<char[]> text(new char[facts.text.size() + 1]);
  std::memcpy(text.get(), facts.text.c_str(), facts.text.size() + 1);
  return text;
}

[[noreturn]] void FailMissing(const std::string &where, const char *name) {
  throw InputError(
      where + ": the case has no parameter " + name +
      " of the kind that the program asks for; expected case file and program of one spec");
}

void RequireAsked(const std::string &where, const std::string &name, bool asked) {
  if (asked) return;
  throw InputError(where + ": the program asks for no parameter " + name +
                   "; expected case file and program of one spec");
}

}  // namespace

Arguments::Arguments(const std::string &where, const Parameters &parameters,
                     const AddressOf &addressOf)
    : where_(where) {
  for (const TensorFacts &facts : parameters.tensors) {
    tensors_.push_back({&facts, nullptr, nullptr, {}, false});
    TensorEntry &entry = tensors_.back();
    entry.owner.reset(CreateTensor(facts, addressOf));
    entry.handle = entry.owner.get();
    entry.properties = PropertiesOf(entry.handle);
  }
  CreateLists();
  for (const AttributeFacts &facts : parameters.attributes) {
    attributes_.push_back({&facts, nullptr, nullptr, nullptr, nullptr, CopyText(facts), false});
    AttributeEntry &entry = attributes_.back();
    entry.ints.reset(CreateIntArray(facts));
    entry.bools.reset(CreateBoolArray(facts));
    if (facts.isNull) continue;
    if (facts.kind == AttributeKind::kScalar) {
      entry.scalar.reset(CreateScalar(facts, facts.scalars.front()));
    }
    if (facts.kind == AttributeKind::kScalars) entry.scalars = CreateScalarList(facts);
  }
}

auto Arguments::CreateScalarList(const AttributeFacts &facts) -> OwnedScalarList {
  std::vector<std::unique_ptr<aclScalar, DestroyScalar>> owners;
  std::vector<const aclScalar *> members;
  for (const std::vector<uint8_t> &bytes : facts.scalars) {
    owners.emplace_back(CreateScalar(facts, bytes));
    members.push_back(owners.back().get());
  }
  OwnedScalarList list(aclCreateScalarList(members.data(), members.size()));
  if (list == nullptr) {
    throw RuntimeError("aclCreateScalarList of " + facts.name, -1, TakeErrorMessage());
  }
  // the list destroys them from now on
  for (auto &owner : owners) (void)owner.release();
  return list;
}

void Arguments::CreateLists() {
  std::map<std::string, std::vector<TensorEntry *>> lists;
  for (TensorEntry &entry : tensors_) {
    if (!entry.facts->list.empty()) lists[entry.facts->list].push_back(&entry);
  }
  for (const auto &[name, entries] : lists) {
    std::vector<const aclTensor *> members;
    for (const TensorEntry *entry : entries) members.push_back(entry->handle);
    aclTensorList *list = aclCreateTensorList(members.data(), members.size());
    if (list == nullptr) {
      throw RuntimeError("aclCreateTensorList of " + name, -1, TakeErrorMessage());
    }
    lists_[name].reset(list);
    // the list destroys them from now on
    for (TensorEntry *entry : entries) (void)entry->owner.release();
  }
}

aclTensor *Arguments::Tensor(const char *name) const {
  for (const TensorEntry &entry : tensors_) {
    if (entry.facts->name != name) continue;
    entry.asked = true;
    return entry.owner.get();
  }
  FailMissing(where_, name);
}

aclTensorList *Arguments::TensorList(const char *name) const {
  for (const TensorEntry &entry : tensors_) {
    if (entry.facts->list == name) entry.asked = true;
  }
  const auto list = lists_.find(name);
  if (list != lists_.end()) return list->second.get();
  if (Tensor(name) != nullptr) FailMissing(where_, name);
  return nullptr;
}

const Arguments::AttributeEntry &Arguments::Attribute(const char *name, AttributeKind kind) const {
  for (const AttributeEntry &entry : attributes_) {
    if (entry.facts->name != name || entry.facts->kind != kind) continue;
    entry.asked = true;
    return entry;
  }
  FailMissing(where_, name);
}

double Arguments::Double(const char *name) const {
  return Attribute(name, AttributeKind::kDouble).facts->real;
}

float Arguments::Float(const char *name) const { return static_cast<float>(Double(name)); }

int64_t Arguments::Int64(const char *name) const {
  return Attribute(name, AttributeKind::kInt64).facts->integer;
}

uint64_t Arguments::Uint64(const char *name) const { return static_cast<uint64_t>(Int64(name)); }

int32_t Arguments::Int32(const char *name) const { return static_cast<int32_t>(Int64(name)); }

int8_t Arguments::Int8(const char *name) const { return static_cast<int8_t>(Int64(name)); }

aclDataType Arguments::DataType(const char *name) const {
  return static_cast<aclDataType>(Int64(name));
}

bool Arguments::Bool(const char *name) const {
  return Attribute(name, AttributeKind::kBool).facts->integer != 0;
}

char *Arguments::String(const char *name) const {
  return Attribute(name, AttributeKind::kString).text.get();
}

aclIntArray *Arguments::IntArray(const char *name) const {
  return Attribute(name, AttributeKind::kInts).ints.get();
}

aclBoolArray *Arguments::BoolArray(const char *name) const {
  return Attribute(name, AttributeKind::kBools).bools.get();
}

aclScalar *Arguments::Scalar(const char *name) const {
  return Attribute(name, AttributeKind::kScalar).scalar.get();
}

aclScalarList *Arguments::ScalarList(const char *name) const {
  return Attribute(name, AttributeKind::kScalars).scalars.get();
}

std::vector<ChangedHandle> Arguments::Changed() const {
  std::vector<ChangedHandle> changed;
  for (const TensorEntry &entry : tensors_) {
    const auto now = PropertiesOf(entry.handle);
    for (size_t i = 0; i < now.size(); ++i) {
      if (now[i] != entry.properties[i]) changed.push_back({entry.facts->name, kProperties[i]});
    }
  }
  return changed;
}

void Arguments::RequireAllAsked() const {
  for (const TensorEntry &entry : tensors_) RequireAsked(where_, entry.facts->name, entry.asked);
  for (const AttributeEntry &entry : attributes_) {
    RequireAsked(where_, entry.facts->name, entry.asked);
  }
}

}  // namespace aclnn_cts
