// SPDX-License-Identifier: Apache-2.0
#include "nnopbase/executor.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "nnopbase/checks.h"
#include "nnopbase/status.h"
#include "runtime/device_memory.h"
#include "runtime/error_message.h"
#include "runtime/handle_table.h"
#include "runtime/lifecycle.h"
#include "runtime/misuse.h"
#include "runtime/stream.h"

struct aclOpExecutor {
  std::string operatorName;
  simulator::Work work;
  bool repeatable = false;
};

namespace simulator {

namespace {

constexpr uintptr_t kWorkspaceAlignment = 32;

HandleTable &Executors() {
  static HandleTable *const table =
      new HandleTable("aclOpExecutor", "launch each, or call aclDestroyAclOpExecutor for it",
                      "call the GetWorkspaceSize function again, or aclSetAclOpExecutorRepeatable "
                      "before the first launch");
  return *table;
}

void RequireWorkspace(const aclOpExecutor &executor, const void *workspace, uint64_t size) {
  const char *const name = executor.operatorName.c_str();
  const uint64_t needed = executor.work.workspaceBytes;
  if (size < needed) {
    Misuse("{}: the workspace has {} bytes but {} are needed; pass what GetWorkspaceSize returned",
           name, size, needed);
  }
  if (needed == 0) return;
  if (workspace == nullptr) {
    Misuse("{}: the workspace is null but {} bytes are needed; allocate them with aclrtMalloc",
           name, needed);
  }
  if (reinterpret_cast<uintptr_t>(workspace) % kWorkspaceAlignment != 0) {
    Misuse("{}: the workspace {} is not aligned to 32 bytes; align it", name, workspace);
  }
  RequireDeviceBytes(workspace, size, (executor.operatorName + ": the workspace").c_str());
}

std::function<void()> BindWorkspace(const aclOpExecutor &executor, void *workspace) {
  return [work = executor.work, name = executor.operatorName, workspace] {
    const std::string user = name + ": the workspace";
    work.run(work.workspaceBytes == 0 ? nullptr
                                      : DeviceWindow(workspace, work.workspaceBytes, user.c_str()));
  };
}

}  // namespace

Work OneAfterAnother(const std::vector<Work> &works) {
  Work all = {0, [works](void *workspace) {
                for (const Work &work : works) work.run(workspace);
              }};
  for (const Work &work : works)
    all.workspaceBytes = std::max(all.workspaceBytes, work.workspaceBytes);
  return all;
}

aclnnStatus PlanOperator(const char *name, uint64_t *workspaceSize, aclOpExecutor **executor,
                         const std::function<Work()> &plan) {
  const std::string caller = std::string(name) + "GetWorkspaceSize";
  RequireDevice(caller.c_str());
  try {
    const auto planned = std::make_shared<aclOpExecutor>();
    planned->operatorName = name;
    planned->work = plan();
    if (workspaceSize == nullptr) throw Rejection{kNullPointer, "workspaceSize is null"};
    if (executor == nullptr) throw Rejection{kNullPointer, "executor is null"};
    Executors().Add(planned, std::string("planned by ") + caller);
    *workspaceSize = planned->work.workspaceBytes;
    *executor = planned.get();
    return kSuccess;
  } catch (const Rejection &rejection) {
    return Fail(rejection.status, caller + ": " + rejection.message);
  }
}

aclnnStatus LaunchOperator(const char *name, void *workspace, uint64_t workspaceSize,
                           aclOpExecutor *executor, aclrtStream stream) {
  RequireDevice(name);
  if (executor == nullptr) {
    return Fail(kInnerNullPointer, std::string(name) + ": executor is null");
  }
  Executors().Require(executor, name);
  if (executor->operatorName != name) {
    Misuse("{}: executor {} was planned for {}; launch it with that function", name,
           static_cast<const void *>(executor), executor->operatorName);
  }
  Stream &queue = FindStream(stream, name);
  RequireWorkspace(*executor, workspace, workspaceSize);
  queue.Enqueue(BindWorkspace(*executor, workspace));
  if (!executor->repeatable) Executors().Retire(executor, name, "launched");
  return kSuccess;
}

}  // namespace simulator

using namespace simulator;

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor) {
  if (executor == nullptr) {
    return Fail(kInnerNullPointer, "aclSetAclOpExecutorRepeatable: null pointer");
  }
  Executors().Require(executor, "aclSetAclOpExecutorRepeatable");
  executor->repeatable = true;
  return kSuccess;
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor) {
  if (executor == nullptr) return Fail(kInnerNullPointer, "aclDestroyAclOpExecutor: null pointer");
  Executors().Retire(executor, "aclDestroyAclOpExecutor", "destroyed");
  return kSuccess;
}

aclnnStatus aclnnInit(const char *) {
  SetOperatorsInitialised(true);
  return kSuccess;
}

aclnnStatus aclnnFinalize() {
  SetOperatorsInitialised(false);
  return kSuccess;
}
