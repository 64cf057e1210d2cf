// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cosim/port_bits.h"
#include "network/pins/router.h"
#include "rtl/verilated_bench.h"

namespace flitcast {

/// Parameters with which a router for meshes is Verilated, and its mesh.
struct RtlRouterShape {
  std::vector<std::size_t> sides{4, 4};
  unsigned coordinate_width = 2;
  unsigned remaining_width = 4;
  RouterParams core{};
  unsigned link_latency = 1;      ///< For store-and-forward only, as is stored_injection.
  bool stored_injection = false;  ///< As NetworkParams::stored_injection.
  BufferUnit unit = BufferUnit::kFlit;

  std::size_t place_width() const { return sides.size() * coordinate_width; }
  std::size_t vc_width() const {
    std::size_t width = 1;
    while (core.virtual_channels > 1U << width) ++width;
    return width;
  }
  bool has_ports_of(const pins::Site& place) const {
    const std::size_t ports = 2 * sides.size() + 1;
    return place.inputs == ports && place.outputs == ports && place.node_ports == 1;
  }
  bool has_pipeline_of(const pins::Site& place) const {
    const Pipeline& asked = place.core.pipeline;
    return asked.route == core.pipeline.route &&
           asked.vc_allocation == core.pipeline.vc_allocation &&
           asked.departure() == core.pipeline.departure();
  }

  /// Converts the number of a node to its coordinates in the RTL, and back.
  std::uint32_t coordinates(std::uint32_t node) const {
    std::uint32_t result = 0;
    for (std::size_t d = 0; d < sides.size(); ++d) {
      const auto side = static_cast<std::uint32_t>(sides[d]);
      result |= node % side << (d * coordinate_width);
      node /= side;
    }
    return result;
  }
  std::uint32_t node(std::uint32_t coordinates) const {
    std::uint32_t result = 0;
    for (std::size_t d = sides.size(); d-- > 0;) {
      const std::uint32_t mask = (1U << coordinate_width) - 1;
      result = result * static_cast<std::uint32_t>(sides[d]) +
               (coordinates >> (d * coordinate_width) & mask);
    }
    return result;
  }
};

/// Values of a port after the RTL has settled, before its pins show them.
struct RtlOutputs {
  bool valid = false;
  unsigned vc = 0;
  Flit flit{};
  bool credit_valid = false;
  unsigned credit_vc = 0;
};

/// RTL of a router behind the pins of its SystemC model, for benches and fabrics. `Format` converts
/// flits to and from the RTL and counts a packet's hops:
///
///   Format(const RtlRouterShape&, const pins::Site&);  throws std::invalid_argument for a place
///                                                       that asks for another router
///   std::size_t width() const;
///   void put(Port&, std::size_t low, const Flit&) const;
///   Flit take(const Port&, std::size_t low) const;
template <class Model, class Format>
class RtlRouter : public pins::Router {
 public:
  /// @param is_reset  False: the registers have random values until a reset by the pin.
  RtlRouter(const sc_core::sc_module_name& name, const pins::Site& place,
            const RtlRouterShape& shape, bool is_reset = true)
      : Router(name, place.inputs, place.outputs),
        vc_width_(shape.vc_width()),
        format_(shape, place) {
    set_port_bits(rtl_->here_i, 0, shape.place_width(), shape.coordinates(index(place.router)));
    SC_HAS_PROCESS(RtlRouter);
    SC_METHOD(on_clock);
    sensitive << clk_i.pos();
    dont_initialize();
    if (is_reset) rtl_.reset();
  }

  VerilatedBench<Model>& rtl() { return rtl_; }
  void settle() { rtl_.settle(); }

  using Outputs = RtlOutputs;
  Outputs outputs(std::size_t port) {
    const auto vc_at = [this, port](const auto& vcs) {
      return static_cast<unsigned>(port_bits(vcs, port * vc_width_, vc_width_));
    };
    return {port_bit(rtl_->out_valid_o, port), vc_at(rtl_->out_vc_o),
            format_.take(rtl_->out_flit_o, port * format_.width()),
            port_bit(rtl_->in_credit_valid_o, port), vc_at(rtl_->in_credit_vc_o)};
  }

 private:
  // The RTL samples the wires before the edge; its outputs follow registers.
  void on_clock() {
    rtl_->rst_ni = rst_ni.read();
    for (std::size_t port = 0; port < in_valid_i.size(); ++port) drive(port);
    rtl_.settle();
    rtl_.edge();
    for (std::size_t port = 0; port < out_valid_o.size(); ++port) show(port);
  }

  void drive(std::size_t port) {
    const std::size_t vc = port * vc_width_;
    set_port_bits(rtl_->in_valid_i, port, 1, in_valid_i[port].read());
    set_port_bits(rtl_->out_credit_valid_i, port, 1, out_credit_valid_i[port].read());
    set_port_bits(rtl_->out_credit_vc_i, vc, vc_width_, out_credit_vc_i[port].read());
    if (!in_valid_i[port].read()) return;
    set_port_bits(rtl_->in_vc_i, vc, vc_width_, in_vc_i[port].read());
    format_.put(rtl_->in_flit_i, port * format_.width(), in_flit_i[port].read());
  }

  void show(std::size_t port) {
    const Outputs now = outputs(port);
    out_valid_o[port].write(now.valid);
    out_vc_o[port].write(now.vc);
    out_flit_o[port].write(now.flit);
    in_credit_valid_o[port].write(now.credit_valid);
    in_credit_vc_o[port].write(now.credit_vc);
  }

  const std::size_t vc_width_;
  const Format format_;
  VerilatedBench<Model> rtl_;
};

/// Writes consecutive fields.
template <class Port>
class FieldWriter {
 public:
  FieldWriter(Port& port, std::size_t low) : port_(port), at_(low) {}
  void put(std::size_t width, std::uint32_t value) {
    set_port_bits(port_, at_, width, value);
    at_ += width;
  }

 private:
  Port& port_;
  std::size_t at_;
};

/// Reads consecutive fields.
template <class Port>
class FieldReader {
 public:
  FieldReader(const Port& port, std::size_t low) : port_(port), at_(low) {}
  std::uint32_t take(std::size_t width) {
    const std::uint64_t value = port_bits(port_, at_, width);
    at_ += width;
    return static_cast<std::uint32_t>(value);
  }

 private:
  const Port& port_;
  std::size_t at_;
};

}  // namespace flitcast
