// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "cosim/rtl_router.h"

namespace flitcast {

/// Flits of flitcast_vc_router.sv whose header is a number, with a payload of 72 bits, which
/// carries the fields that the RTL does not read. A head's hops are counted here. The length of
/// packets must fit into `remaining_width` bits. Also flits of flitcast_packet_router.sv with
/// PacketWidth = 32, whose packet number is the first 32 bits of these 72.
struct VcFlit {
  std::size_t header_width = 0;
  std::size_t remaining_width = 0;
  bool hops_in_all = false;  ///< In routers that store packets every flit has the hops of the head.

  std::size_t width() const { return header_width + remaining_width + 1 + 72; }

  template <class Port>
  void put(Port& port, std::size_t low, std::uint32_t header, const Flit& flit) const {
    FieldWriter<Port> fields(port, low);
    fields.put(header_width, header);
    fields.put(remaining_width, flit.remaining);
    fields.put(1, flit.head);
    fields.put(32, index(flit.packet));
    fields.put(16, flit.hops + (flit.head || hops_in_all ? 1U : 0U));
    fields.put(8, flit.ties);
    fields.put(16, flit.route_field);
  }

  /// The flit, with its header as the number of its destination.
  template <class Port>
  Flit take(const Port& port, std::size_t low) const {
    FieldReader<Port> fields(port, low);
    Flit flit;
    flit.destination = NodeId{fields.take(header_width)};
    flit.remaining = static_cast<std::uint16_t>(fields.take(remaining_width));
    flit.head = fields.take(1) != 0;
    flit.packet = PacketSlot{fields.take(32)};
    flit.hops = static_cast<std::uint16_t>(fields.take(16));
    flit.ties = static_cast<std::uint8_t>(fields.take(8));
    flit.route_field = static_cast<std::uint16_t>(fields.take(16));
    return flit;
  }
};

/// Flits of rtl/wormhole/flitcast_wormhole_router.sv: VcFlit with coordinates as their header.
class WormholeFormat {
 public:
  /// Throws std::invalid_argument for a place whose parameters differ from `shape`, or which has
  /// slower channels, buffers that differ or several ports to a node.
  WormholeFormat(const RtlRouterShape& shape, const pins::Site& place)
      : shape_(shape), layout_{shape.place_width(), shape.remaining_width} {
    const RouterParams& asked = place.core;
    bool same = shape.has_ports_of(place) && shape.has_pipeline_of(place) &&
                asked.virtual_channels == shape.core.virtual_channels &&
                asked.buffer_depth == shape.core.buffer_depth &&
                asked.deepest_buffer <= shape.core.buffer_depth &&
                asked.whole_packet_credit == shape.core.whole_packet_credit &&
                place.unit == BufferUnit::kFlit;
    for (const OutputChannel& channel : place.channels) {
      same = same && channel.cycles_per_flit == 1 && has_depth(channel);
    }
    if (same) return;
    throw std::invalid_argument(
        "the RTL router has other parameters than its place in the network; make it with those");
  }

  /// Outputs without a channel say no depth.
  bool has_depth(const OutputChannel& channel) const {
    return channel.buffer_depth == 0 || channel.buffer_depth == shape_.core.buffer_depth;
  }

  std::size_t width() const { return layout_.width(); }

  template <class Port>
  void put(Port& port, std::size_t low, const Flit& flit) const {
    layout_.put(port, low, shape_.coordinates(index(flit.destination)), flit);
  }

  template <class Port>
  Flit take(const Port& port, std::size_t low) const {
    Flit flit = layout_.take(port, low);
    flit.destination = NodeId{shape_.node(index(flit.destination))};
    return flit;
  }

 private:
  const RtlRouterShape shape_;
  const VcFlit layout_;
};

/// RTL of the wormhole router behind the pins of its SystemC model.
template <class Model>
using RtlWormholeRouter = RtlRouter<Model, WormholeFormat>;

}  // namespace flitcast
