// SPDX-License-Identifier: Apache-2.0
#ifndef ACL_ACL_MDL_H_
#define ACL_ACL_MDL_H_

#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A running instance of a model: here, work of a stream that was captured.
typedef void *aclmdlRI;

typedef enum {
  ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0,
  ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL,
  ACL_MODEL_RI_CAPTURE_MODE_RELAXED,
} aclmdlRICaptureMode;

/// From here on the stream's work is captured and does not run. The default stream gives
/// ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, a stream that is captured ACL_ERROR_RT_STREAM_CAPTURED, as
/// each function that waits for it does.
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);

/// Ends the capture, in the thread that began it unless its mode is relaxed: other threads get
/// ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD. ACL_ERROR_RT_STREAM_NOT_CAPTURED without a capture.
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *modelRI);

/// Enqueues the captured work, any number of times.
ACL_FUNC_VISIBILITY aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream);
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroy(aclmdlRI modelRI);

#ifdef __cplusplus
}
#endif

#endif  // ACL_ACL_MDL_H_
