// SPDX-License-Identifier: Apache-2.0
/// A checked case of a case file: every view lies inside its storage, every byte range inside the
/// payload, and every referenced name exists.
#ifndef ACLNN_CTS_CASE_H_
#define ACLNN_CTS_CASE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace aclnn_cts {

using Dims = std::vector<int64_t>;

/// Source or destination of a tensor's elements.
enum class Source {
  kData,      ///< an input in the data file, also one that is overwritten
  kOutput,    ///< an output of the measured call
  kNull,      ///< nullptr is passed
  kProducer,  ///< an input that is the producer's output of the same name
  kSame,      ///< a producer's input: a tensor of the case itself
  kScratch,   ///< device memory that is not recorded
};

/// One tensor parameter. Strides and offset count elements, as in aclCreateTensor.
struct TensorFacts {
  std::string name;
  std::string list;  ///< the list of which it is a member: `x` if its name is `x[0]`
  bool isInput = false;
  bool isOutput = false;  ///< may also be an input, which the result overwrites
  int32_t dataType = 0;   ///< code of aclDataType
  int32_t format = 0;     ///< code of aclFormat
  Dims shape;
  Dims strides;
  int64_t offset = 0;
  Dims storage;
  Source source = Source::kNull;
  int64_t dataOffset = 0;  ///< kData: first byte within the payload of the data file
  std::string same;        ///< kSame: the name of the tensor of the case
  /// kData: the name of the earlier input in whose storage it is; empty if it has its own. Its
  /// elements are either those of that input, or apart from them.
  std::string shares;
  int64_t elementBytes = 0;
  int64_t elements = 0;      ///< of the view
  int64_t storageBytes = 0;  ///< of the storage
};

enum class AttributeKind { kDouble, kInt64, kBool, kString, kInts, kBools, kScalar, kScalars };

/// One attribute parameter; `kind` tells which value is used.
struct AttributeFacts {
  std::string name;
  AttributeKind kind = AttributeKind::kInt64;
  bool isNull = false;  ///< kString, arrays, kScalar and kScalars: nullptr is passed
  double real = 0;
  int64_t integer = 0;  ///< kInt64, and kBool as 0 or 1
  std::string text;
  std::vector<int64_t> list;
  int32_t dataType = 0;  ///< kScalar and kScalars: code of aclDataType
  /// kScalars: the bytes of each element; kScalar: those of one.
  std::vector<std::vector<uint8_t>> scalars;
};

/// The parameters of one operator call.
struct Parameters {
  std::vector<TensorFacts> tensors;
  std::vector<AttributeFacts> attributes;

  /// The tensor of that name, or nullptr.
  const TensorFacts *FindTensor(const std::string &name) const;
};

/// A side call: a call of an operator besides the measured one.
struct SideCall {
  std::string operatorName;  ///< empty if there is no such call
  std::string where;         ///< FILE:LINE of its first line
  Parameters parameters;
};

/// Difference of a run from an ordinary one, which has fresh memory and the first stream.
enum class ExecutionVariant {
  kOrdinary,
  kSecondStream,        ///< on another stream of the device
  kKeptWorkspace,       ///< with the workspace of a previous launch, unchanged
  kAfterOthers,         ///< after another operator ran
  kInFlight,            ///< between two decoys on one stream, with one synchronisation
  kPlannedBetween,      ///< a decoy is planned between the call's two phases
  kRepeatableExecutor,  ///< the second launch of an executor, with other data than the first
  kMovedAddresses,      ///< by a repeatable executor whose tensors were moved, twice
  kCaptured,            ///< by a model that holds the captured call, executed three times
  kOtherThread,         ///< planned in one thread of the host and launched in another
  kFourThreads,         ///< four times at once, each in a thread and a stream of its own
  kDefaultStream,       ///< on the default stream
  kSharedWorkspace,     ///< between two calls of one stream that use the same workspace
  kManyPlanned,         ///< decoys are planned between the call's two phases, as many as planned
  kManyCalls,           ///< many times in a row, with the same handles
  kAmongOthers,         ///< after each of several operators; half of them also ran before run 0
};

/// The name in case files and events.
const char *NameOf(ExecutionVariant variant);

/// Sizes around the tensors and workspaces of a case, in bytes.
struct Margins {
  int64_t slack = 0;     ///< room of aclrtMalloc after a size rounded up to 32
  int64_t guard = 1024;  ///< watched memory on both sides
};

/// One case.
struct Case {
  std::string id;
  std::string where;      ///< FILE:LINE of the `case` line
  std::string dataPath;   ///< relative to --data; empty if no input has bytes
  std::string dataWhere;  ///< FILE:LINE of the `data` line
  int64_t dataBytes = 0;  ///< size of the payload after the .npy header
  int64_t runs = 2;
  Margins margins;
  int64_t determinism = 0;              // level of ACL_OPT_DETERMINISTIC
  bool launch = true;                   ///< whether phase two follows an accepted phase one
  std::vector<ExecutionVariant> again;  ///< of the runs after the ordinary ones
  int64_t timed = 0;                    ///< timed launches after all runs
  int64_t calls = 0;                    ///< how many times kManyCalls makes the call
  Parameters measured;
  SideCall producer;             ///< makes inputs of the measured call
  std::vector<SideCall> others;  ///< run in the variants kAfterOthers (the first) and kAmongOthers
  SideCall decoy;                ///< the measured operator's, for variants that need one
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_CASE_H_
