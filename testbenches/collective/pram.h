// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace flitcast {

/// What one processor of a PRAM does in one step: it reads a cell of the shared memory, then writes
/// the value into another; without a cell to read it writes the value that it has of its own.
struct PramAccess {
  std::size_t processor = 0;
  std::optional<std::size_t> reads{};
  std::size_t writes = 0;
};

/// A synchronous program, step by step.
using PramProgram = std::vector<std::vector<PramAccess>>;

/// The doubling broadcast on an EREW PRAM of p processors and p cells. In step 0 the source writes
/// cell 0. In step k the processor of rank r = (processor - source) mod p, 2^(k-1) <= r < 2^k,
/// reads cell r - 2^(k-1) and writes cell r: the copies double. Cost: 1 + ceil(log2 p) steps and p
/// writes. Throws std::invalid_argument unless source < p. Source: CS838 lecture notes (1999),
/// section 11, "Store-and-forward one-to-all broadcast", EREW PRAM. They count ceil(log2 p) steps:
/// all but the first.
PramProgram pram_broadcast(std::size_t p, std::size_t source);

/// What a PRAM holds after a program.
struct PramOutcome {
  std::size_t steps = 0;
  std::vector<bool> written;  ///< Per cell: whether it holds the value.
};

/// Runs a program on an exclusive-read exclusive-write PRAM. In a step all reads come before all
/// writes. Throws std::invalid_argument where the program is none for such a machine: if a step
/// reads a cell twice, writes a cell twice, uses a processor twice or a cell beyond `cells`, or
/// reads a cell that no earlier step wrote.
PramOutcome run_erew(const PramProgram& program, std::size_t cells);

}  // namespace flitcast
