// SPDX-License-Identifier: Apache-2.0
#include "aclnn_cts/program.h"

int main(int argc, char **argv) { return aclnn_cts::RunProgram(argc, argv); }
