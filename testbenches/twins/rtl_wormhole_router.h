// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "network/pins/place.h"
#include "network/pins/router.h"
#include "rtl/verilated_bench.h"
#include "twins/port_bits.h"

namespace flitcast {

/// The parameters of rtl/wormhole_router.sv that a Verilated model was made with, and its mesh.
struct RtlWormholeShape {
  std::vector<std::size_t> sides{4, 4};
  unsigned coordinate_width = 2;
  RouterParams core{};

  std::size_t place_width() const { return sides.size() * coordinate_width; }
  std::size_t vc_width() const {
    std::size_t width = 1;
    while (core.virtual_channels > 1U << width) ++width;
    return width;
  }
};

/// The RTL of the wormhole router behind the pins of its twin, for benches and fabrics.
///
/// The RTL is to have RemainingWidth = 16 and a payload of 72 bits, in which the fields that it
/// does not read pass through it. A head's hops are counted here.
template <class Model>
class RtlWormholeRouter : public pins::Router {
 public:
  static constexpr std::size_t kRemainingWidth = 16;
  static constexpr std::size_t kPayloadWidth = 72;

  /// Throws std::invalid_argument for a place that asks for anything else than `shape` has, slower
  /// channels, or several ports to a node.
  RtlWormholeRouter(const sc_core::sc_module_name& name, const pins::Place& place,
                    const RtlWormholeShape& shape)
      : Router(name, place.inputs, place.outputs),
        shape_(shape),
        flit_width_(shape.place_width() + kRemainingWidth + 1 + kPayloadWidth) {
    refuse_other(place);
    set_port_bits(rtl_->here_i, 0, shape.place_width(), coordinates(index(place.router)));
    SC_HAS_PROCESS(RtlWormholeRouter);
    SC_METHOD(on_clock);
    sensitive << clk_i.pos();
    dont_initialize();
    rtl_.reset();
  }

 private:
  void refuse_other(const pins::Place& place) const;
  void on_clock();
  void drive_inputs();
  void show_outputs();
  std::uint32_t coordinates(std::uint32_t node) const;
  std::uint32_t node(std::uint32_t coordinates) const;
  void put_flit(std::size_t port, const Flit& flit);
  Flit shown_flit(std::size_t port);

  const RtlWormholeShape shape_;
  const std::size_t flit_width_;
  VerilatedBench<Model> rtl_;
};

template <class Model>
void RtlWormholeRouter<Model>::refuse_other(const pins::Place& place) const {
  const RouterParams& asked = place.core;
  const RouterParams& made = shape_.core;
  bool same = asked.virtual_channels == made.virtual_channels &&
              asked.buffer_depth == made.buffer_depth &&
              asked.pipeline.route == made.pipeline.route &&
              asked.pipeline.vc_allocation == made.pipeline.vc_allocation &&
              asked.pipeline.departure() == made.pipeline.departure() &&
              asked.whole_packet_credit == made.whole_packet_credit && !asked.store_and_forward;
  for (const OutputChannel& channel : place.channels) same = same && channel.cycles_per_flit == 1;
  const std::size_t ports = 2 * shape_.sides.size() + 1;
  if (same && place.inputs == ports && place.outputs == ports && place.node_ports == 1) return;
  throw std::invalid_argument(
      "the RTL router has other parameters than its place in the network; make it with those");
}

// The RTL samples what was on the wires before the edge; its outputs follow registers.
template <class Model>
void RtlWormholeRouter<Model>::on_clock() {
  rtl_->rst_ni = rst_ni.read();
  drive_inputs();
  rtl_.settle();
  rtl_.edge();
  show_outputs();
}

template <class Model>
void RtlWormholeRouter<Model>::drive_inputs() {
  const std::size_t vc_width = shape_.vc_width();
  for (std::size_t port = 0; port < in_valid_i.size(); ++port) {
    set_port_bits(rtl_->in_valid_i, port, 1, in_valid_i[port].read());
    set_port_bits(rtl_->out_credit_valid_i, port, 1, out_credit_valid_i[port].read());
    set_port_bits(rtl_->out_credit_vc_i, port * vc_width, vc_width, out_credit_vc_i[port].read());
    if (!in_valid_i[port].read()) continue;
    set_port_bits(rtl_->in_vc_i, port * vc_width, vc_width, in_vc_i[port].read());
    put_flit(port, in_flit_i[port].read());
  }
}

template <class Model>
void RtlWormholeRouter<Model>::show_outputs() {
  const std::size_t vc_width = shape_.vc_width();
  const auto vc_at = [vc_width](const auto& port_vector, std::size_t port) {
    return static_cast<unsigned>(port_bits(port_vector, port * vc_width, vc_width));
  };
  for (std::size_t port = 0; port < out_valid_o.size(); ++port) {
    const bool valid = port_bit(rtl_->out_valid_o, port);
    out_valid_o[port].write(valid);
    out_vc_o[port].write(vc_at(rtl_->out_vc_o, port));
    out_flit_o[port].write(valid ? shown_flit(port) : Flit{});
    in_credit_valid_o[port].write(port_bit(rtl_->in_credit_valid_o, port));
    in_credit_vc_o[port].write(vc_at(rtl_->in_credit_vc_o, port));
  }
}

template <class Model>
std::uint32_t RtlWormholeRouter<Model>::coordinates(std::uint32_t node) const {
  std::uint32_t result = 0;
  for (std::size_t d = 0; d < shape_.sides.size(); ++d) {
    const auto side = static_cast<std::uint32_t>(shape_.sides[d]);
    result |= node % side << (d * shape_.coordinate_width);
    node /= side;
  }
  return result;
}

template <class Model>
std::uint32_t RtlWormholeRouter<Model>::node(std::uint32_t coordinates) const {
  std::uint32_t result = 0;
  for (std::size_t d = shape_.sides.size(); d-- > 0;) {
    const std::uint32_t mask = (1U << shape_.coordinate_width) - 1;
    result = result * static_cast<std::uint32_t>(shape_.sides[d]) +
             (coordinates >> (d * shape_.coordinate_width) & mask);
  }
  return result;
}

template <class Model>
void RtlWormholeRouter<Model>::put_flit(std::size_t port, const Flit& flit) {
  std::size_t at = port * flit_width_;
  const auto put = [this, &at](std::size_t width, std::uint32_t value) {
    set_port_bits(rtl_->in_flit_i, at, width, value);
    at += width;
  };
  put(shape_.place_width(), coordinates(index(flit.destination)));
  put(kRemainingWidth, flit.remaining);
  put(1, flit.head);
  put(32, index(flit.packet));
  put(16, flit.hops + (flit.head ? 1U : 0U));
  put(8, flit.ties);
  put(16, flit.reach);
}

template <class Model>
Flit RtlWormholeRouter<Model>::shown_flit(std::size_t port) {
  std::size_t at = port * flit_width_;
  const auto take = [this, &at](std::size_t width) {
    const std::uint64_t value = port_bits(rtl_->out_flit_o, at, width);
    at += width;
    return static_cast<std::uint32_t>(value);
  };
  Flit flit;
  flit.destination = NodeId{node(take(shape_.place_width()))};
  flit.remaining = static_cast<std::uint16_t>(take(kRemainingWidth));
  flit.head = take(1) != 0;
  flit.packet = PacketSlot{take(32)};
  flit.hops = static_cast<std::uint16_t>(take(16));
  flit.ties = static_cast<std::uint8_t>(take(8));
  flit.reach = static_cast<std::uint16_t>(take(16));
  return flit;
}

}  // namespace flitcast
