// SPDX-License-Identifier: Apache-2.0
#ifndef FAKE_DROPOUT_H_
#define FAKE_DROPOUT_H_

namespace fake {

/// Whether aclnnDropoutBackward has run.
extern bool dropoutHasRun;

}  // namespace fake

#endif  // FAKE_DROPOUT_H_
