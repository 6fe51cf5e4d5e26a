// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_ERROR_MESSAGE_H_
#define SIMULATOR_RUNTIME_ERROR_MESSAGE_H_

#include <string>

#include "acl/acl_base.h"

#pragma GCC visibility push(default)
namespace simulator {

/// Prepends `message` to those that aclGetRecentErrMsg will return on this thread.
void AddErrorMessage(const std::string &message);

/// Calls AddErrorMessage and returns `status`: `return Fail(ACL_ERROR_INVALID_PARAM, "...")`.
aclError Fail(aclError status, const std::string &message);

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_RUNTIME_ERROR_MESSAGE_H_
