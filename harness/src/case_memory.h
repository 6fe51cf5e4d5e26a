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

/// Content of memory before a call.
struct Filling {
  const InputData &data;  ///< of the inputs; must outlive the memory
  Alteration alteration;  ///< of the data
  Content poison;         ///< of outputs and gaps
  Content scratch;        ///< of memory for a producer's output
};

/// The memory of a list of tensors, in order; nullptr for those without their own memory, also
/// those in the storage of another one.
using TensorMemories = std::vector<std::unique_ptr<TensorMemory>>;

/// Allocates and fills the memory of a call's tensors, which must outlive it. Throws RuntimeError,
/// and InputError if the data cannot be read.
TensorMemories Allocate(const Parameters &parameters, const Margins &margins,
                        const Filling &filling);

/// The memory of the tensor of that name, which must have some.
TensorMemory &FindMemory(const Parameters &parameters, const TensorMemories &memories,
                         const std::string &name);

/// The memory of a case's tensors and of its producer's. Functions that fill it throw as Allocate.
class CaseMemory {
 public:
  /// `described` must outlive the object.
  CaseMemory(const Case &described, const Filling &filling);

  /// Refills all of it, at the same addresses.
  void Refill(const Filling &filling);
  /// Refills the inputs with data.
  void RefillInputs(const Filling &filling);

  /// Copies the inputs of another memory of the case, in the order of the stream, and expects them
  /// from now on. Throws RuntimeError.
  void CopyInputs(const CaseMemory &from, aclrtStream stream) const;

  /// The same for the outputs, also those that are inputs.
  void CopyOutputs(const CaseMemory &from, aclrtStream stream) const;

  /// The memory of a tensor of the measured call, which may be that of another one. A dense tensor
  /// from the producer shares the producer's memory; one with strides, an offset or a larger
  /// storage has its own.
  TensorMemory &Measured(const TensorFacts &facts) const;
  /// The memory of a tensor of the producer's call.
  TensorMemory &Produced(const TensorFacts &facts) const;

  /// Copies the producer's outputs to memory of the measured call, with that content in the gaps,
  /// and rewrites shared memory with fresh guards, so that the measured call is only judged for its
  /// own changes. Throws RuntimeError if the producer changed an input of the case.
  void TakeOver(Content content) const;

 private:
  void RequireUnchangedInputs() const;

  const Case &case_;
  TensorMemories measured_;
  TensorMemories produced_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_CASE_MEMORY_H_
