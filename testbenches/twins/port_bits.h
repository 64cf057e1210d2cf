// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <cstddef>
#include <cstdint>

namespace flitcast {

// Fields of up to 32 bits in the flat packed vectors of a Verilated module, which are one integer
// up to 64 bits and an array of 32-bit words from 65 up.

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

/// Writes the low `width` bits of `value` to the bits from `low` up.
template <class Port>
void set_port_bits(Port& port, std::size_t low, std::size_t width, std::uint32_t value) {
  for (std::size_t bit = 0; bit < width; ++bit) {
    const std::size_t word = (low + bit) / 32;
    const std::uint32_t mask = 1U << ((low + bit) % 32);
    const bool high = (value >> bit & 1U) != 0;
    set_port_word(port, word, high ? port_word(port, word) | mask : port_word(port, word) & ~mask);
  }
}

template <class Port>
bool port_bit(const Port& port, std::size_t bit) {
  return (port_word(port, bit / 32) >> (bit % 32) & 1U) != 0;
}

/// The `width` bits from `low` up, 64 of them at most.
template <class Port>
std::uint64_t port_bits(const Port& port, std::size_t low, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t bit = 0; bit < width; ++bit) {
    value |= std::uint64_t{port_bit(port, low + bit)} << bit;
  }
  return value;
}

}  // namespace flitcast
