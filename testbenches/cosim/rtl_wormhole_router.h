// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "cosim/rtl_router.h"

namespace flitcast {

/// Flits of rtl/wormhole/flitcast_wormhole_router.sv with a payload of 72 bits, which carries the
/// fields that the RTL does not read. A head's hops are counted here. The length of packets must
/// fit into RemainingWidth bits.
class WormholeFormat {
 public:
  /// Throws std::invalid_argument for a place whose parameters differ from `shape`, or which has
  /// slower channels or several ports to a node.
  WormholeFormat(const RtlRouterShape& shape, const pins::Site& place) : shape_(shape) {
    const RouterParams& asked = place.core;
    bool same = shape.has_ports_of(place) && shape.has_pipeline_of(place) &&
                asked.virtual_channels == shape.core.virtual_channels &&
                asked.buffer_depth == shape.core.buffer_depth &&
                asked.whole_packet_credit == shape.core.whole_packet_credit &&
                place.unit == BufferUnit::kFlit;
    for (const OutputChannel& channel : place.channels) same = same && channel.cycles_per_flit == 1;
    if (same) return;
    throw std::invalid_argument(
        "the RTL router has other parameters than its place in the network; make it with those");
  }

  std::size_t width() const { return shape_.place_width() + shape_.remaining_width + 1 + 72; }

  template <class Port>
  void put(Port& port, std::size_t low, const Flit& flit) const {
    FieldWriter<Port> fields(port, low);
    fields.put(shape_.place_width(), shape_.coordinates(index(flit.destination)));
    fields.put(shape_.remaining_width, flit.remaining);
    fields.put(1, flit.head);
    fields.put(32, index(flit.packet));
    fields.put(16, flit.hops + (flit.head ? 1U : 0U));
    fields.put(8, flit.ties);
    fields.put(16, flit.route_field);
  }

  template <class Port>
  Flit take(const Port& port, std::size_t low) const {
    FieldReader<Port> fields(port, low);
    Flit flit;
    flit.destination = NodeId{shape_.node(fields.take(shape_.place_width()))};
    flit.remaining = static_cast<std::uint16_t>(fields.take(shape_.remaining_width));
    flit.head = fields.take(1) != 0;
    flit.packet = PacketSlot{fields.take(32)};
    flit.hops = static_cast<std::uint16_t>(fields.take(16));
    flit.ties = static_cast<std::uint8_t>(fields.take(8));
    flit.route_field = static_cast<std::uint16_t>(fields.take(16));
    return flit;
  }

 private:
  const RtlRouterShape shape_;
};

/// RTL of the wormhole router behind the pins of its SystemC model.
template <class Model>
using RtlWormholeRouter = RtlRouter<Model, WormholeFormat>;

}  // namespace flitcast
