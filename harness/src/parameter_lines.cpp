// SPDX-License-Identifier: Apache-2.0
#include "parameter_lines.h"

#include <limits>
#include <string>

#include "tensor_facts.h"

namespace aclnn_cts {
namespace {

// A source of one word.
Source ParseSource(const LineFields &line, const std::string &source) {
  if (source == "output") return Source::kOutput;
  if (source == "null") return Source::kNull;
  if (source == "from-producer") return Source::kProducer;
  if (source == "scratch") return Source::kScratch;
  line.Fail("source '" + source + "' is unknown",
            "data, shares, output, null, from-producer, same or scratch");
}

void ReadSource(LineFields &line, TensorFacts &tensor) {
  std::string source = line.Word("the source");
  if (source == "shares") {
    tensor.shares = line.TensorName("the tensor's name");
    line.Keyword("data");
    source = "data";
  }
  if (source == "data") {
    tensor.source = Source::kData;
    tensor.dataOffset = line.Integer("the byte offset", 0, kAny);
    const int64_t bytes = tensor.elements * tensor.elementBytes;
    if (line.Integer("the number of bytes", 0, kAny) != bytes) {
      line.Fail("the bytes do not fit the shape", std::to_string(bytes) + " bytes");
    }
  } else if (source == "same") {
    tensor.source = Source::kSame;
    tensor.same = line.TensorName("the tensor's name");
  } else {
    tensor.source = ParseSource(line, source);
  }
}

// Codes beyond these do not fit into the enums of the C headers.
int32_t ReadDataType(LineFields &line) {
  return static_cast<int32_t>(line.Integer("the data type", -1, 63));
}

void ReadScalars(LineFields &line, AttributeFacts &attribute) {
  attribute.dataType = ReadDataType(line);
  const std::vector<uint8_t> bytes = line.Bytes("the value");
  const auto size = static_cast<size_t>(ElementBytes(line, attribute.dataType));
  const bool isList = attribute.kind == AttributeKind::kScalars;
  if (isList ? bytes.empty() || bytes.size() % size != 0 : bytes.size() != size) {
    line.Fail("the value has " + std::to_string(bytes.size()) + " bytes",
              std::to_string(size) + ", those of its data type" + (isList ? ", or several" : ""));
  }
  for (auto element = bytes.begin(); element != bytes.end(); element += size) {
    attribute.scalars.emplace_back(element, element + size);
  }
}

}  // namespace

TensorFacts ReadTensor(LineFields &line) {
  TensorFacts tensor;
  tensor.name = line.TensorName("the tensor's name");
  const size_t bracket = tensor.name.find('[');
  if (bracket != std::string::npos) tensor.list = tensor.name.substr(0, bracket);
  const std::string role = line.Word("input, output or inout");
  tensor.isInput = role == "input" || role == "inout";
  tensor.isOutput = role == "output" || role == "inout";
  if (!tensor.isInput && !tensor.isOutput) {
    line.Fail("role '" + role + "'", "input, output or inout");
  }
  tensor.dataType = ReadDataType(line);
  tensor.format = static_cast<int32_t>(line.Integer("the format", -1, 63));
  line.Keyword("shape");
  tensor.shape = line.List("the shape", 0);
  line.Keyword("strides");
  tensor.strides = line.List("a stride", 0);
  line.Keyword("offset");
  tensor.offset = line.Integer("the offset", 0, kAny);
  line.Keyword("storage");
  tensor.storage = line.List("the storage shape", 0);
  DeriveSizes(line, tensor);
  ReadSource(line, tensor);
  return tensor;
}

AttributeFacts ReadAttribute(LineFields &line) {
  AttributeFacts attribute;
  attribute.name = line.Name("the attribute's name");
  const std::string kind = line.Word("the attribute's kind");
  attribute.isNull = kind == "string-null" || kind == "ints-null" || kind == "bools-null" ||
                     kind == "scalar-null" || kind == "scalars-null";
  if (kind == "double") {
    attribute.kind = AttributeKind::kDouble;
    attribute.real = line.Real("the value");
  } else if (kind == "int64") {
    attribute.integer = line.Integer("the value", std::numeric_limits<int64_t>::min(), kAny);
  } else if (kind == "bool") {
    attribute.kind = AttributeKind::kBool;
    attribute.integer = line.Integer("the value", 0, 1);
  } else if (kind == "string" || kind == "string-null") {
    attribute.kind = AttributeKind::kString;
    if (!attribute.isNull) attribute.text = line.Rest();
  } else if (kind == "ints" || kind == "ints-null") {
    attribute.kind = AttributeKind::kInts;
    if (!attribute.isNull)
      attribute.list = line.List("a value", std::numeric_limits<int64_t>::min());
  } else if (kind == "bools" || kind == "bools-null") {
    attribute.kind = AttributeKind::kBools;
    if (!attribute.isNull) attribute.list = line.List("a value", 0);
  } else if (kind == "scalar" || kind == "scalar-null") {
    attribute.kind = AttributeKind::kScalar;
    if (!attribute.isNull) ReadScalars(line, attribute);
  } else if (kind == "scalars" || kind == "scalars-null") {
    attribute.kind = AttributeKind::kScalars;
    if (!attribute.isNull) ReadScalars(line, attribute);
  } else {
    line.Fail("attribute kind '" + kind + "' is unknown",
              "double, int64, bool, string, string-null, ints, ints-null, bools, bools-null, "
              "scalar, scalar-null, scalars or scalars-null");
  }
  return attribute;
}

}  // namespace aclnn_cts
