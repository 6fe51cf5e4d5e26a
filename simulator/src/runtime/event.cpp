// SPDX-License-Identifier: Apache-2.0
#include <time.h>

#include <chrono>
#include <memory>

#include "acl/acl.h"
#include "runtime/error_message.h"
#include "runtime/handle_table.h"
#include "runtime/lifecycle.h"
#include "runtime/stream.h"

namespace simulator {

namespace {

struct Event {
  bool passed = false;
  std::chrono::nanoseconds time{};
};

// The time of the device: the process's CPU time, so that other processes on the host do not make
// the device look slow.
std::chrono::nanoseconds DeviceTime() {
  timespec time = {};
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

HandleTable &Events() {
  static HandleTable *const table = new HandleTable("event", "call aclrtDestroyEvent for each",
                                                    "create an event with aclrtCreateEvent");
  return *table;
}

}  // namespace

}  // namespace simulator

using namespace simulator;

aclError aclrtCreateEvent(aclrtEvent *event) {
  RequireDevice("aclrtCreateEvent");
  if (event == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtCreateEvent: null pointer");
  // The handle points to a shared pointer, so that enqueued work keeps a destroyed event alive.
  const auto created = std::make_shared<std::shared_ptr<Event>>(std::make_shared<Event>());
  Events().Add(created);
  *event = created.get();
  return ACL_SUCCESS;
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  RequireDevice("aclrtDestroyEvent");
  if (event == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtDestroyEvent: null pointer");
  Events().Retire(event, "aclrtDestroyEvent", "destroyed");
  return ACL_SUCCESS;
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  RequireDevice("aclrtRecordEvent");
  if (event == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "aclrtRecordEvent: null pointer");
  Events().Require(event, "aclrtRecordEvent");
  const std::shared_ptr<Event> recorded = *static_cast<std::shared_ptr<Event> *>(event);
  recorded->passed = false;
  FindStream(stream, "aclrtRecordEvent").Enqueue([recorded] {
    recorded->time = DeviceTime();
    recorded->passed = true;
  });
  return ACL_SUCCESS;
}

aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent) {
  RequireDevice("aclrtEventElapsedTime");
  if (ms == nullptr || startEvent == nullptr || endEvent == nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM, "aclrtEventElapsedTime: null pointer");
  }
  Events().Require(startEvent, "aclrtEventElapsedTime");
  Events().Require(endEvent, "aclrtEventElapsedTime");
  const Event &start = **static_cast<std::shared_ptr<Event> *>(startEvent);
  const Event &end = **static_cast<std::shared_ptr<Event> *>(endEvent);
  if (!start.passed || !end.passed) {
    return Fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                "aclrtEventElapsedTime: an event has not been recorded and synchronised");
  }
  *ms = std::chrono::duration<float, std::milli>(end.time - start.time).count();
  return ACL_SUCCESS;
}
