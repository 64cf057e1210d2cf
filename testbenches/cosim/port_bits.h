// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <cstddef>
#include <cstdint>

#include "network/pins/verilated_ports.h"

namespace flitcast {

template <class Port>
bool port_bit(const Port& port, std::size_t bit) {
  return port_bits(port, bit, 1) != 0;
}

/// The 32 bits from 32 * word up, as far as the port has them.
template <class Port>
std::uint32_t port_word(const Port& port, std::size_t word) {
  return static_cast<std::uint32_t>(std::uint64_t{port} >> (32 * word));
}
template <std::size_t Words>
std::uint32_t port_word(const VlWide<Words>& port, std::size_t word) {
  return port[word];
}

template <class Port>
void set_port_word(Port& port, std::size_t word, std::uint32_t value) {
  const std::uint64_t mask = std::uint64_t{0xffffffff} << (32 * word);
  port = static_cast<Port>((std::uint64_t{port} & ~mask) | std::uint64_t{value} << (32 * word));
}
template <std::size_t Words>
void set_port_word(VlWide<Words>& port, std::size_t word, std::uint32_t value) {
  port[word] = value;
}

}  // namespace flitcast
