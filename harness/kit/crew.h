// SPDX-License-Identifier: Apache-2.0
/// The devices at work: one batch at a time on each; a device that cannot be used is left out.
#ifndef ACLNN_CTS_KIT_CREW_H_
#define ACLNN_CTS_KIT_CREW_H_

#include <signal.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "batch_run.h"
#include "errors.h"

namespace aclnn_cts {

/// No device is left that can be used.
class NoDeviceError : public InputError {
 public:
  using InputError::InputError;
};

class Crew {
 public:
  /// `plan` must outlive the object; `interrupted` too, and is not 0 when all is to end.
  Crew(const RunPlan &plan, const std::vector<int32_t> &devices,
       const volatile sig_atomic_t &interrupted);

  /// Runs all of these that are not done yet. `what` are they, where progress is told? Throws
  /// NoDeviceError, and InputError when the disk is full or the run was interrupted.
  void Work(const std::vector<Batch> &batches, const std::string &what);

 private:
  struct Place {
    int32_t device = 0;
    bool usable = true;
    std::unique_ptr<BatchRun> run;
  };

  void Look(Place &place);
  void Retire(Place &place);
  void Occupy(Place &place);

  const RunPlan &plan_;
  const volatile sig_atomic_t &interrupted_;
  size_t open_ = 0;
  std::deque<Batch> waiting_;
  std::deque<std::unique_ptr<BatchRun>> stranded_;
  std::vector<Place> places_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_CREW_H_
