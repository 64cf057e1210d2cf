// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

#include <cstdint>

namespace flitcast::clos {

// How many patterns of simultaneous connections a switch must realize, as integers of any size. An
// output is connected to at most one input; an input may always be unused. A count of more than
// about 2^26 bits throws std::overflow_error, a size of 0 std::invalid_argument.
// Source: CS838 lecture notes (1999), definitions of permutation and multicast assignments.

/// Every output is used: inputs^outputs. The N^N of an N x N network.
mpz_class multicast_assignments(std::uint64_t inputs, std::uint64_t outputs);

/// Every input is connected to one output, every output to one input: N!.
mpz_class permutation_assignments(std::uint64_t ports);

}  // namespace flitcast::clos
