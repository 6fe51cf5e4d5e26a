// SPDX-License-Identifier: Apache-2.0
#include "runtime.h"

#include "errors.h"

namespace aclnn_cts {
namespace {

// Large enough for the result of either version query; both start with the text.
constexpr size_t kVersionBytes = 1024;

std::string CannVersion() {
  using GetVersionStr = aclError (*)(char *package, char *version);
  using GetCannVersion = aclError (*)(int32_t package, void *version);
  char package[] = "runtime";
  char version[kVersionBytes] = {};
  const auto newer = FindFunction<GetVersionStr>("aclsysGetVersionStr");
  if (newer != nullptr && newer(package, version) == ACL_SUCCESS && version[0] != '\0')
    return version;
  const auto older = FindFunction<GetCannVersion>("aclsysGetCANNVersion");
  constexpr int32_t kWholePackage = 0;  // ACL_PKG_NAME_CANN
  if (older != nullptr && older(kWholePackage, version) == ACL_SUCCESS) return version;
  (void)TakeErrorMessage();
  return "";
}

}  // namespace

std::string TakeErrorMessage() {
  const char *message = aclGetRecentErrMsg();
  return message == nullptr ? "" : message;
}

void RequireSuccess(const std::string &call, aclError status) {
  if (status != ACL_SUCCESS) throw RuntimeError(call, status, TakeErrorMessage());
}

Runtime::Runtime() { RequireSuccess("aclInit", aclInit(nullptr)); }

Runtime::~Runtime() { (void)aclFinalize(); }

Stream::Stream() { RequireSuccess("aclrtCreateStream", aclrtCreateStream(&handle_)); }

Stream::~Stream() { (void)aclrtDestroyStream(handle_); }

Device::Device(int32_t number) : number_(number) {
  RequireSuccess("aclrtSetDevice of device " + std::to_string(number), aclrtSetDevice(number));
  try {
    stream_ = std::make_unique<Stream>();
  } catch (const RuntimeError &) {
    (void)aclrtResetDevice(number);
    throw;
  }
}

Device::~Device() {
  stream_.reset();  // before its device
  (void)aclrtResetDevice(number_);
}

DeterminismSwitch::DeterminismSwitch(int64_t level) : level_(level) {
  if (level == 0) return;
  RequireSuccess("aclrtCtxSetSysParamOpt of ACL_OPT_DETERMINISTIC",
                 aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, level));
}

DeterminismSwitch::~DeterminismSwitch() {
  if (level_ != 0) (void)aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0);
}

JsonLine DescribeDevice() {
  const char *soc = aclrtGetSocName();
  int32_t infNan = 0;
  const aclError status = aclGetCannAttribute(ACL_CANN_ATTR_INF_NAN, &infNan);
  if (status != ACL_SUCCESS) (void)TakeErrorMessage();
  JsonLine line("device");
  line.Text("soc", soc == nullptr ? "" : soc).Text("cann", CannVersion());
  return status == ACL_SUCCESS ? line.Boolean("inf_nan", infNan != 0) : line.Null("inf_nan");
}

}  // namespace aclnn_cts
