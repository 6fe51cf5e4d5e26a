// SPDX-License-Identifier: Apache-2.0
// What reproducer.cpp needs besides the call itself: the runtime, device memory that is watched,
// and the comparison of results. It depends on CANN alone.
#ifndef REPRODUCER_H_
#define REPRODUCER_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

namespace reproducer {

using Bytes = std::vector<uint8_t>;

constexpr int64_t kGuard = 65536;  // bytes that are watched on each side of an allocation's content
constexpr uint8_t kGuardByte = 0xC3;
constexpr int kShown = 8;  // wrong elements that are printed, for each result
constexpr int32_t kTimeoutMs = 60000;

inline void Require(const std::string &call, int status) {
  if (status == 0) return;
  const char *message = aclGetRecentErrMsg();
  throw std::runtime_error(call + " returned " + std::to_string(status) +
                           (message == nullptr ? "" : std::string(": ") + message));
}

// The number of a device, from the program's arguments; 0 if there are none.
inline int32_t DeviceNumber(int count, char **arguments) {
  if (count < 2) return 0;
  const std::string text = arguments[1];
  const bool isNumber = !text.empty() && text.size() <= 9 &&
                        text.find_first_not_of("0123456789") == std::string::npos;
  if (count == 2 && isNumber) return static_cast<int32_t>(std::stol(text));
  throw std::runtime_error(std::string("usage: ") + arguments[0] +
                           " [N], where N is the number of a device; 0 if it is left out");
}

// Says what is wrong, and keeps count.
class Report {
 public:
  void Begin(const std::string &run) { run_ = run; }
  void Add(const std::string &text) {
    std::printf("%s: %s\n", run_.c_str(), text.c_str());
    ++findings_;
  }
  // Whether a status is one of those that the document allows.
  bool Accept(const std::string &call, int status, const std::vector<int> &promised) {
    if (std::find(promised.begin(), promised.end(), status) != promised.end()) return true;
    std::string text = call + " returned " + std::to_string(status) + ", promised:";
    for (const int each : promised) text += " " + std::to_string(each);
    const char *message = status == 0 ? nullptr : aclGetRecentErrMsg();
    Add(message == nullptr ? text : text + " (" + message + ")");
    return false;
  }
  // Whether a status is one of an error, which the document promises without saying which.
  bool AcceptError(const std::string &call, int status) {
    if (status != 0) return true;
    Add(call + " accepted the call (status 0), promised: any error status");
    return false;
  }
  // The exit status of the program.
  int Conclude() const {
    std::printf(findings_ == 0 ? "Every promise was kept.\n" : "%d findings.\n", findings_);
    return findings_ == 0 ? 0 : 1;
  }

 private:
  std::string run_;
  int findings_ = 0;
};

class Stream {
 public:
  Stream() { Require("aclrtCreateStream", aclrtCreateStream(&handle_)); }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  ~Stream() { (void)aclrtDestroyStream(handle_); }
  aclrtStream Handle() const { return handle_; }

 private:
  aclrtStream handle_ = nullptr;
};

// The runtime, from aclInit to aclFinalize.
class Runtime {
 public:
  Runtime() { Require("aclInit", aclInit(nullptr)); }
  Runtime(const Runtime &) = delete;
  Runtime &operator=(const Runtime &) = delete;
  ~Runtime() { (void)aclFinalize(); }
};

class Device {
 public:
  explicit Device(int32_t number) : number_(number) {
    Require("aclrtSetDevice", aclrtSetDevice(number));
    const char *soc = aclrtGetSocName();
    std::printf("Device %d is %s.\n", number, soc == nullptr ? "unknown" : soc);
  }
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
  ~Device() { (void)aclrtResetDevice(number_); }

 private:
  Runtime runtime_;  // ends behind the device, also where there is no such device
  int32_t number_;
};

class DeviceMemory {
 public:
  explicit DeviceMemory(size_t bytes) : bytes_(bytes) {
    Require("aclrtMalloc", aclrtMalloc(&start_, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  }
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;
  ~DeviceMemory() { (void)aclrtFree(start_); }
  void *At(int64_t position) const { return static_cast<uint8_t *>(start_) + position; }
  void Upload(const Bytes &bytes) {
    Require("aclrtMemcpy",
            aclrtMemcpy(start_, bytes_, bytes.data(), bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE));
  }
  Bytes Download() const {
    Bytes bytes(bytes_);
    Require("aclrtMemcpy",
            aclrtMemcpy(bytes.data(), bytes_, start_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST));
    return bytes;
  }

 private:
  void *start_ = nullptr;
  size_t bytes_;
};

// Reports bytes of [begin, end) that are not what they must be; `origin` is where counting starts.
inline void CheckBytes(Report &report, const std::string &where, const Bytes &found,
                       const Bytes &expected, int64_t begin, int64_t end, int64_t origin) {
  int64_t count = 0;
  int64_t first = 0;
  for (int64_t i = end - 1; i >= begin; --i) {
    if (found[static_cast<size_t>(i)] == expected[static_cast<size_t>(i)]) continue;
    ++count;
    first = i - origin;
  }
  if (count == 0) return;
  report.Add(std::to_string(count) + " bytes changed " + where + ", first at byte " +
             std::to_string(first));
}

// A tensor as aclCreateTensor takes it; strides, offset and storage count elements.
struct Facts {
  const char *name;
  aclDataType type;
  int64_t elementBytes;
  aclFormat format;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  int64_t offset;
  std::vector<int64_t> storage;
  int64_t slack;  // bytes that aclrtMalloc leaves behind a size rounded up to 32
};

inline int64_t Count(const std::vector<int64_t> &shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  return count;
}

// The index of an element of the view, from its place in row-major order.
inline std::vector<int64_t> IndexOf(const Facts &facts, int64_t place) {
  std::vector<int64_t> index(facts.shape.size());
  for (size_t axis = index.size(); axis-- > 0;) {
    index[axis] = place % facts.shape[axis];
    place /= facts.shape[axis];
  }
  return index;
}

enum class Access { kRead, kWrite, kNone };  // what a call may do to a tensor's elements

// A tensor in device memory, between two guards.
class Tensor {
 public:
  // `data`: the elements in row-major order; empty where there are none. The rest is poison.
  Tensor(const Facts &facts, const Bytes &data, uint8_t poison)
      : facts_(facts),
        payload_(Count(facts.storage) * facts.elementBytes),
        rear_(kGuard + (payload_ + 31) / 32 * 32 + facts.slack),
        memory_(static_cast<size_t>(rear_ + kGuard)) {
    Fill(data, poison);
    handle_ = aclCreateTensor(Dims(facts.shape), facts.shape.size(), facts.type,
                              Dims(facts.strides), facts.offset, facts.format, Dims(facts.storage),
                              facts.storage.size(), memory_.At(kGuard));
    if (handle_ == nullptr) throw std::runtime_error(std::string("no tensor ") + facts.name);
  }
  Tensor(const Tensor &) = delete;
  Tensor &operator=(const Tensor &) = delete;
  ~Tensor() { (void)aclDestroyTensor(handle_); }

  void Fill(const Bytes &data, uint8_t poison) {
    expected_.assign(static_cast<size_t>(rear_ + kGuard), kGuardByte);
    std::fill_n(expected_.begin() + kGuard, payload_, poison);
    const int64_t elements = data.empty() ? 0 : Count(facts_.shape);
    for (int64_t i = 0; i < elements; ++i) {
      std::copy_n(data.begin() + i * facts_.elementBytes, facts_.elementBytes,
                  expected_.begin() + Position(i));
    }
    memory_.Upload(expected_);
  }
  aclTensor *Handle() const { return handle_; }
  const Facts &Described() const { return facts_; }

  // The elements in row-major order.
  Bytes Elements() const {
    const Bytes found = memory_.Download();
    Bytes elements;
    for (int64_t i = 0; i < Count(facts_.shape); ++i) {
      const auto start = found.begin() + Position(i);
      elements.insert(elements.end(), start, start + facts_.elementBytes);
    }
    return elements;
  }

  // Reports what a call changed that it must not change.
  void Check(Report &report, Access access) {
    const Bytes found = memory_.Download();
    const std::string name = facts_.name;
    if (access == Access::kRead) CheckElements(report, found);
    if (access != Access::kNone) Forgive(found);
    CheckBytes(report, "before the start of " + name, found, expected_, 0, kGuard, kGuard);
    CheckBytes(report, access == Access::kNone ? "in " + name : "in the gaps of " + name, found,
               expected_, kGuard, kGuard + payload_, kGuard);
    CheckBytes(report, "behind the end of " + name, found, expected_, rear_, rear_ + kGuard, rear_);
  }

 private:
  static const int64_t *Dims(const std::vector<int64_t> &dims) {
    static const int64_t none = 0;
    return dims.empty() ? &none : dims.data();
  }
  // Where an element begins, in bytes from the start of the allocation.
  int64_t Position(int64_t place) const {
    const std::vector<int64_t> index = IndexOf(facts_, place);
    int64_t element = facts_.offset;
    for (size_t axis = 0; axis < index.size(); ++axis)
      element += index[axis] * facts_.strides[axis];
    return kGuard + element * facts_.elementBytes;
  }
  void CheckElements(Report &report, const Bytes &found) const {
    int64_t changed = 0;
    for (int64_t i = 0; i < Count(facts_.shape); ++i) {
      const int64_t start = Position(i);
      changed += std::equal(found.begin() + start, found.begin() + start + facts_.elementBytes,
                            expected_.begin() + start)
                     ? 0
                     : 1;
    }
    if (changed == 0) return;
    report.Add(std::to_string(changed) + " elements of the input " + facts_.name + " changed");
  }
  // From now on, expects the elements that were found; only what is around them can still differ.
  void Forgive(const Bytes &found) {
    for (int64_t i = 0; i < Count(facts_.shape); ++i) {
      const int64_t start = Position(i);
      std::copy_n(found.begin() + start, facts_.elementBytes, expected_.begin() + start);
    }
  }

  const Facts &facts_;
  int64_t payload_;
  int64_t rear_;  // where the guard behind begins
  DeviceMemory memory_;
  Bytes expected_;
  aclTensor *handle_ = nullptr;
};

class IntArray {
 public:
  explicit IntArray(const std::vector<int64_t> &values) {
    const int64_t none = 0;
    handle_ = aclCreateIntArray(values.empty() ? &none : values.data(), values.size());
    if (handle_ == nullptr) throw std::runtime_error("aclCreateIntArray made none");
  }
  IntArray(const IntArray &) = delete;
  IntArray &operator=(const IntArray &) = delete;
  ~IntArray() { (void)aclDestroyIntArray(handle_); }
  aclIntArray *Handle() const { return handle_; }

 private:
  aclIntArray *handle_ = nullptr;
};

// A workspace of exactly the size that phase one asked for, between two guards. One that is used
// for a further call of the same size stays as it was left.
class Workspace {
 public:
  explicit Workspace(uint8_t poison) : poison_(poison) {}
  void Provide(uint64_t bytes) {
    if (bytes == expected_.size() - 2 * kGuard) return;
    memory_.reset();
    if (bytes > uint64_t{1} << 50) throw std::runtime_error("no device has such a workspace");
    expected_.assign(static_cast<size_t>(bytes) + 2 * kGuard, kGuardByte);
    if (bytes == 0) return;
    memory_ = std::make_unique<DeviceMemory>(expected_.size());
    Fill();
  }
  void Fill() {
    if (memory_ == nullptr) return;
    std::fill(expected_.begin() + kGuard, expected_.end() - kGuard, poison_);
    memory_->Upload(expected_);
  }
  void *Address() const { return memory_ == nullptr ? nullptr : memory_->At(kGuard); }
  void Check(Report &report) const {
    if (memory_ == nullptr) return;
    const Bytes found = memory_->Download();
    const auto end = static_cast<int64_t>(expected_.size());
    CheckBytes(report, "before the start of the workspace", found, expected_, 0, kGuard, kGuard);
    CheckBytes(report, "behind the end of the workspace", found, expected_, end - kGuard, end,
               end - kGuard);
  }

 private:
  uint8_t poison_;
  Bytes expected_ = Bytes(2 * kGuard, kGuardByte);
  std::unique_ptr<DeviceMemory> memory_;
};

// The executor that phase one makes and phase two uses up.
class Executor {
 public:
  Executor() = default;
  Executor(const Executor &) = delete;
  Executor &operator=(const Executor &) = delete;
  ~Executor() {
    if (handle_ != nullptr) (void)aclDestroyAclOpExecutor(handle_);
  }
  template <typename PhaseOne>
  aclnnStatus Plan(const PhaseOne &phaseOne) {
    const aclnnStatus status = phaseOne(&workspaceBytes_, &handle_);
    if (status != 0) handle_ = nullptr;  // what a failed phase one leaves there is undefined
    return status;
  }
  template <typename PhaseTwo>
  aclnnStatus Launch(const PhaseTwo &phaseTwo, Workspace &workspace, aclrtStream stream) {
    workspace.Provide(workspaceBytes_);
    aclOpExecutor *const used = handle_;
    if (!repeatable_) handle_ = nullptr;
    return phaseTwo(workspace.Address(), workspaceBytes_, used, stream);
  }
  bool MakeRepeatable() {
    repeatable_ = aclSetAclOpExecutorRepeatable(handle_) == 0;
    return repeatable_;
  }

 private:
  uint64_t workspaceBytes_ = 0;
  aclOpExecutor *handle_ = nullptr;
  bool repeatable_ = false;
};

// Waits for a stream. When it does not end, the program does: nothing may be freed any more.
inline void Synchronize(Report &report, aclrtStream stream) {
  const aclError status = aclrtSynchronizeStreamWithTimeout(stream, kTimeoutMs);
  if (report.Accept("the stream's synchronisation", status, {0})) return;
  const int exitStatus = report.Conclude();
  std::fflush(stdout);
  std::_Exit(exitStatus);
}

// What may come back for one element: classes, and a number within a tolerance.
enum Class : unsigned { kValue = 1, kZero = 2, kPosInf = 4, kNegInf = 8, kNaN = 16, kAny = 31 };
struct Expected {
  double value;
  double tolerance;
  unsigned allowed;
};

inline bool Accepts(const Expected &expected, double found) {
  if (expected.allowed == kAny) return true;
  if (std::isnan(found)) return (expected.allowed & kNaN) != 0;
  if (std::isinf(found)) return (expected.allowed & (found > 0 ? kPosInf : kNegInf)) != 0;
  if ((expected.allowed & kZero) != 0 && found == 0) return true;
  return (expected.allowed & kValue) != 0 &&
         std::fabs(found - expected.value) <= expected.tolerance;
}

inline std::string Text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", number);
  return text;
}

inline std::string Text(const Expected &expected) {
  std::string text;
  const auto add = [&text](const std::string &part) {
    text += (text.empty() ? "" : " or ") + part;
  };
  if ((expected.allowed & kValue) != 0) {
    add(Text(expected.value) + " (tolerance " + Text(expected.tolerance) + ")");
  }
  if ((expected.allowed & kZero) != 0) add("0");
  if ((expected.allowed & kPosInf) != 0) add("+Inf");
  if ((expected.allowed & kNegInf) != 0) add("-Inf");
  if ((expected.allowed & kNaN) != 0) add("NaN");
  return text;
}

inline std::string NameOf(const Facts &facts, int64_t place) {
  std::string text;
  for (const int64_t part : IndexOf(facts, place)) {
    text += (text.empty() ? "" : ", ") + std::to_string(part);
  }
  return std::string(facts.name) + "[" + text + "]";
}

template <typename Stored>
Stored Read(const Bytes &elements, int64_t place) {
  Stored stored;
  std::memcpy(&stored, elements.data() + place * static_cast<int64_t>(sizeof stored),
              sizeof stored);
  return stored;
}

inline double WidenHalf(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? NAN : sign * HUGE_VAL;
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

inline double Number(const Facts &facts, const Bytes &elements, int64_t place) {
  switch (facts.type) {
    case ACL_FLOAT:
      return static_cast<double>(Read<float>(elements, place));
    case ACL_FLOAT16:
      return WidenHalf(Read<uint16_t>(elements, place));
    case ACL_BF16: {
      const uint32_t bits = static_cast<uint32_t>(Read<uint16_t>(elements, place)) << 16;
      float number;
      std::memcpy(&number, &bits, sizeof number);
      return static_cast<double>(number);
    }
    case ACL_DOUBLE:
      return Read<double>(elements, place);
    default:
      throw std::runtime_error("results of this data type cannot be compared");
  }
}

inline bool IsPromised(const std::vector<Expected> &expected) {
  return std::any_of(expected.begin(), expected.end(),
                     [](const Expected &each) { return each.allowed != kAny; });
}

// Reports the elements of a result that are none of what may come back.
inline void CheckValues(Report &report, const Facts &facts, const Bytes &elements,
                        const std::vector<Expected> &expected) {
  int wrong = 0;
  for (int64_t i = 0; i < Count(facts.shape); ++i) {
    const Expected &wanted = expected[static_cast<size_t>(i)];
    const double found = Number(facts, elements, i);
    if (Accepts(wanted, found) || ++wrong > kShown) continue;
    report.Add(NameOf(facts, i) + ": expected " + Text(wanted) + ", got " + Text(found));
  }
  if (wrong > kShown) {
    report.Add(std::to_string(wrong) + " elements of " + facts.name + " are wrong in all");
  }
}

// Whether an element still holds what its memory was filled with.
inline bool IsPoison(const Bytes &elements, int64_t place, int64_t bytes, uint8_t poison) {
  const auto start = elements.begin() + place * bytes;
  return std::all_of(start, start + bytes, [poison](uint8_t byte) { return byte == poison; });
}

// What fills memory before a call, so that it shows what was not written, or read too early.
struct Poison {
  uint8_t tensors;
  uint8_t workspace;
};
constexpr Poison kFirst = {0x7B, 0x6D};
constexpr Poison kLater = {0xFF, 0xFF};

struct Result {
  Bytes elements;
  uint8_t poison;
};
using Results = std::vector<Result>;  // none if the call failed

// Phase one of a call; one that fails must have left everything as it was.
template <typename Call>
bool Plan(Call &call, Report &report) {
  if (report.Accept("phase one", call.Plan(), {0})) return true;
  call.Check(report, Access::kNone);
  return false;
}

// Waits for a call that was launched, checks memory, and returns what it wrote.
template <typename Call>
Results Conclude(Call &call, aclnnStatus launched, const Workspace &workspace, Poison poison,
                 aclrtStream stream, Report &report) {
  const bool completed = report.Accept("phase two", launched, {0});
  Synchronize(report, stream);
  call.Check(report, completed ? Access::kWrite : Access::kNone);
  workspace.Check(report);
  Results results;
  if (!completed) return results;
  for (const Tensor *output : call.Outputs())
    results.push_back({output->Elements(), poison.tensors});
  return results;
}

// Reports elements that neither of two runs wrote, and a whole result that one of them left.
inline void CheckWritten(Report &report, const Facts &facts, const Result &first,
                         const Result &later) {
  const int64_t elements = Count(facts.shape);
  int64_t never = 0;
  int64_t missing = 0;
  for (int64_t i = 0; i < elements; ++i) {
    const bool before = IsPoison(first.elements, i, facts.elementBytes, first.poison);
    const bool now = IsPoison(later.elements, i, facts.elementBytes, later.poison);
    never += before && now ? 1 : 0;
    missing += now && !before ? 1 : 0;
  }
  const std::string name = facts.name;
  if (never != 0) report.Add(std::to_string(never) + " elements of " + name + " were not written");
  if (missing == elements && elements * facts.elementBytes >= 4) {
    report.Add("no element of " + name + " was written");
  }
}

// Reports results that differ although the document promises equal bits.
inline void CheckSame(Report &report, const Facts &facts, const Result &first,
                      const Result &later) {
  int64_t different = 0;
  for (int64_t i = 0; i < Count(facts.shape); ++i) {
    const int64_t at = i * facts.elementBytes;
    different +=
        std::equal(first.elements.begin() + at, first.elements.begin() + at + facts.elementBytes,
                   later.elements.begin() + at)
            ? 0
            : 1;
  }
  if (different == 0) return;
  report.Add(std::to_string(different) + " elements of " + facts.name +
             " have other bits than in the first run");
}

// What the document promises of repeated calls.
enum class Repeats { kSameBits, kRightValues };

// Holds a result against what may come back, and a later one against the first run's.
inline void CheckResult(Report &report, const Facts &facts, const std::vector<Expected> &expected,
                        const Result &first, const Result &result, Repeats repeats) {
  CheckValues(report, facts, result.elements, expected);
  if (&first == &result || !IsPromised(expected)) return;
  CheckWritten(report, facts, first, result);
  if (repeats == Repeats::kSameBits) CheckSame(report, facts, first, result);
}

// The bytes of numbers as they lie in memory.
template <typename Element>
Bytes BytesOf(const std::vector<Element> &numbers) {
  Bytes bytes(numbers.size() * sizeof(Element));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

inline void Invert(Bytes &bytes) {
  for (uint8_t &byte : bytes) byte = static_cast<uint8_t>(~byte);
}

inline Bytes ReadFile(const char *name, size_t bytes) {
  std::ifstream file(name, std::ios::binary);
  Bytes content(bytes);
  file.read(reinterpret_cast<char *>(content.data()), static_cast<std::streamsize>(bytes));
  if (file && file.peek() == std::ifstream::traits_type::eof()) return content;
  throw std::runtime_error(std::string(name) +
                           " cannot be read, or has another size; start the program in its folder");
}

// A file of expectations holds all values, then all tolerances, then all classes.
inline std::vector<Expected> ReadExpected(const char *name, size_t elements) {
  const Bytes content = ReadFile(name, elements * (2 * sizeof(double) + 1));
  std::vector<Expected> expected;
  for (size_t i = 0; i < elements; ++i) {
    const auto place = static_cast<int64_t>(i);
    const auto count = static_cast<int64_t>(elements);
    expected.push_back({Read<double>(content, place), Read<double>(content, count + place),
                        content[elements * 2 * sizeof(double) + i]});
  }
  return expected;
}

}  // namespace reproducer

#endif  // REPRODUCER_H_
