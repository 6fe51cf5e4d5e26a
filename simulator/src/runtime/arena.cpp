// SPDX-License-Identifier: Apache-2.0
#include "runtime/arena.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "runtime/misuse.h"

namespace simulator {

namespace {

constexpr size_t kArenaBytes = size_t{16} << 30;
constexpr size_t kLeastBytes = 4096;

// Size of the device's memory: ACLNN_SIM_MEMORY, or all.
size_t ReadSize() {
  const char *text = std::getenv("ACLNN_SIM_MEMORY");
  if (text == nullptr) return kArenaBytes;
  char *end = nullptr;
  const unsigned long long size = std::strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || size < kLeastBytes || size > kArenaBytes) {
    Misuse("ACLNN_SIM_MEMORY is '{}'; use a number of bytes from {} to {}", text, kLeastBytes,
           kArenaBytes);
  }
  return static_cast<size_t>(size);
}

// State of the fault handler; constant after it is installed.
uintptr_t arenaBegin = 0;
struct sigaction previousAction;

// Only async-signal-safe calls here: no allocation, no stdio.
void WriteText(const char *text, size_t length) {
  while (length > 0) {
    const ssize_t written = write(STDERR_FILENO, text, length);
    if (written <= 0) return;
    text += written;
    length -= static_cast<size_t>(written);
  }
}

void WriteHexadecimal(uintptr_t value) {
  char digits[2 + 2 * sizeof(value)];
  size_t first = sizeof(digits);
  do {
    digits[--first] = "0123456789abcdef"[value % 16];
    value /= 16;
  } while (value != 0);
  digits[--first] = 'x';
  digits[--first] = '0';
  WriteText(digits + first, sizeof(digits) - first);
}

void EndProgramForHostAccess(uintptr_t address) {
  const char before[] = "simulator: host code touched device memory at ";
  const char after[] = "; copy between host and device with aclrtMemcpy\n";
  WriteText(before, sizeof(before) - 1);
  WriteHexadecimal(address);
  WriteText(after, sizeof(after) - 1);
  abort();
}

void ForwardFault(int signalNumber, siginfo_t *info, void *context) {
  if ((previousAction.sa_flags & SA_SIGINFO) != 0) {
    previousAction.sa_sigaction(signalNumber, info, context);
  } else if (previousAction.sa_handler != SIG_DFL && previousAction.sa_handler != SIG_IGN) {
    previousAction.sa_handler(signalNumber);
  } else {
    // Restore the default; the faulting instruction runs again and ends the process.
    signal(SIGSEGV, SIG_DFL);
  }
}

void OnFault(int signalNumber, siginfo_t *info, void *context) {
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  if (address - arenaBegin < kArenaBytes) EndProgramForHostAccess(address);
  ForwardFault(signalNumber, info, context);
}

void InstallFaultHandler() {
  struct sigaction action;
  std::memset(&action, 0, sizeof(action));
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previousAction);
}

void *Map(int file, int protection) {
  void *const address = mmap(nullptr, kArenaBytes, protection, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (address == MAP_FAILED) {
    Misuse(
        "cannot reserve {} bytes of address space for device memory ({}); raise the limit with "
        "ulimit -v",
        kArenaBytes, std::strerror(errno));
  }
  return address;
}

// A raw system call, because glibc has a function for it only since 2.27.
int CreateSparseFile() {
  const int file = static_cast<int>(syscall(SYS_memfd_create, "simulated-device", 1U));
  if (file < 0 || ftruncate(file, static_cast<off_t>(kArenaBytes)) != 0) {
    Misuse(
        "cannot create device memory ({}); the simulator needs memfd_create, Linux 3.17 or newer",
        std::strerror(errno));
  }
  return file;
}

}  // namespace

Arena &Arena::Instance() {
  static Arena *const arena = new Arena;
  return *arena;
}

Arena::Arena() {
  const int file = CreateSparseFile();
  device_ = reinterpret_cast<uintptr_t>(Map(file, PROT_NONE));
  window_ = static_cast<char *>(Map(file, PROT_READ | PROT_WRITE));
  close(file);
  arenaBegin = device_;
  InstallFaultHandler();
}

size_t Arena::Size() const {
  static const size_t size = ReadSize();
  return size;
}

bool Arena::Contains(const void *device) const {
  return reinterpret_cast<uintptr_t>(device) - device_ < kArenaBytes;
}

void *Arena::DeviceAddress(size_t offset) const {
  return reinterpret_cast<void *>(device_ + offset);
}

size_t Arena::Offset(const void *device) const {
  return reinterpret_cast<uintptr_t>(device) - device_;
}

char *Arena::Window(const void *device) const { return window_ + Offset(device); }

}  // namespace simulator
