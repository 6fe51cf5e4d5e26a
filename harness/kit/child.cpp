// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "errors.h"
#include "file_reader.h"

namespace aclnn_cts {
namespace {

constexpr std::chrono::seconds kGrace{2};
constexpr size_t kWordsKept = 4000;
constexpr int kCannotExecute = 127;

// Between fork and exec: only calls that are safe there.
[[noreturn]] void Become(const std::vector<char *> &arguments, int words, pid_t runner) {
  (void)setpgid(0, 0);
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != runner) _exit(kCannotExecute);
  const int nothing = open("/dev/null", O_RDWR);
  (void)dup2(nothing, 0);
  (void)dup2(nothing, 1);
  (void)dup2(words, 2);
  (void)execv(arguments[0], arguments.data());
  static const char kText[] = "the program cannot be started\n";
  (void)!write(2, kText, sizeof kText - 1);
  _exit(kCannotExecute);
}

[[noreturn]] void FailToStart(const std::string &program) {
  throw InputError(program + ": cannot be started: " + std::strerror(errno) +
                   "; end other programs, and start run.sh again");
}

}  // namespace

Child::Child(std::vector<std::string> command, std::string events, std::chrono::seconds silence)
    : events_(std::move(events)), silence_(silence), started_(Clock::now()), lastSign_(started_) {
  std::vector<char *> arguments;
  for (std::string &each : command) arguments.push_back(&each[0]);
  arguments.push_back(nullptr);
  // Not a file, which would lose the words when the disk is full: that is when they are needed.
  int ends[2] = {-1, -1};
  const bool open = pipe2(ends, O_CLOEXEC) == 0;
  words_ = FileDescriptor(ends[0]);
  const FileDescriptor words(ends[1]);
  if (!open || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) FailToStart(command[0]);
  const pid_t runner = getpid();
  group_ = fork();
  if (group_ == 0) Become(arguments, words.Number(), runner);
  if (group_ < 0) FailToStart(command[0]);
  // Also here: whoever comes first, a signal to the group finds one.
  (void)setpgid(group_, group_);
}

Child::~Child() {
  if (group_ < 0) return;
  (void)kill(-group_, SIGKILL);
  (void)waitpid(group_, nullptr, 0);
}

bool Child::Poll() {
  int status = 0;
  const Clock::time_point now = Clock::now();
  Listen();
  if (waitpid(group_, &status, WNOHANG) != group_) {
    Watch(now);
    return false;
  }
  // What it may have started must not disturb the next process on the device.
  (void)kill(-group_, SIGKILL);
  group_ = -1;
  ended_.seconds = std::chrono::duration<double>(now - started_).count();
  Reaped(status);
  return true;
}

// Takes what is there, so that the program never waits for long, and keeps the end of it.
void Child::Listen() {
  char piece[4096];
  ssize_t count = 0;
  while ((count = read(words_.Number(), piece, sizeof piece)) > 0) {
    ended_.words.append(piece, static_cast<size_t>(count));
    if (ended_.words.size() > kWordsKept) {
      ended_.words.erase(0, ended_.words.size() - kWordsKept);
    }
  }
}

void Child::Watch(Clock::time_point now) {
  const int64_t recorded = SizeOf(events_);
  if (recorded != recorded_ && !ended_.timedOut) {
    recorded_ = recorded;
    lastSign_ = now;
  }
  if (now - lastSign_ <= silence_) return;
  (void)kill(-group_, now - lastSign_ > silence_ + kGrace ? SIGKILL : SIGTERM);
  ended_.timedOut = true;
}

void Child::Reaped(int status) {
  ended_.exitCode = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  Listen();
}

}  // namespace aclnn_cts
