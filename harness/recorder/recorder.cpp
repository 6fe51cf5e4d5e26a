// SPDX-License-Identifier: Apache-2.0
#include "recorder.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace aclnn_cts {
namespace {

/// Names the folder of the recording. Without it, calls are only passed on.
constexpr const char *kFolder = "ACLNN_CTS_RECORDING";
/// Names the libraries whose functions are called, separated by colons, in the order of the search.
constexpr const char *kLibraries = "ACLNN_CTS_RECORDED_LIBRARIES";
/// The number of distinct calls that are kept of an operator.
constexpr const char *kMostCalls = "ACLNN_CTS_MOST_RECORDED";

// Counters, one for each distinct call, after those of calls that are not kept.
constexpr uint32_t kBeyondLimit = 0;  // of operators that have many distinct calls
constexpr uint32_t kFailed = 1;       // memory or the disk was full
constexpr uint32_t kFirstCall = 2;
constexpr uint32_t kCounters = 1 << 16;

const std::vector<void *> &Libraries() {
  static const std::vector<void *> libraries = [] {
    std::vector<void *> opened;
    const char *names = std::getenv(kLibraries);
    std::istringstream rest(names == nullptr ? "" : names);
    for (std::string name; std::getline(rest, name, ':');) {
      void *library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
      if (library == nullptr) std::fprintf(stderr, "aclnn-cts record: %s\n", dlerror());
      if (library != nullptr) opened.push_back(library);
    }
    return opened;
  }();
  return libraries;
}

/// The function of that name in the first library that has it; null if none has.
void *FindFunction(const char *name) {
  for (void *library : Libraries()) {
    if (void *function = dlsym(library, name); function != nullptr) return function;
  }
  return nullptr;
}

void Append(std::string &text, int64_t number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

void Append(std::string &text, double number) {
  if (std::isnan(number)) {
    text += "NaN";
  } else if (std::isinf(number)) {
    text += number < 0 ? "-Infinity" : "Infinity";
  } else {
    std::array<char, 32> digits;
    text.append(digits.data(), std::snprintf(digits.data(), digits.size(), "%.17g", number));
  }
}

/// Appends an array, whose elements a function appends by their place.
template <typename AppendElement>
void AppendEach(std::string &text, size_t size, AppendElement append) {
  text += '[';
  for (size_t k = 0; k < size; ++k) {
    if (k > 0) text += ',';
    append(k);
  }
  text += ']';
}

template <typename Numbers>
void AppendAll(std::string &text, const Numbers &numbers, size_t size) {
  AppendEach(text, size, [&](size_t k) { Append(text, static_cast<int64_t>(numbers[k])); });
}

/// The bytes of a scalar of a type; 0 for a type that scalars do not have.
size_t SizeOf(aclDataType type) {
  switch (type) {
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
      return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
      return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
      return 4;
    case ACL_DOUBLE:
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_COMPLEX64:
      return 8;
    default:
      return 0;
  }
}

/// The values of scalars, arrays and lists, which no function tells.
class Objects {
 public:
  static Objects &Get() {
    static auto *objects = new Objects;  // threads may call while the process ends
    return *objects;
  }

  /// Remembers an object's value, which a function appends to a text.
  template <typename Function>
  void Remember(const void *object, Function append) noexcept {
    if (object == nullptr) return;
    try {
      std::string value;
      append(value);
      const std::lock_guard lock(mutex_);
      values_.insert_or_assign(object, std::move(value));
    } catch (const std::exception &) {
      Forget(object);  // it is then noted as one without a value
    }
  }

  void Forget(const void *object) noexcept {
    const std::lock_guard lock(mutex_);
    values_.erase(object);
  }

  /// Appends an object's value; null if another library made it.
  void AppendTo(std::string &text, const void *object) {
    const std::lock_guard lock(mutex_);
    const auto value = values_.find(object);
    text += value == values_.end() ? "null" : value->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const void *, std::string> values_;
};

/// The files of this process: a line for each distinct call, and a counter for each line. Both are
/// complete at any time, so that a killed process loses nothing.
class Recording {
 public:
  /// The one of this process; null if nothing is recorded. A forked process has its own.
  static Recording *Get() noexcept {
    static const char *folder = std::getenv(kFolder);
    if (folder == nullptr) return nullptr;
    Recording *recording = current_.load(std::memory_order_acquire);
    if (recording == nullptr) recording = Open(folder);
    return recording != nullptr && recording->counters_ != nullptr ? recording : nullptr;
  }

  void Count(const std::string &operator_name, const std::string &call) noexcept {
    uint32_t counter = kFailed;
    try {
      counter = CounterOf(operator_name, call);
    } catch (const std::exception &) {
      counter = kFailed;
    }
    counters_[counter].fetch_add(1, std::memory_order_relaxed);
  }

  void CountFailed() noexcept { counters_[kFailed].fetch_add(1, std::memory_order_relaxed); }

 private:
  using Counter = std::atomic<uint64_t>;
  static_assert(sizeof(Counter) == sizeof(uint64_t) && Counter::is_always_lock_free);

  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::string, uint32_t> counters;
  };

  explicit Recording(const std::string &folder) {
    const char *most = std::getenv(kMostCalls);
    if (most != nullptr) most_calls_ = static_cast<uint32_t>(std::strtoul(most, nullptr, 10));
    const std::string name = folder + "/" + std::to_string(getpid());
    const std::string lines = name + ".calls";
    const std::string counts = name + ".counts";
    lines_ = open(lines.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    const int file = open(counts.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    constexpr size_t kBytes = kCounters * sizeof(Counter);
    void *memory = MAP_FAILED;
    // Space that is not there would end the process when it is written to.
    if (lines_ >= 0 && file >= 0 && posix_fallocate(file, 0, kBytes) == 0) {
      memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (file >= 0) close(file);
    if (memory == MAP_FAILED) {
      std::fprintf(stderr, "aclnn-cts record: %s cannot be written; calls are not recorded\n",
                   lines.c_str());
      unlink(lines.c_str());
      unlink(counts.c_str());
      return;
    }
    counters_ = static_cast<Counter *>(memory);
  }

  static Recording *Open(const char *folder) noexcept {
    static std::mutex opening;
    const std::lock_guard lock(opening);
    Recording *recording = current_.load(std::memory_order_acquire);
    if (recording != nullptr) return recording;
    static const int handler = pthread_atfork(
        [] { opening.lock(); }, [] { opening.unlock(); },
        // Another thread of the parent may hold a lock of its recording, which this process leaves.
        [] {
          current_.store(nullptr, std::memory_order_release);
          opening.unlock();
        });
    if (handler != 0) return nullptr;
    try {
      recording = new Recording(folder);
    } catch (const std::exception &) {
      return nullptr;
    }
    current_.store(recording, std::memory_order_release);
    return recording;
  }

  uint32_t CounterOf(const std::string &operator_name, const std::string &call) {
    Shard &shard = shards_[std::hash<std::string>()(call) % shards_.size()];
    const std::lock_guard lock(shard.mutex);
    const auto known = shard.counters.find(call);
    if (known != shard.counters.end()) return known->second;
    const uint32_t counter = Begin(operator_name, call);
    // Calls beyond the limit are not kept in memory either.
    if (counter >= kFirstCall) shard.counters.emplace(call, counter);
    return counter;
  }

  /// Writes the line of a call that is new.
  uint32_t Begin(const std::string &operator_name, const std::string &call) {
    const std::lock_guard lock(beginning_);
    if (next_ == kCounters || calls_[operator_name] == most_calls_) return kBeyondLimit;
    std::string line = "{\"counter\":";
    Append(line, static_cast<int64_t>(next_));
    line += ',';
    line.append(call, 1);
    line += '\n';
    if (write(lines_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
      return kFailed;
    ++calls_[operator_name];
    return next_++;
  }

  static std::atomic<Recording *> current_;

  int lines_ = -1;
  Counter *counters_ = nullptr;  // null if the files cannot be written
  std::array<Shard, 64> shards_;
  std::mutex beginning_;
  uint32_t next_ = kFirstCall;
  uint32_t most_calls_ = 1000;
  std::unordered_map<std::string, uint32_t> calls_;
};

std::atomic<Recording *> Recording::current_{nullptr};

/// The call that this thread is making.
struct Thread {
  int depth = 0;
  std::string operator_name;
  std::string text;
  std::vector<std::pair<void *, const char *>> memories;  // of its tensors so far, with their names
};

Thread &Current() {
  static thread_local Thread thread;
  return thread;
}

/// The numbers of a getter that allocates them.
template <typename Getter>
void AppendNumbers(std::string &text, Getter *getter, const aclTensor *tensor) {
  int64_t *numbers = nullptr;
  uint64_t size = 0;
  const aclnnStatus status = getter(tensor, &numbers, &size);
  const std::unique_ptr<int64_t[]> owned(numbers);
  AppendAll(text, numbers, status == 0 ? size : 0);
}

/// The name of an earlier tensor of the call in the same memory; null if there is none.
const char *FindOwner(const char *name, const aclTensor *tensor) {
  using GetAddress = aclnnStatus(const aclTensor *, void **);
  static GetAddress *const get_address =
      reinterpret_cast<GetAddress *>(FindFunction("aclGetRawTensorAddr"));
  void *address = nullptr;
  if (tensor == nullptr || get_address == nullptr || get_address(tensor, &address) != 0 ||
      address == nullptr) {
    return nullptr;
  }
  for (const auto &[memory, owner] : Current().memories) {
    if (memory == address) return owner;
  }
  Current().memories.emplace_back(address, name);
  return nullptr;
}

void AppendTensor(std::string &text, const aclTensor *tensor, const char *owner = nullptr) {
  if (tensor == nullptr) {
    text += "null";
    return;
  }
  static const auto get_type = Next<decltype(aclGetDataType)>("aclGetDataType");
  static const auto get_format = Next<decltype(aclGetFormat)>("aclGetFormat");
  static const auto get_offset = Next<decltype(aclGetViewOffset)>("aclGetViewOffset");
  static const auto get_shape = Next<decltype(aclGetViewShape)>("aclGetViewShape");
  static const auto get_strides = Next<decltype(aclGetViewStrides)>("aclGetViewStrides");
  static const auto get_storage = Next<decltype(aclGetStorageShape)>("aclGetStorageShape");
  aclDataType type = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_ND;
  int64_t offset = 0;
  get_type(tensor, &type);
  get_format(tensor, &format);
  get_offset(tensor, &offset);
  text += '{';
  if (owner != nullptr) {
    text += "\"memory_of\":\"";
    text += owner;
    text += "\",";
  }
  text += "\"dtype\":";
  Append(text, static_cast<int64_t>(type));
  text += ",\"format\":";
  Append(text, static_cast<int64_t>(format));
  text += ",\"offset\":";
  Append(text, offset);
  text += ",\"shape\":";
  AppendNumbers(text, get_shape, tensor);
  text += ",\"strides\":";
  AppendNumbers(text, get_strides, tensor);
  text += ",\"storage\":";
  AppendNumbers(text, get_storage, tensor);
  text += '}';
}

/// Whether a text is a word of an interface. Others, such as names of files or people, are not
/// kept.
bool IsWord(std::string_view text) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return text.size() <= 32 && text.find_first_not_of(kLetters) == text.npos;
}

}  // namespace

void *NextFunction(const char *name) noexcept {
  if (void *function = FindFunction(name); function != nullptr) return function;
  std::fprintf(stderr, "aclnn-cts record: no library has %s\n", name);
  std::abort();
}

RecordedCall::RecordedCall(const char *operator_name) noexcept {
  Thread &thread = Current();
  is_noted_ = thread.depth++ == 0 && Recording::Get() != nullptr;
  if (!is_noted_) return;
  try {
    thread.operator_name = operator_name;
    thread.memories.clear();
    thread.text = "{\"operator\":\"";
    thread.text += operator_name;
    thread.text += "\",\"arguments\":{";
  } catch (const std::exception &) {
    is_noted_ = false;
    Recording::Get()->CountFailed();
  }
}

RecordedCall::~RecordedCall() { --Current().depth; }

namespace {

/// Appends one argument by a function that takes the text.
template <typename Function>
void NoteArgument(bool &is_noted, const char *name, Function append) noexcept {
  if (!is_noted) return;
  try {
    std::string &text = Current().text;
    if (text.back() != '{') text += ',';
    text += '"';
    text += name;
    text += "\":";
    append(text);
  } catch (const std::exception &) {
    is_noted = false;
    Recording::Get()->CountFailed();
  }
}

}  // namespace

void RecordedCall::Note(const char *name, const aclTensor *tensor) noexcept {
  NoteArgument(is_noted_, name,
               [=](std::string &text) { AppendTensor(text, tensor, FindOwner(name, tensor)); });
}

void RecordedCall::NoteObject(const char *name, const void *object) noexcept {
  NoteArgument(is_noted_, name, [object](std::string &text) {
    if (object == nullptr) {
      text += "null";
      return;
    }
    text += "{\"value\":";
    Objects::Get().AppendTo(text, object);
    text += '}';
  });
}

void RecordedCall::Note(const char *name, const aclTensorList *list) noexcept {
  NoteObject(name, list);
}
void RecordedCall::Note(const char *name, const aclScalar *scalar) noexcept {
  NoteObject(name, scalar);
}
void RecordedCall::Note(const char *name, const aclScalarList *list) noexcept {
  NoteObject(name, list);
}
void RecordedCall::Note(const char *name, const aclIntArray *array) noexcept {
  NoteObject(name, array);
}
void RecordedCall::Note(const char *name, const aclBoolArray *array) noexcept {
  NoteObject(name, array);
}

void RecordedCall::Note(const char *name, const char *word) noexcept {
  NoteArgument(is_noted_, name, [word](std::string &text) {
    if (word == nullptr) {
      text += "null";
    } else {
      text += '"';
      text += IsWord(word) ? word : "?";
      text += '"';
    }
  });
}

void RecordedCall::NoteNumber(const char *name, double value) noexcept {
  NoteArgument(is_noted_, name, [value](std::string &text) { Append(text, value); });
}

void RecordedCall::NoteNumber(const char *name, int64_t value) noexcept {
  NoteArgument(is_noted_, name, [value](std::string &text) { Append(text, value); });
}

void RecordedCall::End(aclnnStatus status) noexcept {
  if (!is_noted_) return;
  Recording *recording = Recording::Get();
  Thread &thread = Current();
  try {
    thread.text += "},\"status\":";
    Append(thread.text, static_cast<int64_t>(status));
    thread.text += '}';
  } catch (const std::exception &) {
    recording->CountFailed();
    return;
  }
  recording->Count(thread.operator_name, thread.text);
}

namespace {

template <typename Array, typename Value>
Array *CreateArray(Array *(*next)(const Value *, uint64_t), const Value *value, uint64_t size) {
  Array *array = next(value, size);
  Objects::Get().Remember(array, [=](std::string &text) { AppendAll(text, value, size); });
  return array;
}

template <typename Object>
aclnnStatus Destroy(aclnnStatus (*next)(const Object *), const Object *object) {
  Objects::Get().Forget(object);
  return next(object);
}

}  // namespace

}  // namespace aclnn_cts

// Scalars, arrays and lists do not tell what they hold, so their makers note it.

extern "C" aclScalar *aclCreateScalar(void *value, aclDataType dataType) {
  static const auto next = aclnn_cts::Next<decltype(aclCreateScalar)>("aclCreateScalar");
  aclScalar *scalar = next(value, dataType);
  aclnn_cts::Objects::Get().Remember(scalar, [=](std::string &text) {
    text = "{\"dtype\":";
    aclnn_cts::Append(text, static_cast<int64_t>(dataType));
    text += ",\"bytes\":";
    aclnn_cts::AppendAll(text, static_cast<const unsigned char *>(value),
                         aclnn_cts::SizeOf(dataType));
    text += '}';
  });
  return scalar;
}

extern "C" aclnnStatus aclDestroyScalar(const aclScalar *scalar) {
  static const auto next = aclnn_cts::Next<decltype(aclDestroyScalar)>("aclDestroyScalar");
  return aclnn_cts::Destroy(next, scalar);
}

extern "C" aclScalarList *aclCreateScalarList(const aclScalar *const *value, uint64_t size) {
  static const auto next = aclnn_cts::Next<decltype(aclCreateScalarList)>("aclCreateScalarList");
  aclScalarList *list = next(value, size);
  aclnn_cts::Objects::Get().Remember(list, [=](std::string &text) {
    aclnn_cts::AppendEach(text, size,
                          [&](size_t k) { aclnn_cts::Objects::Get().AppendTo(text, value[k]); });
  });
  return list;
}

extern "C" aclnnStatus aclDestroyScalarList(const aclScalarList *list) {
  static const auto next = aclnn_cts::Next<decltype(aclDestroyScalarList)>("aclDestroyScalarList");
  return aclnn_cts::Destroy(next, list);
}

extern "C" aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size) {
  static const auto next = aclnn_cts::Next<decltype(aclCreateIntArray)>("aclCreateIntArray");
  return aclnn_cts::CreateArray(next, value, size);
}

extern "C" aclnnStatus aclDestroyIntArray(const aclIntArray *array) {
  static const auto next = aclnn_cts::Next<decltype(aclDestroyIntArray)>("aclDestroyIntArray");
  return aclnn_cts::Destroy(next, array);
}

extern "C" aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size) {
  static const auto next = aclnn_cts::Next<decltype(aclCreateTensorList)>("aclCreateTensorList");
  aclTensorList *list = next(value, size);
  aclnn_cts::Objects::Get().Remember(list, [=](std::string &text) {
    aclnn_cts::AppendEach(text, size, [&](size_t k) { aclnn_cts::AppendTensor(text, value[k]); });
  });
  return list;
}

extern "C" aclnnStatus aclDestroyTensorList(const aclTensorList *list) {
  static const auto next = aclnn_cts::Next<decltype(aclDestroyTensorList)>("aclDestroyTensorList");
  return aclnn_cts::Destroy(next, list);
}

extern "C" aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size) {
  static const auto next = aclnn_cts::Next<decltype(aclCreateBoolArray)>("aclCreateBoolArray");
  return aclnn_cts::CreateArray(next, value, size);
}

extern "C" aclnnStatus aclDestroyBoolArray(const aclBoolArray *array) {
  static const auto next = aclnn_cts::Next<decltype(aclDestroyBoolArray)>("aclDestroyBoolArray");
  return aclnn_cts::Destroy(next, array);
}
