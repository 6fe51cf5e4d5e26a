// SPDX-License-Identifier: Apache-2.0
#ifndef ACL_ACL_H_
#define ACL_ACL_H_

#include "acl/acl_base.h"
#include "acl/acl_mdl.h"
#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Starts the runtime; `configPath` is accepted and ignored. A second call without aclFinalize in
/// between returns ACL_ERROR_REPEAT_INITIALIZE, which may be ignored.
ACL_FUNC_VISIBILITY aclError aclInit(const char *configPath);

/// Ends the runtime. Every handle and every piece of memory must have been released before.
/// A second call returns ACL_ERROR_REPEAT_FINALIZE.
ACL_FUNC_VISIBILITY aclError aclFinalize();

/// The version of the runtime interface that the simulator stands in for.
ACL_FUNC_VISIBILITY aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion,
                                             int32_t *patchVersion);

/// Writes the simulator's version, at most 128 bytes with the terminating zero, to `versionStr`.
/// `pkgName` is accepted and ignored.
ACL_FUNC_VISIBILITY aclError aclsysGetVersionStr(char *pkgName, char *versionStr);

/// Returns and clears the messages of the calls that failed on this thread, newest first; null when
/// there is none. The pointer stays valid until the next call on this thread.
ACL_FUNC_VISIBILITY const char *aclGetRecentErrMsg();

#ifdef __cplusplus
}
#endif

#endif  // ACL_ACL_H_
