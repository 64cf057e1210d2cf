# SPDX-License-Identifier: Apache-2.0
# Warnings and floating-point rules for the targets of the project, which link flitcast_options PRIVATE.
add_library(flitcast_options INTERFACE)
target_compile_features(flitcast_options INTERFACE cxx_std_17)
# Results must not depend on whether the processor has fused multiply-add.
target_compile_options(
  flitcast_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off)
if(FLITCAST_WERROR)
  target_compile_options(flitcast_options INTERFACE -Werror)
endif()
