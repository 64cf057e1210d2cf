// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>

#include "cosim/rtl_router.h"

namespace flitcast {

/// Flits of rtl/store_forward/flitcast_store_forward_router.sv with PacketWidth = 32 and a payload
/// of 72 bits, which carries the fields that the RTL does not read. Hops are counted here.
///
/// The packet number is Place::packet_id in fewer bits, in the same order, so that queues are
/// ordered as in the fabric; without a packet_id it is the number on the wires. A flit that leaves
/// with another number or payload gets a reach, which flits of the model never have.
class StoreForwardFormat {
 public:
  /// Throws std::invalid_argument for a place whose parameters differ from `shape`, or which has
  /// priorities, channels of different speeds or latencies, or several ports to a node.
  StoreForwardFormat(const RtlRouterShape& shape, const pins::Site& place)
      : shape_(shape), packet_id_(place.packet_id) {
    const RouterParams& asked = place.core;
    bool same = shape.has_ports_of(place) && shape.has_pipeline_of(place) &&
                asked.virtual_channels == shape.core.virtual_channels &&
                asked.buffer_depth == shape.core.buffer_depth &&
                asked.flit_time == shape.core.flit_time && place.unit == BufferUnit::kPacket;
    same = same && place.priority == nullptr && place.from_node.back() != shape.stored_injection;
    for (std::size_t port = 0; port < place.outputs; ++port) {
      same = same && (!place.connected[port] || has_channel(place, port));
    }
    if (same) return;
    throw std::invalid_argument(
        "the RTL router has other parameters than its place in the network; make it with those");
  }

  std::size_t width() const { return shape_.place_width() + shape_.remaining_width + 1 + 32 + 72; }

  /// Throws std::out_of_range for a packet whose source or serial number has more than 16 bits.
  template <class Port>
  void put(Port& port, std::size_t low, const Flit& flit) const {
    FieldWriter<Port> fields(port, low);
    fields.put(shape_.place_width(), shape_.coordinates(index(flit.destination)));
    fields.put(shape_.remaining_width, flit.remaining);
    fields.put(1, flit.head);
    fields.put(32, flit.head ? number(flit) : 0);
    fields.put(32, index(flit.packet));
    fields.put(16, flit.hops + 1U);
    fields.put(8, flit.ties);
    fields.put(16, filler(flit));
  }

  template <class Port>
  Flit take(const Port& port, std::size_t low) const {
    FieldReader<Port> fields(port, low);
    Flit flit;
    flit.destination = NodeId{shape_.node(fields.take(shape_.place_width()))};
    flit.remaining = static_cast<std::uint16_t>(fields.take(shape_.remaining_width));
    flit.head = fields.take(1) != 0;
    const std::uint32_t number_there = fields.take(32);
    flit.packet = PacketSlot{fields.take(32)};
    flit.hops = static_cast<std::uint16_t>(fields.take(16));
    flit.ties = static_cast<std::uint8_t>(fields.take(8));
    const bool whole = fields.take(16) == filler(flit) &&
                       (packet_id_ || number_there == (flit.head ? number(flit) : 0));
    if (!whole) flit.route_field = 0xffff;
    return flit;
  }

 private:
  /// Fills the bits of the reach, a field for copies only, which is 0 in all flits here.
  static std::uint32_t filler(const Flit& flit) { return index(flit.packet) & 0xffff; }

  bool has_channel(const pins::Site& place, std::size_t port) const {
    const OutputChannel& channel = place.channels[port];
    const bool to_node = port + 1 == place.outputs;
    return channel.to_node == to_node && channel.cycles_per_flit == shape_.core.flit_time &&
           (channel.buffer_depth == 0 || channel.buffer_depth == shape_.core.buffer_depth) &&
           (to_node || channel.latency == shape_.link_latency);
  }

  std::uint32_t number(const Flit& head) const {
    if (!packet_id_) return index(head.packet);
    const std::uint64_t id = index(packet_id_(head));
    if ((id & 0xffff0000ffff0000) != 0)
      throw std::out_of_range("a packet number needs 16 + 16 bits");
    return static_cast<std::uint32_t>(id >> 16 | id);
  }

  const RtlRouterShape shape_;
  const std::function<PacketId(const Flit&)> packet_id_;
};

/// RTL of the store-and-forward router behind the pins of its SystemC model.
template <class Model>
using RtlStoreForwardRouter = RtlRouter<Model, StoreForwardFormat>;

}  // namespace flitcast
