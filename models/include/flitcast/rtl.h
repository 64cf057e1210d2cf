// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// A router in RTL in a network of models: VerilatedRouter gives the class that Verilator makes of
/// flitcast_vc_router the pins of a router, and verilated_slot() puts it into a Fabric. Include
/// Verilator's header first: it does not compile after SystemC's. Component `fabric`; the CMake
/// function flitcast_verilate() makes the class.
#include "network/pins/verilated_router.h"
