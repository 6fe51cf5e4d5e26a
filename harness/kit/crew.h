// SPDX-License-Identifier: Apache-2.0
/// The devices at work: one batch at a time on each; a device that cannot be used is left out.
#ifndef ACLNN_CTS_KIT_CREW_H_
#define ACLNN_CTS_KIT_CREW_H_

#include <signal.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "batch_run.h"

namespace aclnn_cts {

class Crew {
 public:
  /// Takes on what is not done yet. `plan` must outlive the object.
  Crew(const RunPlan &plan, const std::vector<Batch> &batches, const std::vector<int32_t> &devices);

  /// Runs all of it. Throws InputError when no device can be used, the disk is full, or
  /// `interrupted` is no longer 0.
  void Work(const volatile sig_atomic_t &interrupted);

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
  size_t all_;
  size_t open_ = 0;
  std::deque<Batch> waiting_;
  std::deque<std::unique_ptr<BatchRun>> stranded_;
  std::vector<Place> places_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_CREW_H_
