// SPDX-License-Identifier: Apache-2.0
#include "runtime/product.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/misuse.h"

namespace simulator {

namespace {

struct SocPrefix {
  const char *prefix;
  Product product;
};

// No prefix is a prefix of another one, so the order does not matter.
constexpr SocPrefix kSocPrefixes[] = {
    {"Ascend950", Product::kAscend950},        {"Ascend910_93", Product::kAtlasA3},
    {"Ascend910B", Product::kAtlasA2},         {"Ascend310B", Product::kAtlas200I500A2},
    {"Ascend310P", Product::kAtlasInference},  {"Ascend910A", Product::kAtlasTraining},
    {"Ascend910Pro", Product::kAtlasTraining}, {"Ascend910Premium", Product::kAtlasTraining},
};

Product FindProduct(const std::string &socName) {
  for (const SocPrefix &entry : kSocPrefixes) {
    if (socName.compare(0, std::strlen(entry.prefix), entry.prefix) == 0) return entry.product;
  }
  Misuse(
      "ACLNN_SIM_SOC names the unknown SoC '{}'; use a name that begins with Ascend950, "
      "Ascend910_93, Ascend910B, Ascend310B, Ascend310P, Ascend910A, Ascend910Pro or "
      "Ascend910Premium",
      socName);
}

Edition FindEdition(const char *name) {
  if (name == nullptr || std::strcmp(name, "current") == 0) return Edition::kCurrent;
  if (std::strcmp(name, "earlier") == 0) return Edition::kEarlier;
  Misuse("ACLNN_SIM_EDITION names the unknown edition '{}'; use current or earlier", name);
}

std::string ReadSocName() {
  const char *name = std::getenv("ACLNN_SIM_SOC");
  return name != nullptr ? name : "Ascend910B3";
}

}  // namespace

const char *SocName() {
  static const std::string *const name = new std::string(ReadSocName());
  return name->c_str();
}

Product CurrentProduct() {
  static const Product product = FindProduct(SocName());
  return product;
}

Edition CurrentEdition() {
  static const Edition edition = FindEdition(std::getenv("ACLNN_SIM_EDITION"));
  return edition;
}

const char *ProductName(Product product) {
  switch (product) {
    case Product::kAscend950:
      return "ascend-950";
    case Product::kAtlasA3:
      return "atlas-a3";
    case Product::kAtlasA2:
      return "atlas-a2";
    case Product::kAtlas200I500A2:
      return "atlas-200i-500-a2";
    case Product::kAtlasInference:
      return "atlas-inference";
    case Product::kAtlasTraining:
      return "atlas-training";
  }
  return "unknown";
}

bool HasInfNan(Product product) { return product != Product::kAtlasTraining; }

bool HasBfloat16(Product product) {
  return product != Product::kAtlasTraining && product != Product::kAtlasInference;
}

}  // namespace simulator
