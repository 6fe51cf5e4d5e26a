// SPDX-License-Identifier: Apache-2.0
/// The bond of a program to the process that watches it.
#ifndef ACLNN_CTS_RUNNER_BOND_H_
#define ACLNN_CTS_RUNNER_BOND_H_

namespace aclnn_cts {

/// Ends this process when the one that ACLNN_CTS_RUNNER_PID names does, however that ends: nobody
/// would end a program that hangs then, and it would hold its device. Without that variable the
/// program is on its own, as when a person starts it.
///
/// Returns false when that process has ended already, or is not this one's parent.
bool BindToRunner();

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_RUNNER_BOND_H_
