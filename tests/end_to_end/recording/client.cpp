// SPDX-License-Identifier: Apache-2.0
// A program that is linked with the toolkit. It plans calls in threads, and prints the nanoseconds
// of a first phase:
//   client THREADS CALLS
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_silu.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

void Plan(int calls) {
  Require(aclrtSetDevice(0) == ACL_SUCCESS);
  const std::vector<int64_t> shape = {8, 128, 4096};
  void *memory = nullptr;
  Require(aclrtMalloc(&memory, 4 * 8 * 128 * 4096, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  aclTensor *tensors[2];
  for (aclTensor *&tensor : tensors) {
    tensor = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND,
                             shape.data(), shape.size(), memory);
  }
  for (int k = 0; k < calls; ++k) {
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    Require(aclnnSiluGetWorkspaceSize(tensors[0], tensors[1], &size, &executor) == ACL_SUCCESS);
    Require(aclSetAclOpExecutorRepeatable(executor) == ACL_SUCCESS);
    Require(aclDestroyAclOpExecutor(executor) == ACL_SUCCESS);
  }
  for (const aclTensor *tensor : tensors) Require(aclDestroyTensor(tensor) == ACL_SUCCESS);
  Require(aclrtFree(memory) == ACL_SUCCESS);
}

}  // namespace

int main(int, char **arguments) {
  const int threads = std::atoi(arguments[1]);
  const int calls = std::atoi(arguments[2]);
  Require(aclInit(nullptr) == ACL_SUCCESS);
  Require(aclrtSetDevice(0) == ACL_SUCCESS);
  const auto began = std::chrono::steady_clock::now();
  std::vector<std::thread> workers;
  for (int k = 0; k < threads; ++k) workers.emplace_back(Plan, calls);
  for (std::thread &worker : workers) worker.join();
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
  std::printf("%.0f\n", static_cast<double>(took.count()) / calls);
  Require(aclFinalize() == ACL_SUCCESS);
}
