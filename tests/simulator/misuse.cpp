// SPDX-License-Identifier: Apache-2.0
// Misuses the simulated device in the way that the argument names. Every way ends the process, so
// nothing is released here.
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_group_norm_swish_grad.h"
#include "aclnnop/aclnn_logit_grad.h"

namespace {

void Start() {
  aclInit(nullptr);
  aclrtSetDevice(0);
}

void *Allocate(size_t size) {
  void *memory = nullptr;
  aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST);
  return memory;
}

void *AllocateHost(size_t size) {
  void *memory = nullptr;
  aclrtMallocHost(&memory, size);
  return memory;
}

aclTensor *Tensor(const std::vector<int64_t> &shape, void *memory) {
  return aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND,
                         shape.data(), shape.size(), memory);
}

aclOpExecutor *Plan(void *memory) {
  uint64_t size = 0;
  aclOpExecutor *executor = nullptr;
  aclTensor *const tensor = Tensor({8}, memory);
  aclnnLogitGradGetWorkspaceSize(tensor, tensor, -1.0, tensor, &size, &executor);
  return executor;
}

// An executor that needs 16 bytes of workspace.
aclOpExecutor *PlanWithWorkspace() {
  uint64_t size = 0;
  aclOpExecutor *executor = nullptr;
  aclTensor *const all = Tensor({1, 2, 4}, Allocate(32));
  aclTensor *const channel = Tensor({2}, Allocate(8));
  aclTensor *const group = Tensor({1, 1}, Allocate(4));
  aclnnGroupNormSwishGradGetWorkspaceSize(all, group, group, all, channel, channel, 1, nullptr, 1.0,
                                          true, true, all, channel, channel, &size, &executor);
  return executor;
}

void LaunchWithWorkspace(void *workspace, uint64_t size) {
  aclnnGroupNormSwishGrad(workspace, size, PlanWithWorkspace(), nullptr);
}

char *Bytes(void *memory) { return static_cast<char *>(memory); }

const std::map<std::string, void (*)()> kMisuses = {
    {"call-before-init", [] { aclrtSetDevice(0); }},
    {"tensor-before-init", [] { Tensor({1}, nullptr); }},
    {"call-before-device",
     [] {
       aclInit(nullptr);
       Allocate(8);
     }},
    {"call-after-reset",
     [] {
       Start();
       aclrtResetDevice(0);
       Allocate(8);
     }},
    {"reset-another-device",
     [] {
       Start();
       aclrtResetDevice(1);
     }},
    {"exit-without-finalize", [] { Start(); }},
    {"host-reads",
     [] {
       Start();
       std::printf("%d", *static_cast<volatile char *>(Allocate(8)));
     }},
    {"host-writes",
     [] {
       Start();
       *static_cast<volatile char *>(Allocate(8)) = 1;
     }},
    {"free-twice",
     [] {
       Start();
       void *const memory = Allocate(8);
       aclrtFree(memory);
       aclrtFree(memory);
     }},
    {"free-inside",
     [] {
       Start();
       aclrtFree(Bytes(Allocate(100)) + 64);
     }},
    {"free-host",
     [] {
       Start();
       static char host[8];
       aclrtFree(host);
     }},
    {"memory-leak",
     [] {
       Start();
       Allocate(100);
       aclFinalize();
     }},
    {"host-memory-leak",
     [] {
       Start();
       AllocateHost(100);
       aclFinalize();
     }},
    {"free-host-twice",
     [] {
       Start();
       void *const memory = AllocateHost(8);
       aclrtFreeHost(memory);
       aclrtFreeHost(memory);
     }},
    {"copy-past-device",
     [] {
       Start();
       static char host[200];
       aclrtMemcpy(Allocate(96), 200, host, 129, ACL_MEMCPY_HOST_TO_DEVICE);
     }},
    {"copy-past-host",
     [] {
       Start();
       aclrtMemcpy(AllocateHost(96), 200, Allocate(200), 97, ACL_MEMCPY_DEVICE_TO_HOST);
     }},
    {"copy-from-freed",
     [] {
       Start();
       static char host[8];
       void *const memory = Allocate(8);
       aclrtFree(memory);
       aclrtMemcpy(host, 8, memory, 8, ACL_MEMCPY_DEVICE_TO_HOST);
     }},
    {"copy-wrong-source",
     [] {
       Start();
       static char host[8];
       aclrtMemcpy(Allocate(8), 8, host, 8, ACL_MEMCPY_DEVICE_TO_DEVICE);
     }},
    {"copy-wrong-destination",
     [] {
       Start();
       static char host[8];
       aclrtMemcpy(Allocate(8), 8, host, 8, ACL_MEMCPY_HOST_TO_HOST);
     }},
    {"copy-freed-before-synchronise",
     [] {
       Start();
       void *const from = Allocate(8);
       aclrtMemcpyAsync(Allocate(8), 8, from, 8, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr);
       aclrtFree(from);
       aclrtSynchronizeStream(nullptr);
     }},
    {"set-unknown-host",
     [] {
       Start();
       static char host[8];
       aclrtMemset(host, 8, 0, 8);
     }},
    {"stream-destroyed-twice",
     [] {
       Start();
       aclrtStream stream = nullptr;
       aclrtCreateStream(&stream);
       aclrtDestroyStream(stream);
       aclrtDestroyStream(stream);
     }},
    {"stream-unknown",
     [] {
       Start();
       static char something[8];
       aclrtSynchronizeStream(something);
     }},
    {"stream-leak",
     [] {
       Start();
       aclrtStream stream = nullptr;
       aclrtCreateStream(&stream);
       aclFinalize();
     }},
    {"event-leak",
     [] {
       Start();
       aclrtEvent event = nullptr;
       aclrtCreateEvent(&event);
       aclFinalize();
     }},
    {"event-destroyed-used",
     [] {
       Start();
       aclrtEvent event = nullptr;
       aclrtCreateEvent(&event);
       aclrtDestroyEvent(event);
       aclrtRecordEvent(event, nullptr);
     }},
    {"tensor-leak",
     [] {
       Start();
       Tensor({2}, nullptr);
       aclFinalize();
     }},
    {"tensor-destroyed-twice",
     [] {
       Start();
       aclTensor *const tensor = Tensor({2}, nullptr);
       aclDestroyTensor(tensor);
       aclDestroyTensor(tensor);
     }},
    {"tensor-destroyed-used",
     [] {
       Start();
       uint64_t size = 0;
       aclOpExecutor *executor = nullptr;
       aclTensor *const tensor = Tensor({8}, Allocate(32));
       aclDestroyTensor(tensor);
       aclnnLogitGradGetWorkspaceSize(tensor, tensor, -1.0, tensor, &size, &executor);
     }},
    {"tensor-view-leaves-storage",
     [] {
       Start();
       const int64_t shape[] = {2, 3};
       const int64_t strides[] = {3, 1};
       const int64_t storage[] = {6};
       aclCreateTensor(shape, 2, ACL_FLOAT, strides, 1, ACL_FORMAT_ND, storage, 1, nullptr);
     }},
    {"tensor-storage-leaves-memory",
     [] {
       Start();
       Tensor({17}, Allocate(32));
     }},
    {"tensor-unaligned",
     [] {
       Start();
       Tensor({1}, Bytes(Allocate(64)) + 16);
     }},
    {"tensor-on-host",
     [] {
       Start();
       alignas(32) static char host[32];
       Tensor({1}, host);
     }},
    {"tensor-without-memory-launched",
     [] {
       Start();
       aclnnLogitGrad(nullptr, 0, Plan(nullptr), nullptr);
       aclrtSynchronizeStream(nullptr);
     }},
    {"tensor-memory-freed-before-synchronise",
     [] {
       Start();
       void *const memory = Allocate(32);
       aclnnLogitGrad(nullptr, 0, Plan(memory), nullptr);
       aclrtFree(memory);
       aclrtSynchronizeStream(nullptr);
     }},
    {"array-leak",
     [] {
       Start();
       const int64_t values[] = {1, 2};
       aclCreateIntArray(values, 2);
       aclFinalize();
     }},
    {"tensor-list-leak",
     [] {
       Start();
       const aclTensor *const tensors[] = {nullptr};
       aclCreateTensorList(tensors, 1);
       aclFinalize();
     }},
    {"tensor-of-a-list-destroyed-alone",
     [] {
       Start();
       const int64_t shape[] = {1};
       const aclTensor *const tensors[] = {
           aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, nullptr)};
       const aclTensorList *const list = aclCreateTensorList(tensors, 1);
       aclDestroyTensor(tensors[0]);
       aclDestroyTensorList(list);
     }},
    {"bool-array-leak",
     [] {
       Start();
       const bool values[] = {true, false};
       aclCreateBoolArray(values, 2);
       aclFinalize();
     }},
    {"scalar-leak",
     [] {
       Start();
       float value = 1.0F;
       aclCreateScalar(&value, ACL_FLOAT);
       aclFinalize();
     }},
    {"executor-never-launched",
     [] {
       Start();
       Plan(Allocate(32));
       aclFinalize();
     }},
    {"executor-launched-twice",
     [] {
       Start();
       aclOpExecutor *const executor = Plan(Allocate(32));
       aclnnLogitGrad(nullptr, 0, executor, nullptr);
       aclnnLogitGrad(nullptr, 0, executor, nullptr);
     }},
    {"executor-repeatable-leak",
     [] {
       Start();
       aclOpExecutor *const executor = Plan(Allocate(32));
       aclSetAclOpExecutorRepeatable(executor);
       aclnnLogitGrad(nullptr, 0, executor, nullptr);
       aclFinalize();
     }},
    {"call-in-thread-without-device",
     [] {
       Start();
       std::thread([] { Allocate(32); }).join();
     }},
    {"context-unknown",
     [] {
       Start();
       int no = 0;
       aclrtSetCurrentContext(&no);
     }},
    {"model-leak",
     [] {
       Start();
       aclrtStream stream = nullptr;
       aclmdlRI model = nullptr;
       aclrtCreateStream(&stream);
       aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
       aclmdlRICaptureEnd(stream, &model);
       aclrtDestroyStream(stream);
       aclFinalize();
     }},
    {"executor-not-repeatable-moved",
     [] {
       Start();
       void *const memory = Allocate(32);
       aclOpExecutor *const executor = Plan(memory);
       aclSetInputTensorAddr(executor, 0, Tensor({8}, memory), memory);
     }},
    {"tensor-moved-at-wrong-index",
     [] {
       Start();
       void *const memory = Allocate(32);
       aclOpExecutor *const executor = Plan(memory);
       aclSetAclOpExecutorRepeatable(executor);
       aclSetInputTensorAddr(executor, 0, Tensor({8}, memory), memory);
     }},
    {"executor-of-other-operator",
     [] {
       Start();
       aclnnGroupNormSwishGrad(nullptr, 0, Plan(Allocate(32)), nullptr);
     }},
    {"workspace-too-small",
     [] {
       Start();
       LaunchWithWorkspace(Allocate(64), 15);
     }},
    {"workspace-null",
     [] {
       Start();
       LaunchWithWorkspace(nullptr, 16);
     }},
    {"workspace-unaligned",
     [] {
       Start();
       LaunchWithWorkspace(Bytes(Allocate(64)) + 4, 16);
     }},
    {"workspace-leaves-memory",
     [] {
       Start();
       LaunchWithWorkspace(Allocate(64), 100);
     }},
    {"workspace-freed-before-synchronise",
     [] {
       Start();
       void *const workspace = Allocate(16);
       LaunchWithWorkspace(workspace, 16);
       aclrtFree(workspace);
       aclrtSynchronizeStream(nullptr);
     }},
};

}  // namespace

int main(int argc, char **argv) {
  if (argc == 2 && kMisuses.count(argv[1]) != 0) {
    kMisuses.at(argv[1])();
    return 0;
  }
  for (const auto &misuse : kMisuses) std::puts(misuse.first.c_str());
  return 2;
}
