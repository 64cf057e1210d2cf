// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace flitcast {

// These functions access fields of up to 32 bits in the flat packed vectors of a Verilated module,
// which are one integer up to 64 bits and an array of 32-bit words from 65 up.

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

/// Writes `value` to the `width` bits from `low` up; bits of the field from 32 up become 0.
template <class Port>
void set_port_bits(Port& port, std::size_t low, std::size_t width, std::uint32_t value) {
  for (std::size_t done = 0; done < width;) {
    const std::size_t word = (low + done) / 32;
    const std::size_t shift = (low + done) % 32;
    const std::size_t count = std::min(32 - shift, width - done);
    const std::uint32_t mask = 0xffffffff >> (32 - count) << shift;
    const std::uint32_t bits = done < 32 ? value >> done << shift : 0;
    set_port_word(port, word, (port_word(port, word) & ~mask) | (bits & mask));
    done += count;
  }
}

template <class Port>
bool port_bit(const Port& port, std::size_t bit) {
  return (port_word(port, bit / 32) >> (bit % 32) & 1U) != 0;
}

/// Reads the `width` bits from `low` up, at most 64.
template <class Port>
std::uint64_t port_bits(const Port& port, std::size_t low, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t done = 0; done < width;) {
    const std::size_t shift = (low + done) % 32;
    value |= std::uint64_t{port_word(port, (low + done) / 32) >> shift} << done;
    done += 32 - shift;
  }
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

}  // namespace flitcast
