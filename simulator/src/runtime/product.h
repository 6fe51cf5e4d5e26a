// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_PRODUCT_H_
#define SIMULATOR_RUNTIME_PRODUCT_H_

#pragma GCC visibility push(default)
namespace simulator {

enum class Product {
  kAscend950,
  kAtlasA3,
  kAtlasA2,
  kAtlas200I500A2,
  kAtlasInference,
  kAtlasTraining,
};

/// The simulated SoC: ACLNN_SIM_SOC, by default Ascend910B3. Read once.
const char *SocName();

/// The product of SocName(); an unknown name ends the program.
Product CurrentProduct();

/// The editions of the operators' documents that the simulated device knows.
enum class Edition { kCurrent, kEarlier };

/// The edition whose promises the device keeps if editions exclude each other: ACLNN_SIM_EDITION,
/// by default `current`. Any other name ends the program. Read once.
Edition CurrentEdition();

/// The product's id, such as `atlas-a2`.
const char *ProductName(Product product);

/// Whether the product computes with Inf and NaN; otherwise stored values saturate.
bool HasInfNan(Product product);

/// Whether the product supports bfloat16.
bool HasBfloat16(Product product);

}  // namespace simulator
#pragma GCC visibility pop

#endif  // SIMULATOR_RUNTIME_PRODUCT_H_
