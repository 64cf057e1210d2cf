// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace flitcast {

/// The action of one processor of a PRAM in one step: it reads a cell of the shared memory, then
/// writes the value into another cell; without a cell to read it writes its own initial value.
struct PramAccess {
  std::size_t processor = 0;
  std::optional<std::size_t> reads{};
  std::size_t writes = 0;
};

/// A synchronous program, step by step.
using PramProgram = std::vector<std::vector<PramAccess>>;

/// The doubling broadcast on an EREW PRAM of p processors and p cells. In step 0 the source writes
/// cell 0. In step k the processor of rank r = (processor - source) mod p, 2^(k-1) <= r < 2^k,
/// reads cell r - 2^(k-1) and writes cell r, so the number of copies doubles. Cost: 1 + ceil(log2
/// p) steps and p writes. Throws std::invalid_argument unless source < p. Source: CS838 lecture
/// notes (1999), section 11, "Store-and-forward one-to-all broadcast", EREW PRAM; the notes count
/// ceil(log2 p) steps, all but the first.
PramProgram pram_broadcast(std::size_t p, std::size_t source);

/// The state of a PRAM after a program.
struct PramOutcome {
  std::size_t steps = 0;
  std::vector<bool> written;  ///< By cell: whether it holds the value.
};

/// Runs a program on an exclusive-read exclusive-write PRAM. In a step all reads come before all
/// writes. Throws std::invalid_argument for an illegal program: a step reads a cell twice, writes a
/// cell twice, uses a processor twice or a cell beyond `cells`, or reads a cell that no earlier
/// step wrote.
PramOutcome run_erew(const PramProgram& program, std::size_t cells);

}  // namespace flitcast
