// SPDX-License-Identifier: Apache-2.0
/// The device memory of the tensors of one run.
#ifndef ACLNN_CTS_CASE_MEMORY_H_
#define ACLNN_CTS_CASE_MEMORY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "aclnn_cts/case.h"
#include "device_memory.h"
#include "input_data.h"

namespace aclnn_cts {

/// What memory is filled with before a call.
struct Filling {
  const InputData &data;  ///< of the inputs; must outlive the memory
  Alteration alteration;  ///< of the data
  Content poison;         ///< of outputs and gaps
  Content scratch;        ///< of memory that a producer fills later, or that takes its output
};

/// The memory of a list of tensors, in their order; nullptr for those that have none of their own.
using TensorMemories = std::vector<std::unique_ptr<TensorMemory>>;

/// Allocates and fills the memory of a call's tensors, which must outlive it. Throws RuntimeError,
/// and InputError when the data cannot be read.
TensorMemories Allocate(const Parameters &parameters, const Margins &margins,
                        const Filling &filling);

/// The memory of the tensor of that name, which must have some.
TensorMemory &FindMemory(const Parameters &parameters, const TensorMemories &memories,
                         const std::string &name);

/// The memory of a case's own tensors, and of its producer's. What fills it throws as Allocate.
class CaseMemory {
 public:
  /// `described` must outlive the object.
  CaseMemory(const Case &described, const Filling &filling);

  /// Fills all of it again, at the same addresses.
  void Refill(const Filling &filling);
  /// Fills the inputs that have data again.
  void RefillInputs(const Filling &filling);

  /// Gives the inputs what those of another memory of the case hold, behind the work that waits in
  /// the stream, and expects it from now on. Throws RuntimeError.
  void CopyInputs(const CaseMemory &from, aclrtStream stream) const;

  /// The memory of a tensor of the measured call. A dense tensor from the producer has the
  /// producer's; one with strides, an offset or a larger storage has its own.
  TensorMemory &Measured(const TensorFacts &facts) const;
  /// The memory of a tensor of the producer's call.
  TensorMemory &Produced(const TensorFacts &facts) const;

  /// Places what the producer left where the measured call has memory of its own, with that content
  /// in the gaps, and writes it again elsewhere, with fresh guards: the measured call answers only
  /// for what it changes itself. Throws RuntimeError when the producer changed an input of the
  /// case.
  void TakeOver(Content content) const;

 private:
  void RequireUnchangedInputs() const;

  const Case &case_;
  TensorMemories measured_;
  TensorMemories produced_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_CASE_MEMORY_H_
