// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "acl/acl.h"
#include "runtime/error_message.h"
#include "runtime/lifecycle.h"
#include "runtime/product.h"

using namespace simulator;

const char *aclrtGetSocName() {
  RequireInitialised("aclrtGetSocName");
  return SocName();
}

aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t *value) {
  RequireInitialised("aclGetCannAttribute");
  if (value == nullptr) return Fail(ACL_ERROR_INVALID_PARAM, "aclGetCannAttribute: null pointer");
  switch (cannAttr) {
    case ACL_CANN_ATTR_INF_NAN:
      *value = HasInfNan(CurrentProduct()) ? 1 : 0;
      return ACL_SUCCESS;
    case ACL_CANN_ATTR_BF16:
      *value = HasBfloat16(CurrentProduct()) ? 1 : 0;
      return ACL_SUCCESS;
    case ACL_CANN_ATTR_JIT_COMPILE:
      *value = 0;
      return ACL_SUCCESS;
    default:
      return Fail(ACL_ERROR_INVALID_PARAM, "aclGetCannAttribute: unknown attribute");
  }
}

aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion) {
  if (majorVersion == nullptr || minorVersion == nullptr || patchVersion == nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM, "aclrtGetVersion: null pointer");
  }
  *majorVersion = 1;
  *minorVersion = 12;
  *patchVersion = 0;
  return ACL_SUCCESS;
}

aclError aclsysGetVersionStr(char *, char *versionStr) {
  if (versionStr == nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM, "aclsysGetVersionStr: null pointer");
  }
  std::strcpy(versionStr, "aclnn-cts simulator");
  return ACL_SUCCESS;
}
