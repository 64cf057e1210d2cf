// SPDX-License-Identifier: Apache-2.0
#include "collective/pram.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/sequences.h"

namespace flitcast {

namespace {

[[noreturn]] void refuse(std::size_t step, const std::string& what, std::size_t number) {
  throw std::invalid_argument("step " + std::to_string(step) + " " + what + " " +
                              std::to_string(number));
}

void require_distinct(std::vector<std::size_t> numbers, std::size_t step, const std::string& what) {
  std::sort(numbers.begin(), numbers.end());
  const auto twice = std::adjacent_find(numbers.begin(), numbers.end());
  if (twice != numbers.end()) refuse(step, what, *twice);
}

void require_exclusive(const std::vector<PramAccess>& accesses, std::size_t step) {
  std::vector<std::size_t> reads;
  for (const PramAccess& access : accesses) {
    if (access.reads) reads.push_back(*access.reads);
  }
  require_distinct(mapped(accesses, &PramAccess::processor), step, "uses twice processor");
  require_distinct(reads, step, "reads twice cell");
  require_distinct(mapped(accesses, &PramAccess::writes), step, "writes twice cell");
}

}  // namespace

PramProgram pram_broadcast(std::size_t p, std::size_t source) {
  if (source >= p) throw std::invalid_argument("the source of a PRAM broadcast is no processor");
  PramProgram program{{{source, std::nullopt, 0}}};
  for (std::size_t copies = 1; copies < p; copies *= 2) {
    program.push_back(mapped(numbers(copies, std::min(2 * copies, p)), [&](std::size_t rank) {
      return PramAccess{(rank + source) % p, rank - copies, rank};
    }));
  }
  return program;
}

PramOutcome run_erew(const PramProgram& program, std::size_t cells) {
  PramOutcome outcome{program.size(), std::vector<bool>(cells, false)};
  for (std::size_t step = 0; step < program.size(); ++step) {
    require_exclusive(program[step], step);
    for (const PramAccess& access : program[step]) {
      if (access.writes >= cells) refuse(step, "writes beyond the memory: cell", access.writes);
      if (!access.reads) continue;
      if (*access.reads >= cells) refuse(step, "reads beyond the memory: cell", *access.reads);
      if (!outcome.written[*access.reads]) refuse(step, "reads the unwritten cell", *access.reads);
    }
    for (const PramAccess& access : program[step]) outcome.written[access.writes] = true;
  }
  return outcome;
}

}  // namespace flitcast
