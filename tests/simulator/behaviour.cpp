// SPDX-License-Identifier: Apache-2.0
// Uses the simulated device properly; the argument names what is looked at. Exits with 0 when the
// device behaves as promised, else with 1 after a line that says where it does not.
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_logit_grad.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"

namespace {

void Expect(bool condition, const char *what) {
  if (condition) return;
  std::printf("expected: %s\n", what);
  std::fflush(nullptr);
  // Not exit: the device would complain about the handles that are left.
  _exit(1);
}

class Session {
 public:
  Session() {
    Expect(aclInit(nullptr) == ACL_SUCCESS, "aclInit succeeds");
    Expect(aclrtSetDevice(0) == ACL_SUCCESS, "aclrtSetDevice succeeds");
    aclrtCreateStream(&stream_);
  }
  ~Session() {
    aclrtDestroyStream(stream_);
    aclrtResetDevice(0);
    aclFinalize();
  }
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;
  aclrtStream Stream() const { return stream_; }

 private:
  aclrtStream stream_ = nullptr;
};

class Memory {
 public:
  explicit Memory(size_t size) { aclrtMalloc(&address_, size, ACL_MEM_MALLOC_HUGE_FIRST); }
  ~Memory() { aclrtFree(address_); }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  void *Address() const { return address_; }

  std::vector<unsigned char> Read(size_t size) const {
    std::vector<unsigned char> bytes(size);
    aclrtMemcpy(bytes.data(), size, address_, size, ACL_MEMCPY_DEVICE_TO_HOST);
    return bytes;
  }

 private:
  void *address_ = nullptr;
};

bool AllAre(const std::vector<unsigned char> &bytes, unsigned char expected) {
  for (const unsigned char byte : bytes) {
    if (byte != expected) return false;
  }
  return true;
}

// aclnnLogitGrad of eight times x = 0.5, dy = 1 with eps = -1: eight times 4.
class LogitGrad {
 public:
  LogitGrad() : x_(32), dy_(32), out_(32) {
    const std::vector<float> half(8, 0.5F);
    const std::vector<float> one(8, 1.0F);
    aclrtMemcpy(x_.Address(), 32, half.data(), 32, ACL_MEMCPY_HOST_TO_DEVICE);
    aclrtMemcpy(dy_.Address(), 32, one.data(), 32, ACL_MEMCPY_HOST_TO_DEVICE);
  }

  aclOpExecutor *Plan() const {
    aclTensor *const x = Tensor(x_);
    aclTensor *const dy = Tensor(dy_);
    aclTensor *const out = Tensor(out_);
    uint64_t size = 1;
    aclOpExecutor *executor = nullptr;
    const aclnnStatus status = aclnnLogitGradGetWorkspaceSize(x, dy, -1.0, out, &size, &executor);
    Expect(status == 0 && size == 0, "phase one succeeds and needs no workspace");
    // The work must not need the handles any more.
    aclDestroyTensor(x);
    aclDestroyTensor(dy);
    aclDestroyTensor(out);
    return executor;
  }

  bool Done() const {
    float out[8];
    aclrtMemcpy(out, 32, out_.Address(), 32, ACL_MEMCPY_DEVICE_TO_HOST);
    for (const float value : out) {
      if (value != 4.0F) return false;
    }
    return true;
  }

  void Clear() const { aclrtMemset(out_.Address(), 32, 0, 32); }

 private:
  static aclTensor *Tensor(const Memory &memory) {
    const int64_t shape[] = {8};
    return aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1,
                           memory.Address());
  }

  Memory x_;
  Memory dy_;
  Memory out_;
};

void WorkRunsAtSynchronise() {
  const Session session;
  const LogitGrad call;
  aclnnLogitGrad(nullptr, 0, call.Plan(), session.Stream());
  Expect(!call.Done(), "nothing runs before the stream is synchronised");
  aclrtSynchronizeStreamWithTimeout(session.Stream(), 1000);
  Expect(call.Done(), "the work has run when the stream is synchronised");
}

void DefaultStream() {
  const Session session;
  const LogitGrad call;
  aclnnLogitGrad(nullptr, 0, call.Plan(), nullptr);
  aclrtSynchronizeDevice();
  Expect(call.Done(), "synchronising the device runs the default stream");
}

void RepeatableExecutor() {
  const Session session;
  const LogitGrad call;
  aclOpExecutor *const executor = call.Plan();
  aclSetAclOpExecutorRepeatable(executor);
  for (int round = 0; round < 3; ++round) {
    call.Clear();
    Expect(aclnnLogitGrad(nullptr, 0, executor, session.Stream()) == 0, "each launch succeeds");
    aclrtSynchronizeStream(session.Stream());
    Expect(call.Done(), "each launch does the work");
  }
  Expect(aclDestroyAclOpExecutor(executor) == 0, "a repeatable executor can be destroyed");
}

// One call of eight elements whose tensors are elsewhere in each launch but the first.
void MovedTensors() {
  const Session session;
  const Memory before(96);
  const Memory after(96);
  const auto part = [](const Memory &memory, int place) {
    return static_cast<char *>(memory.Address()) + 32 * place;
  };
  const int64_t shape[] = {8};
  const auto tensor = [&](int place) {
    return aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1,
                           part(before, place));
  };
  aclTensor *const x = tensor(0);
  aclTensor *const dy = tensor(1);
  aclTensor *const out = tensor(2);
  const auto fill = [&](const Memory &memory, float gradient) {
    const std::vector<float> values[] = {std::vector<float>(8, 0.5F),
                                         std::vector<float>(8, gradient), std::vector<float>(8)};
    for (int place = 0; place < 3; ++place) {
      aclrtMemcpy(part(memory, place), 32, values[place].data(), 32, ACL_MEMCPY_HOST_TO_DEVICE);
    }
  };
  fill(before, 1.0F);
  fill(after, 2.0F);
  uint64_t size = 0;
  aclOpExecutor *executor = nullptr;
  aclnnLogitGradGetWorkspaceSize(x, dy, -1.0, out, &size, &executor);
  aclSetAclOpExecutorRepeatable(executor);
  const auto result = [&](const Memory &memory) {
    aclnnLogitGrad(nullptr, 0, executor, session.Stream());
    aclrtSynchronizeStream(session.Stream());
    float value = 0;
    aclrtMemcpy(&value, 4, part(memory, 2), 4, ACL_MEMCPY_DEVICE_TO_HOST);
    return value;
  };
  Expect(result(before) == 4.0F, "the first launch is about the tensors as they were planned");
  Expect(aclSetInputTensorAddr(executor, 1, dy, part(after, 1)) == 0, "an input is moved");
  Expect(result(before) == 8.0F, "only the tensor that was moved is elsewhere");
  Expect(aclSetInputTensorAddr(executor, 0, x, part(after, 0)) == 0, "another input is moved");
  Expect(aclSetOutputTensorAddr(executor, 0, out, part(after, 2)) == 0, "an output is moved");
  fill(before, 1.0F);
  Expect(result(after) == 8.0F, "all of them are elsewhere");
  Expect(aclSetTensorAddr(executor, 1, dy, part(before, 1)) == 0, "inputs count first");
  Expect(aclSetTensorAddr(executor, 2, out, part(before, 2)) == 0, "and then outputs");
  Expect(result(before) == 4.0F, "both are moved back");
  Expect(aclSetInputTensorAddr(executor, 2, x, part(after, 0)) == 161002, "an index is too large");
  Expect(aclSetTensorAddr(executor, 3, x, part(after, 0)) == 161002, "an index is too large");
  Expect(aclSetOutputTensorAddr(executor, 0, nullptr, part(after, 0)) == 561103, "no tensor");
  Expect(aclSetOutputTensorAddr(nullptr, 0, out, part(after, 0)) == 561103, "no executor");
  Expect(aclSetDynamicInputTensorAddr(nullptr, 0, 0, nullptr, part(after, 0)) == 561103,
         "no executor");
  Expect(aclSetDynamicOutputTensorAddr(executor, 0, 0, nullptr, part(after, 0)) == 561103,
         "no list");
  aclDestroyAclOpExecutor(executor);
  for (const aclTensor *each : {x, dy, out}) aclDestroyTensor(each);
}

void CapturedWork() {
  const Session session;
  const LogitGrad call;
  const aclrtStream stream = session.Stream();
  aclmdlRI model = nullptr;
  const auto mode = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
  Expect(aclmdlRICaptureEnd(stream, &model) == ACL_ERROR_RT_STREAM_NOT_CAPTURED, "no capture");
  Expect(aclmdlRICaptureBegin(nullptr, mode) == ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT,
         "the default stream cannot be captured");
  Expect(aclmdlRICaptureBegin(stream, mode) == ACL_SUCCESS, "a capture begins");
  Expect(aclmdlRICaptureBegin(stream, mode) == ACL_ERROR_RT_STREAM_CAPTURED, "it does so once");
  aclnnLogitGrad(nullptr, 0, call.Plan(), stream);
  Expect(aclrtSynchronizeStream(stream) == ACL_ERROR_RT_STREAM_CAPTURED, "there is no waiting");
  Expect(aclrtSynchronizeStreamWithTimeout(stream, 9) == ACL_ERROR_RT_STREAM_CAPTURED,
         "there is no waiting for some time");
  aclError ofOther = ACL_SUCCESS;
  std::thread([&] {
    aclrtSetDevice(0);
    ofOther = aclmdlRICaptureEnd(stream, &model);
    aclrtResetDevice(0);
  }).join();
  Expect(ofOther == ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD, "another thread cannot end it");
  Expect(aclmdlRICaptureEnd(stream, &model) == ACL_SUCCESS, "the capture ends");
  aclrtSynchronizeStream(stream);
  Expect(!call.Done(), "what was captured does not run by itself");
  for (int round = 0; round < 2; ++round) {
    call.Clear();
    Expect(aclmdlRIExecuteAsync(model, stream) == ACL_SUCCESS, "it is enqueued");
    Expect(!call.Done(), "it runs only when the stream is synchronised");
    aclrtSynchronizeStream(stream);
    Expect(call.Done(), "each execution does the work");
  }
  Expect(aclmdlRIDestroy(model) == ACL_SUCCESS, "the model is destroyed");
}

void Threads() {
  const Session session;
  aclrtContext context = nullptr;
  Expect(aclrtGetCurrentContext(&context) == ACL_SUCCESS, "a thread with a device has a context");
  aclrtStream defaultStream = nullptr;
  aclrtCtxGetCurrentDefaultStream(&defaultStream);
  Expect(defaultStream != nullptr, "the default stream has a handle");
  const LogitGrad calls[4];
  std::vector<std::thread> threads;
  for (const LogitGrad &call : calls) {
    threads.emplace_back([&call, context] {
      aclrtSetCurrentContext(context);
      aclrtStream stream = nullptr;
      aclrtCreateStream(&stream);
      aclnnLogitGrad(nullptr, 0, call.Plan(), stream);
      aclrtSynchronizeStream(stream);
      aclrtDestroyStream(stream);
    });
  }
  for (std::thread &thread : threads) thread.join();
  for (const LogitGrad &call : calls) Expect(call.Done(), "each thread has done its work");
  calls[0].Clear();
  aclnnLogitGrad(nullptr, 0, calls[0].Plan(), nullptr);
  aclrtSynchronizeStream(defaultStream);
  Expect(calls[0].Done(), "null and the handle are one stream");
}

void DestroyedExecutor() {
  const Session session;
  const LogitGrad call;
  Expect(aclDestroyAclOpExecutor(call.Plan()) == 0, "a planned executor can be destroyed");
}

void FreshMemory() {
  const Session session;
  for (int round = 0; round < 3; ++round) {
    const Memory memory(1000);
    Expect(reinterpret_cast<uintptr_t>(memory.Address()) % 64 == 0, "memory starts at 64 bytes");
    Expect(AllAre(memory.Read(1024), 0xDE), "fresh memory holds garbage, used before or not");
    aclrtMemset(memory.Address(), 1000, 0, 1000);
    Expect(AllAre(memory.Read(1000), 0), "aclrtMemset sets device memory");
  }
}

void MemoryAccounting() {
  const Session session;
  size_t before = 0;
  size_t during = 0;
  size_t after = 0;
  size_t total = 0;
  aclrtGetMemInfo(ACL_HBM_MEM, &before, &total);
  {
    std::vector<void *> pieces(100);
    for (void *&piece : pieces) aclrtMalloc(&piece, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtGetMemInfo(ACL_HBM_MEM, &during, &total);
    for (size_t i = 0; i < pieces.size(); i += 2) aclrtFree(pieces[i]);
    for (size_t i = 1; i < pieces.size(); i += 2) aclrtFree(pieces[i]);
  }
  aclrtGetMemInfo(ACL_HBM_MEM, &after, &total);
  Expect(before == total && after == before, "freed memory is free again");
  Expect(during <= before - 100 * 4096, "memory in use is not free");
  void *piece = nullptr;
  Expect(aclrtMalloc(&piece, total + 1, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_ERROR_BAD_ALLOC,
         "too much memory is an error return");
}

void ErrorReturns() {
  const Session session;
  const Memory memory(64);
  char host[64];
  void *none = nullptr;
  Expect(aclrtMalloc(&none, 0, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_ERROR_INVALID_PARAM,
         "size 0 is an error return");
  Expect(aclrtFree(nullptr) == ACL_ERROR_INVALID_PARAM, "null is an error return");
  Expect(aclrtMemcpy(host, 8, memory.Address(), 9, ACL_MEMCPY_DEVICE_TO_HOST) ==
             ACL_ERROR_INVALID_PARAM,
         "count above destMax is an error return");
  Expect(aclrtSetDevice(8) == ACL_ERROR_RT_INVALID_DEVICEID, "there is no device 8");
  Expect(aclrtSynchronizeStreamWithTimeout(session.Stream(), 0) == ACL_ERROR_INVALID_PARAM,
         "timeout 0 is an error return");
  const int64_t negative[] = {-1};
  Expect(aclCreateTensor(negative, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, negative, 1, nullptr) ==
             nullptr,
         "a negative dimension gives no tensor");
  Expect(aclSetAclOpExecutorRepeatable(nullptr) == 561103, "a null executor is an error return");
}

void RecentErrorMessage() {
  const Session session;
  Expect(aclGetRecentErrMsg() == nullptr, "there is no message before a failure");
  aclrtFree(nullptr);
  aclrtSetDevice(8);
  const char *const message = aclGetRecentErrMsg();
  Expect(std::strcmp(message,
                     "aclrtSetDevice: there is no device 8; 8 visible, counted from 0\n"
                     "aclrtFree: devPtr is null") == 0,
         "the messages come newest first");
  Expect(aclGetRecentErrMsg() == nullptr, "a message is returned once");
}

void Events() {
  const Session session;
  aclrtEvent start = nullptr;
  aclrtEvent end = nullptr;
  aclrtCreateEvent(&start);
  aclrtCreateEvent(&end);
  float milliseconds = -1.0F;
  aclrtRecordEvent(start, session.Stream());
  aclrtRecordEvent(end, session.Stream());
  Expect(aclrtEventElapsedTime(&milliseconds, start, end) == ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
         "events have no time before the stream is synchronised");
  aclrtSynchronizeStream(session.Stream());
  Expect(aclrtEventElapsedTime(&milliseconds, start, end) == ACL_SUCCESS && milliseconds >= 0.0F,
         "events have a time after");
  aclrtDestroyEvent(start);
  aclrtDestroyEvent(end);
}

void AsynchronousCopy() {
  const Session session;
  const Memory memory(64);
  void *pinned = nullptr;
  aclrtMallocHost(&pinned, 64);
  std::memset(pinned, 1, 64);
  aclrtMemcpyAsync(memory.Address(), 64, pinned, 64, ACL_MEMCPY_HOST_TO_DEVICE, session.Stream());
  Expect(AllAre(memory.Read(64), 0xDE), "a copy from pinned memory waits for the stream");
  const std::vector<char> pageable(64, 2);
  const Memory other(64);
  aclrtMemcpyAsync(other.Address(), 64, pageable.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE,
                   session.Stream());
  Expect(AllAre(memory.Read(64), 1) && AllAre(other.Read(64), 2),
         "a copy from other memory is done when the call returns, with all work before it");
  aclrtFreeHost(pinned);
}

void Lifecycle() {
  Expect(aclInit(nullptr) == ACL_SUCCESS, "the first aclInit succeeds");
  Expect(aclInit(nullptr) == ACL_ERROR_REPEAT_INITIALIZE, "the second one says that it is so");
  Expect(aclFinalize() == ACL_SUCCESS, "one aclFinalize is enough");
  Expect(aclFinalize() == ACL_ERROR_REPEAT_FINALIZE, "the second one says that it is so");
  const Session again;
}

void TensorGetters() {
  const Session session;
  const int64_t shape[] = {2, 3};
  const int64_t strides[] = {6, 2};
  const int64_t storage[] = {20};
  aclTensor *const tensor =
      aclCreateTensor(shape, 2, ACL_BF16, strides, 4, ACL_FORMAT_ND, storage, 1, nullptr);
  int64_t *values = nullptr;
  uint64_t count = 0;
  aclGetViewShape(tensor, &values, &count);
  Expect(count == 2 && values[0] == 2 && values[1] == 3, "the view shape");
  delete[] values;
  aclGetViewStrides(tensor, &values, &count);
  Expect(count == 2 && values[0] == 6 && values[1] == 2, "the strides");
  delete[] values;
  aclGetStorageShape(tensor, &values, &count);
  Expect(count == 1 && values[0] == 20, "the storage shape");
  delete[] values;
  int64_t offset = 0;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  aclDataType type = ACL_DT_UNDEFINED;
  aclGetViewOffset(tensor, &offset);
  aclGetFormat(tensor, &format);
  aclGetDataType(tensor, &type);
  Expect(offset == 4 && format == ACL_FORMAT_ND && type == ACL_BF16, "offset, format and type");
  aclDestroyTensor(tensor);
}

// Pools a plane of 2 x 2, padded by 1, backward: each window holds one element. The mask has
// positions and bits of elements outside. Prints the gradients of the plane.
void DamagedMask() {
  const Session session;
  const Memory ones(16), indices(256), result(16), workspace(4096);
  const std::vector<float> one(4, 1.0F);
  aclrtMemcpy(ones.Address(), 16, one.data(), 16, ACL_MEMCPY_HOST_TO_DEVICE);
  aclrtMemset(indices.Address(), 256, 0xFF, 256);
  const int32_t positions[] = {4, INT32_MAX, -1, 2};
  if (std::strcmp(aclrtGetSocName(), "Ascend910B3") == 0) {
    aclrtMemcpy(indices.Address(), 16, positions, 16, ACL_MEMCPY_HOST_TO_DEVICE);
  }
  const auto tensor = [](const Memory &memory, std::vector<int64_t> shape, aclDataType type) {
    return aclCreateTensor(shape.data(), 4, type, nullptr, 0, ACL_FORMAT_NCHW, shape.data(), 4,
                           memory.Address());
  };
  aclTensor *const tensors[] = {tensor(ones, {1, 1, 2, 2}, ACL_FLOAT),
                                tensor(indices, {1, 1, 4, 64}, ACL_INT8),
                                tensor(result, {1, 1, 2, 2}, ACL_FLOAT)};
  const int64_t two = 2, single = 1;
  const aclIntArray *const arrays[] = {aclCreateIntArray(&two, 1), aclCreateIntArray(&single, 1)};
  uint64_t size = 0;
  aclOpExecutor *executor = nullptr;
  Expect(aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(tensors[0], tensors[0], tensors[1],
                                                        arrays[0], arrays[0], arrays[1], arrays[1],
                                                        false, tensors[2], &size, &executor) == 0 &&
             size <= 4096,
         "phase one succeeds");
  aclnnMaxPool2dWithMaskBackward(workspace.Address(), size, executor, session.Stream());
  aclrtSynchronizeStream(session.Stream());
  float gradients[4];
  aclrtMemcpy(gradients, 16, result.Address(), 16, ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("%g %g %g %g\n", gradients[0], gradients[1], gradients[2], gradients[3]);
  for (aclTensor *const each : tensors) aclDestroyTensor(each);
  for (const aclIntArray *const each : arrays) aclDestroyIntArray(each);
}

void ForeignFault() {
  struct sigaction action;
  std::memset(&action, 0, sizeof(action));
  action.sa_handler = [](int) { _exit(0); };
  sigaction(SIGSEGV, &action, nullptr);
  const Session session;
  // Address 8 is not device memory: the handler from before must get the fault.
  *reinterpret_cast<volatile char *>(uintptr_t{8}) = 1;
  Expect(false, "a fault elsewhere goes to the handler that was there before");
}

void ForeignFaultByDefault() {
  const Session session;
  *reinterpret_cast<volatile char *>(uintptr_t{8}) = 1;
}

void PrintProduct() {
  const Session session;
  int32_t infNan = -1;
  aclGetCannAttribute(ACL_CANN_ATTR_INF_NAN, &infNan);
  std::printf("%s %d\n", aclrtGetSocName(), infNan);
}

// Tells of all devices whether they can be set, one character each.
void PrintMemory() {
  const Session session;
  size_t free = 0;
  size_t total = 0;
  aclrtGetMemInfo(ACL_HBM_MEM, &free, &total);
  std::printf("%zu\n", total);
}

void PrintDevices() {
  aclInit(nullptr);
  uint32_t count = 99;
  aclrtGetDeviceCount(&count);
  for (int32_t device = 0; device < static_cast<int32_t>(count); ++device) {
    const aclError status = aclrtSetDevice(device);
    std::putchar(status == ACL_SUCCESS ? '+' : status == ACL_ERROR_RT_DEV_SETUP_ERROR ? 'b' : '?');
    int32_t current = -1;
    if (status != ACL_SUCCESS) continue;
    aclrtGetDevice(&current);
    Expect(current == device, "the device that was set is the current one");
    aclrtResetDevice(device);
  }
  std::putchar('\n');
  aclFinalize();
}

const std::map<std::string, void (*)()> kBehaviours = {
    {"work-runs-at-synchronise", WorkRunsAtSynchronise},
    {"default-stream", DefaultStream},
    {"repeatable-executor", RepeatableExecutor},
    {"moved-tensors", MovedTensors},
    {"captured-work", CapturedWork},
    {"threads", Threads},
    {"destroyed-executor", DestroyedExecutor},
    {"fresh-memory", FreshMemory},
    {"memory-accounting", MemoryAccounting},
    {"error-returns", ErrorReturns},
    {"recent-error-message", RecentErrorMessage},
    {"events", Events},
    {"asynchronous-copy", AsynchronousCopy},
    {"lifecycle", Lifecycle},
    {"damaged-mask", DamagedMask},
    {"print-devices", PrintDevices},
    {"print-memory", PrintMemory},
    {"tensor-getters", TensorGetters},
    {"foreign-fault", ForeignFault},
    {"foreign-fault-by-default", ForeignFaultByDefault},
    {"print-product", PrintProduct},
};

}  // namespace

int main(int argc, char **argv) {
  if (argc == 2 && kBehaviours.count(argv[1]) != 0) {
    kBehaviours.at(argv[1])();
    return 0;
  }
  for (const auto &behaviour : kBehaviours) std::puts(behaviour.first.c_str());
  return 2;
}
