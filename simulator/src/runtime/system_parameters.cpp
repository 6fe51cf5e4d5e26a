// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <mutex>

#include "acl/acl.h"
#include "runtime/error_message.h"
#include "runtime/lifecycle.h"

using namespace simulator;

namespace {

struct SystemParameters {
  std::mutex mutex;
  std::map<aclSysParamOpt, int64_t> values;
};

SystemParameters &Parameters() {
  static SystemParameters *const parameters = new SystemParameters;
  return *parameters;
}

}  // namespace

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  RequireDevice("aclrtCtxSetSysParamOpt");
  const std::lock_guard<std::mutex> lock(Parameters().mutex);
  Parameters().values[opt] = value;
  return ACL_SUCCESS;
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value) {
  RequireDevice("aclrtCtxGetSysParamOpt");
  if (value == nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM, "aclrtCtxGetSysParamOpt: null pointer");
  }
  const std::lock_guard<std::mutex> lock(Parameters().mutex);
  const auto found = Parameters().values.find(opt);
  if (found == Parameters().values.end()) {
    return Fail(ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, "aclrtCtxGetSysParamOpt: option never set");
  }
  *value = found->second;
  return ACL_SUCCESS;
}
