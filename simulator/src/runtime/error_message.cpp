// SPDX-License-Identifier: Apache-2.0
#include "runtime/error_message.h"

#include "acl/acl.h"

namespace simulator {

namespace {

thread_local std::string pendingMessages;
thread_local std::string returnedMessages;

}  // namespace

void AddErrorMessage(const std::string &message) {
  pendingMessages = pendingMessages.empty() ? message : message + "\n" + pendingMessages;
}

aclError Fail(aclError status, const std::string &message) {
  AddErrorMessage(message);
  return status;
}

}  // namespace simulator

const char *aclGetRecentErrMsg() {
  using simulator::pendingMessages;
  using simulator::returnedMessages;
  if (pendingMessages.empty()) return nullptr;
  returnedMessages.swap(pendingMessages);
  pendingMessages.clear();
  return returnedMessages.c_str();
}
