// SPDX-License-Identifier: Apache-2.0
#include "fake_operator.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "fake_faults.h"
#include "fake_runtime.h"

namespace fake {
namespace {

void Damage(const Tensors &tensors) {
  for (const std::string &place : Faults("write")) {
    const size_t at = place.find('@');
    const auto found = tensors.find(place.substr(0, at));
    if (found == tensors.end()) continue;
    const float value = 12345.0F;
    std::memcpy(found->second->data + 4 * std::stoll(place.substr(at + 1)), &value, sizeof value);
  }
}

// Fault `one-plan`: whatever is launched, the last plan's work is done.
std::function<void(void *)> &LastPlan() {
  static auto *const last = new std::function<void(void *)>;
  return *last;
}

// Fault `one-buffer`: what a launch needs lies in one place until the work is done.
std::function<void()> Kept(const std::function<void()> &work) {
  static auto *const buffer = new std::function<void()>;
  *buffer = work;
  return [] { (*buffer)(); };
}

void DamageWorkspace(void *workspace) {
  for (const std::string &byte : Faults("write-workspace")) {
    static_cast<uint8_t *>(workspace)[std::stoll(byte)] = 1;
  }
}

// Leaves a mark in the workspace, and does wrong where it finds one.
void TrustWorkspace(const Tensors &tensors, void *workspace) {
  if (!HasFault("stale-workspace") || workspace == nullptr) return;
  constexpr uint8_t kMark = 0x11;
  uint8_t *const first = static_cast<uint8_t *>(workspace);
  const auto out = tensors.find("out");
  if (*first == kMark && out != tensors.end()) out->second->data[0] ^= 1;
  *first = kMark;
}

}  // namespace

void ForEachElement(const aclTensor &tensor, const std::function<void(int64_t, int64_t)> &visit) {
  int64_t count = 1;
  for (const int64_t extent : tensor.shape) count *= extent;
  for (int64_t index = 0; index < count; ++index) {
    int64_t element = tensor.offset;
    int64_t rest = index;
    for (size_t axis = tensor.shape.size(); axis-- > 0; rest /= tensor.shape[axis]) {
      element += rest % tensor.shape[axis] * tensor.strides[axis];
    }
    visit(index, element);
  }
}

aclnnStatus Plan(const Tensors &tensors, std::function<void()> work, uint64_t *workspaceSize,
                 aclOpExecutor **executor) {
  if (HasFault("refuse")) {
    Damage(tensors);
    SetErrorMessage("\"refused\"\n\x01 \xFF \xC3\xA9\\");
    return 161002;
  }
  *workspaceSize = static_cast<uint64_t>(FaultNumber("workspace", 0));
  CountLive("executor", 1);
  *executor = new aclOpExecutor;
  (*executor)->work = [tensors, work](void *workspace) {
    work();
    Damage(tensors);
    DamageWorkspace(workspace);
    TrustWorkspace(tensors, workspace);
  };
  LastPlan() = (*executor)->work;
  return 0;
}

aclnnStatus Launch(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, void *stream) {
  static int64_t launches = 0;
  const std::function<void(void *)> work = HasFault("one-plan") ? LastPlan() : executor->work;
  if (!executor->repeatable) {
    delete executor;
    CountLive("executor", -1);
  }
  if (HasFault("crash")) std::abort();
  if ((workspace == nullptr) != (workspaceSize == 0)) std::abort();
  const std::function<void()> bound = [=] { work(workspace); };
  if (++launches != FaultNumber("lose-launch", 0)) {
    Enqueue(stream, HasFault("one-buffer") ? Kept(bound) : bound);
  }
  if (!HasFault("launch-fails")) return 0;
  SetErrorMessage("launch refused");
  return 361001;
}

}  // namespace fake
