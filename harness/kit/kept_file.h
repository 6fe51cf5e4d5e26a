// SPDX-License-Identifier: Apache-2.0
/// What a run must still know when it is started again: a file with a digest of what it holds.
///
/// A host that loses power, a full disk or a hand may leave such a file empty, cut off or changed.
/// Nothing is concluded from it then: what it would not say could be a crash.
#ifndef ACLNN_CTS_KIT_KEPT_FILE_H_
#define ACLNN_CTS_KIT_KEPT_FILE_H_

#include <string>

namespace aclnn_cts {

/// Writes the whole file or none. Throws InputError when that fails.
void WriteKept(const std::string &path, const std::string &text);

/// What WriteKept() was given. Throws InputError when the file holds anything else.
std::string ReadKept(const std::string &path);

/// Looks at each file of a folder. Throws InputError as ReadKept() does.
void CheckKept(const std::string &folder);

/// Throws InputError: this file of the run, or `wrong` of it, leaves no way but to begin anew.
[[noreturn]] void FailToGoOn(const std::string &path, const std::string &wrong);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_KEPT_FILE_H_
