// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace flitcast::clos {

// How long the hardware controllers take, in clocks. One edge is one clock; the edge that accepts a
// request, LOAD, is the first. P counts the passes, one that finds the request blocked included: at
// most x, the pass limit, with m of Theorem 3.
//
//   LOAD | scan .. scan UPDATE | scan .. scan UPDATE | COMMIT
//     1  |     c clocks        |     c clocks        |   1
//
// Source: CS838 lecture notes (1999), "Summary of the various designs of the controller", gives the
// orders of growth. The exact counts are derived; the models behind controllers() are clocked and
// counted against them, exhaustively for m = r = 3.

/// Clocks of a pass, the scan and its UPDATE, with m middle and r output switches.
using PassClocks = std::uint64_t (*)(std::uint64_t m, std::uint64_t r);

/// One bit of one destination set per clock.
constexpr std::uint64_t seq_counter_pass(std::uint64_t m, std::uint64_t r) { return m * r + 1; }
/// One destination set per clock.
constexpr std::uint64_t seq_adder_pass(std::uint64_t m, std::uint64_t /*r*/) { return m + 1; }
/// Rows destination sets per clock.
template <std::uint64_t Rows>
constexpr std::uint64_t seq_adder_rows_pass(std::uint64_t m, std::uint64_t /*r*/) {
  return (m + Rows - 1) / Rows + 1;
}
/// One bit of every destination set per clock.
constexpr std::uint64_t par_counter_pass(std::uint64_t /*m*/, std::uint64_t r) { return r + 1; }
/// All in the UPDATE clock.
constexpr std::uint64_t par_adder_pass(std::uint64_t /*m*/, std::uint64_t /*r*/) { return 1; }

/// Until the last beat of a streaming controller is visible, and until a block is: 1 + P c.
constexpr std::uint64_t clocks_streamed(std::uint64_t passes, std::uint64_t pass_clocks) {
  return 1 + passes * pass_clocks;
}
constexpr std::uint64_t clocks_blocked(std::uint64_t passes, std::uint64_t pass_clocks) {
  return clocks_streamed(passes, pass_clocks);
}
/// Until the route is in the destination sets: one clock more, COMMIT.
constexpr std::uint64_t clocks_done(std::uint64_t passes, std::uint64_t pass_clocks) {
  return clocks_streamed(passes, pass_clocks) + 1;
}

}  // namespace flitcast::clos
