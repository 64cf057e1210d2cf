// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/flit.h"

namespace flitcast {

// These functions access fields in the flat packed vectors of a Verilated module, which are one
// integer up to 64 bits and an array of 32-bit words from 65 up.

/// The element that has a bit.
template <class Port>
auto& element_of(Port& port, [[maybe_unused]] std::size_t bit) {
  if constexpr (std::is_integral_v<Port>) {
    return port;
  } else {
    return port[bit / 32];
  }
}

/// Writes `value` to the `width` bits from `low` up; bits of the field from 64 up become 0.
template <class Port>
void set_port_bits(Port& port, std::size_t low, std::size_t width, std::uint64_t value) {
  for (std::size_t done = 0; done < width;) {
    auto& element = element_of(port, low + done);
    const std::size_t shift = (low + done) % (8 * sizeof(element));
    const std::size_t count = std::min(8 * sizeof(element) - shift, width - done);
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - count) << shift;
    const std::uint64_t field = done < 64 ? value >> done << shift : 0;
    element = static_cast<std::decay_t<decltype(element)>>((element & ~mask) | (field & mask));
    done += count;
  }
}

/// Reads the `width` bits from `low` up, at most 64.
template <class Port>
std::uint64_t port_bits(const Port& port, std::size_t low, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t done = 0; done < width;) {
    const auto& element = element_of(port, low + done);
    const std::size_t shift = (low + done) % (8 * sizeof(element));
    value |= std::uint64_t{element} >> shift << done;
    done += 8 * sizeof(element) - shift;
  }
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

/// The bits of a flit on the wires of rtl/wormhole/flitcast_vc_router.sv, whose header says the
/// order of header, remaining, head and payload. The header is Flit::destination. The payload of 72
/// bits (PayloadWidth) has, from its lowest bit, packet (32), hops (16), ties (8) and route_field
/// (16).
struct FlitLayout {
  std::size_t header_width = 4;     ///< HeaderWidth of the RTL.
  std::size_t remaining_width = 4;  ///< RemainingWidth; the length of packets fits into it.

  std::size_t width() const { return header_width + remaining_width + 1 + 72; }

  /// Writes a flit that enters a router, which counts as a hop of a head.
  template <class Port>
  void put(Port& port, std::size_t low, Flit flit) const {
    if (flit.head) ++flit.hops;
    each_field(flit, [&](std::size_t width, auto& field) {
      set_port_bits(port, low, width, static_cast<std::uint64_t>(field));
      low += width;
    });
  }

  template <class Port>
  Flit take(const Port& port, std::size_t low) const {
    Flit flit;
    each_field(flit, [&](std::size_t width, auto& field) {
      field = static_cast<std::decay_t<decltype(field)>>(port_bits(port, low, width));
      low += width;
    });
    return flit;
  }

 private:
  /// Calls visit(width, field) from the lowest bit up.
  template <class Visit>
  void each_field(Flit& flit, Visit visit) const {
    visit(header_width, flit.destination);
    visit(remaining_width, flit.remaining);
    visit(1, flit.head);
    visit(32, flit.packet);
    visit(16, flit.hops);
    visit(8, flit.ties);
    visit(16, flit.route_field);
  }
};

}  // namespace flitcast
