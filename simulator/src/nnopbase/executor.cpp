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

namespace simulator {

// The numbers of the tensors of a parameter, 0 for a null pointer.
struct PlannedParameter {
  bool isList;
  std::vector<uint64_t> tensors;
};

}  // namespace simulator

struct aclOpExecutor {
  std::string operatorName;
  simulator::Work work;
  bool repeatable = false;
  std::vector<simulator::PlannedParameter> inputs = {};
  std::vector<simulator::PlannedParameter> outputs = {};
  simulator::Addresses addresses = {};  // those that were set anew
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
  return [work = executor.work, name = executor.operatorName, addresses = executor.addresses,
          workspace] {
    const std::string user = name + ": the workspace";
    const TensorsElsewhere moved(addresses);
    work.run(work.workspaceBytes == 0 ? nullptr
                                      : DeviceWindow(workspace, work.workspaceBytes, user.c_str()));
  };
}

uint64_t NumberOf(const aclTensor *tensor) { return tensor == nullptr ? 0 : tensor->number; }

std::vector<PlannedParameter> ParametersOf(const std::vector<TensorArgument> &arguments) {
  std::vector<PlannedParameter> parameters;
  for (const TensorArgument &argument : arguments) {
    parameters.push_back({argument.list != nullptr, {}});
    std::vector<uint64_t> &numbers = parameters.back().tensors;
    if (argument.list == nullptr) {
      numbers.push_back(NumberOf(argument.tensor));
    } else {
      for (const aclTensor *tensor : argument.list->tensors) numbers.push_back(NumberOf(tensor));
    }
  }
  return parameters;
}

// Sets the addresses of tensors of an executor; `caller` is the public function.
class AddressSetter {
 public:
  AddressSetter(const char *caller, aclOpExecutor *executor)
      : caller_(caller), executor_(executor) {}

  // `index` counts all tensors of the parameters, also those of lists.
  aclnnStatus Set(const std::vector<PlannedParameter> &parameters, size_t index,
                  const aclTensor *tensor, void *address) const {
    if (tensor == nullptr) return Fail(kInnerNullPointer, caller_ + ": null pointer");
    RequireTensor(tensor, caller_.c_str());
    std::vector<uint64_t> numbers;
    for (const PlannedParameter &each : parameters) {
      numbers.insert(numbers.end(), each.tensors.begin(), each.tensors.end());
    }
    if (index >= numbers.size()) return Fail(kInvalidParameter, caller_ + ": index is too large");
    return Apply(numbers[index], *tensor, address);
  }

  // `index` counts the parameters, `place` the tensors of the list.
  aclnnStatus Set(const std::vector<PlannedParameter> &parameters, size_t index, size_t place,
                  const aclTensorList *list, void *address) const {
    if (list == nullptr) return Fail(kInnerNullPointer, caller_ + ": null pointer");
    RequireList(list, caller_.c_str());
    if (index >= parameters.size() || place >= list->tensors.size()) {
      return Fail(kInvalidParameter, caller_ + ": an index is too large");
    }
    const PlannedParameter &parameter = parameters[index];
    if (!parameter.isList || parameter.tensors.size() != list->tensors.size()) {
      Misuse("{}: the parameter with index {} is not this list; pass the right index", caller_,
             index);
    }
    return Apply(parameter.tensors[place], *list->tensors[place], address);
  }

 private:
  aclnnStatus Apply(uint64_t number, const aclTensor &tensor, void *address) const {
    Executors().Require(executor_, caller_.c_str());
    if (!executor_->repeatable) {
      Misuse("{}: the executor is not repeatable; call aclSetAclOpExecutorRepeatable first",
             caller_);
    }
    if (number == 0) return Fail(kInvalidParameter, caller_ + ": phase one got a null pointer");
    if (number != tensor.number) {
      Misuse("{}: the tensor with this index is another one; pass the right index", caller_);
    }
    RequireStorageAt(tensor, address, (caller_ + ": addr").c_str());
    executor_->addresses[number] = address;
    return kSuccess;
  }

  std::string caller_;
  aclOpExecutor *executor_;
};

aclnnStatus NoExecutor(const char *caller) {
  return Fail(kInnerNullPointer, std::string(caller) + ": executor is null");
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

aclnnStatus PlanOperator(const char *name, const TensorArguments &tensors, uint64_t *workspaceSize,
                         aclOpExecutor **executor, const std::function<Work()> &plan) {
  const std::string caller = std::string(name) + "GetWorkspaceSize";
  RequireDevice(caller.c_str());
  try {
    const auto planned = std::make_shared<aclOpExecutor>();
    planned->operatorName = name;
    planned->work = plan();
    if (workspaceSize == nullptr) throw Rejection{kNullPointer, "workspaceSize is null"};
    if (executor == nullptr) throw Rejection{kNullPointer, "executor is null"};
    planned->inputs = ParametersOf(tensors.inputs);
    planned->outputs = ParametersOf(tensors.outputs);
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

aclnnStatus aclSetInputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor,
                                  void *addr) {
  if (executor == nullptr) return NoExecutor("aclSetInputTensorAddr");
  return AddressSetter("aclSetInputTensorAddr", executor)
      .Set(executor->inputs, index, tensor, addr);
}

aclnnStatus aclSetOutputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor,
                                   void *addr) {
  if (executor == nullptr) return NoExecutor("aclSetOutputTensorAddr");
  return AddressSetter("aclSetOutputTensorAddr", executor)
      .Set(executor->outputs, index, tensor, addr);
}

aclnnStatus aclSetTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor,
                             void *addr) {
  if (executor == nullptr) return NoExecutor("aclSetTensorAddr");
  std::vector<PlannedParameter> all = executor->inputs;
  all.insert(all.end(), executor->outputs.begin(), executor->outputs.end());
  return AddressSetter("aclSetTensorAddr", executor).Set(all, index, tensor, addr);
}

aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor *executor, size_t irIndex,
                                         const size_t relativeIndex, aclTensorList *tensors,
                                         void *addr) {
  if (executor == nullptr) return NoExecutor("aclSetDynamicInputTensorAddr");
  return AddressSetter("aclSetDynamicInputTensorAddr", executor)
      .Set(executor->inputs, irIndex, relativeIndex, tensors, addr);
}

aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor *executor, size_t irIndex,
                                          const size_t relativeIndex, aclTensorList *tensors,
                                          void *addr) {
  if (executor == nullptr) return NoExecutor("aclSetDynamicOutputTensorAddr");
  return AddressSetter("aclSetDynamicOutputTensorAddr", executor)
      .Set(executor->outputs, irIndex, relativeIndex, tensors, addr);
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
