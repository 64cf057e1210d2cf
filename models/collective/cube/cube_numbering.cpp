// SPDX-License-Identifier: Apache-2.0
#include "collective/cube/cube_numbering.h"

namespace flitcast {
namespace {

std::uint32_t rotated(std::uint32_t address, std::size_t places, std::size_t n) {
  const std::uint32_t mask = (std::uint32_t{1} << n) - 1;
  return ((address << places) | (address >> (n - places))) & mask;
}

bool smallest_of_class(std::uint32_t address, std::size_t n) {
  for (std::size_t places = 1; places < n; ++places) {
    if (rotated(address, places, n) < address) return false;
  }
  return true;
}

/// A run of ones starts at the bit that is due; of another class any member with this bit will do.
std::uint32_t first_of_class(std::uint32_t smallest, std::size_t due, std::size_t n) {
  const bool is_run = (smallest & (smallest + 1)) == 0;
  if (is_run) return rotated(smallest, due, n);
  std::size_t places = 0;
  while ((rotated(smallest, places, n) >> due & 1U) == 0) ++places;
  return rotated(smallest, places, n);
}

void append_class(std::vector<std::uint32_t>& numbering, std::uint32_t smallest, std::size_t n) {
  const std::uint32_t first = first_of_class(smallest, numbering.size() % n, n);
  std::uint32_t member = first;
  do {
    numbering.push_back(member);
    member = rotated(member, 1, n);
  } while (member != first);
}

}  // namespace

std::vector<std::uint32_t> cube_numbering(std::size_t n) {
  const std::uint32_t nodes = std::uint32_t{1} << n;
  std::vector<std::vector<std::uint32_t>> classes(n + 1);  // Smallest members, by weight.
  for (std::uint32_t address = 1; address < nodes; ++address) {
    if (!smallest_of_class(address, n)) continue;
    classes[static_cast<std::size_t>(__builtin_popcount(address))].push_back(address);
  }
  std::vector<std::uint32_t> numbering;
  numbering.reserve(nodes - 1);
  for (const auto& of_weight : classes) {
    for (const std::uint32_t smallest : of_weight) append_class(numbering, smallest, n);
  }
  return numbering;
}

}  // namespace flitcast
