// SPDX-License-Identifier: Apache-2.0
#include "crew.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace aclnn_cts {
namespace {

constexpr useconds_t kPollMicroseconds = 20000;

}  // namespace

Crew::Crew(const RunPlan &plan, const std::vector<int32_t> &devices,
           const volatile sig_atomic_t &interrupted)
    : plan_(plan), interrupted_(interrupted), places_(devices.size()) {
  for (size_t i = 0; i < devices.size(); ++i) places_[i].device = devices[i];
}

void Crew::Work(const std::vector<Batch> &batches, const std::string &what) {
  for (const Batch &batch : batches) {
    if (!IsDone(plan_, batch)) waiting_.push_back(batch);
  }
  open_ = waiting_.size();
  while (open_ > 0) {
    const size_t before = open_;
    for (Place &place : places_) {
      if (place.run != nullptr) Look(place);
      if (place.run == nullptr && place.usable) Occupy(place);
    }
    if (open_ != before) {
      std::printf("%zu of %zu %s\n", batches.size() - open_, batches.size(), what.c_str());
      (void)std::fflush(stdout);
    }
    if (interrupted_ != 0) throw InputError("interrupted; start run.sh again to go on");
    (void)usleep(kPollMicroseconds);
  }
}

void Crew::Look(Place &place) {
  const BatchRun::State state = place.run->Poll();
  if (state == BatchRun::State::kDeviceRefused) Retire(place);
  if (state != BatchRun::State::kOver) return;
  place.run.reset();
  --open_;
}

// Leaves what its batch has left to the other devices.
void Crew::Retire(Place &place) {
  place.usable = false;
  const std::string refusal = place.run->Refusal();
  stranded_.push_back(std::move(place.run));
  if (std::none_of(places_.begin(), places_.end(), [](const Place &each) { return each.usable; })) {
    throw NoDeviceError(refusal + "; then start run.sh again");
  }
  std::fprintf(stderr, "%s; going on without it\n", refusal.c_str());
}

void Crew::Occupy(Place &place) {
  if (!stranded_.empty()) {
    place.run = std::move(stranded_.front());
    stranded_.pop_front();
    place.run->MoveTo(place.device);
  } else if (!waiting_.empty()) {
    place.run = std::make_unique<BatchRun>(plan_, waiting_.front(), place.device);
    waiting_.pop_front();
  }
}

}  // namespace aclnn_cts
