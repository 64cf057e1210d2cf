// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "cosim/rtl_router.h"

namespace flitcast {

/// Flits of rtl/wormhole/flitcast_wormhole_router.sv: FlitLayout with coordinates as their header.
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
  void put(Port& port, std::size_t low, Flit flit) const {
    flit.destination = NodeId{shape_.coordinates(index(flit.destination))};
    layout_.put(port, low, flit);
  }

  template <class Port>
  Flit take(const Port& port, std::size_t low) const {
    Flit flit = layout_.take(port, low);
    flit.destination = NodeId{shape_.node(index(flit.destination))};
    return flit;
  }

 private:
  const RtlRouterShape shape_;
  const FlitLayout layout_;
};

/// RTL of the wormhole router behind the pins of its SystemC model.
template <class Model>
using RtlWormholeRouter = RtlRouter<Model, WormholeFormat>;

}  // namespace flitcast
