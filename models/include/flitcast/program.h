// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// The command line as a function: a program adds entries of its own to the catalogs and then calls
/// run_program(), whose experiments may name them. Component `program`.
#include "sim/program.h"
