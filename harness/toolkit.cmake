# SPDX-License-Identifier: Apache-2.0
# Where the toolkit's headers and libraries are, and how everything that uses them is compiled.
set(ACLNN_CTS_TOOLKIT "" CACHE PATH "CANN toolkit or installed simulator: a folder with include/ and lib64/")
set(ACLNN_CTS_INCLUDE "${ACLNN_CTS_TOOLKIT}/include" CACHE PATH "The toolkit's headers, where they are elsewhere")
set(ACLNN_CTS_LIBRARIES "${ACLNN_CTS_TOOLKIT}/lib64" CACHE PATH "The toolkit's libraries, where they are elsewhere")
set(ACLNN_CTS_CUSTOM_INCLUDES "" CACHE STRING "Folders of the headers of custom packages of operators")
option(ACLNN_CTS_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

if(NOT EXISTS "${ACLNN_CTS_INCLUDE}/aclnn/acl_meta.h")
  message(FATAL_ERROR "ACLNN_CTS_TOOLKIT is '${ACLNN_CTS_TOOLKIT}', and ${ACLNN_CTS_INCLUDE} has no aclnn/acl_meta.h; "
                      "pass -DACLNN_CTS_TOOLKIT=<the toolkit's folder>")
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

add_library(aclnn_cts_flags INTERFACE)
target_compile_features(aclnn_cts_flags INTERFACE cxx_std_17)
target_compile_options(aclnn_cts_flags INTERFACE -Wall -Wextra -Werror)
target_include_directories(aclnn_cts_flags SYSTEM INTERFACE "${ACLNN_CTS_INCLUDE}" ${ACLNN_CTS_CUSTOM_INCLUDES})
# The toolkit's libraries need the driver's, which a host that only builds may lack. And
# LD_LIBRARY_PATH must come before the folder that a program was linked with.
target_link_options(aclnn_cts_flags INTERFACE LINKER:--allow-shlib-undefined LINKER:--enable-new-dtags)
if(ACLNN_CTS_SANITIZE)
  # Compiling checked code takes five times as long with -O3. -g1 is enough for the lines of a report.
  target_compile_options(aclnn_cts_flags INTERFACE
    -Og -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all)
  target_link_options(aclnn_cts_flags INTERFACE -fsanitize=address,undefined)
endif()

find_library(ACLNN_CTS_ASCENDCL ascendcl PATHS "${ACLNN_CTS_LIBRARIES}" NO_DEFAULT_PATH REQUIRED)
