// SPDX-License-Identifier: Apache-2.0
/// What a kit says about itself and its host, and the archive of all that its run left.
#ifndef ACLNN_CTS_KIT_KIT_RECORD_H_
#define ACLNN_CTS_KIT_KIT_RECORD_H_

#include <string>
#include <vector>

#include "batch_run.h"

namespace aclnn_cts {

/// What run.sh found.
struct HostFacts {
  std::string toolkit;                 ///< its folder
  std::vector<std::string> branches;   ///< names below it of folders for this architecture
  std::string libraryFolder;           ///< the folder of its libraries
  std::vector<std::string> libraries;  ///< files in it that the programs may be linked with
  std::string compiler;                ///< what it says about itself
};

/// Throws InputError that names the first file which is not what was packed.
void CheckManifest(const std::string &kit);

/// Throws InputError when a library is for another architecture than this runner.
void CheckArchitecture(const HostFacts &facts);

/// Lines of JSON: the kit, the host, and the libraries with their digests.
std::string Describe(const std::string &kit, const HostFacts &facts);

/// A line of JSON: when the run was first started, by this host's clock. Kept in `work`, so that a
/// run that is taken up again began when it did. Throws InputError.
std::string StartOf(const std::string &work);

/// Writes the archive of a run whose batches are all over; the lines of `host` begin its record.
/// Throws InputError.
void PackOutputs(const RunPlan &plan, const std::vector<Batch> &batches, const std::string &host,
                 const HostFacts &facts, const std::string &archive);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_KIT_RECORD_H_
