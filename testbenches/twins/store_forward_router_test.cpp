// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vstore_forward_router_1x1.h>
#include <Vstore_forward_router_3x3.h>
#include <Vstore_forward_router_mesh.h>
// clang-format on

#include <memory>
#include <vector>

#include "network/pins/store_forward_router.h"
#include "routing/dimension_order.h"
#include "rtl/verilated_bench.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "twins/lockstep.h"
#include "twins/port_bits.h"
#include "twins/store_forward_neighbours.h"

using namespace flitcast;

namespace {

/// The parameters of the RTL by their names there.
struct Shape {
  unsigned dimensions = 1;
  unsigned coordinate_width = 1;
  unsigned vcs = 1;
  unsigned places = 1;
  unsigned max_length = 1;
  unsigned remaining_width = 1;
  unsigned packet_width = 4;
  unsigned width = 8;
  Pipeline pipeline{};
  unsigned flit_time = 1;
  unsigned link_latency = 1;
  bool stored_injection = false;

  unsigned ports() const { return 2 * dimensions + 1; }
  unsigned local() const { return 2 * dimensions; }
  unsigned side() const { return 1U << coordinate_width; }
  unsigned node_width() const { return dimensions * coordinate_width; }
  unsigned vc_width() const {
    unsigned bits = 1;
    while (vcs > 1U << bits) ++bits;
    return bits;
  }
  Grid grid() const {
    return {"mesh", std::vector<GridDimension>(dimensions, GridDimension{side(), false})};
  }
};

pins::Place place_of(const Shape& shape, RouterId here) {
  pins::Place place;
  place.router = here;
  place.inputs = place.outputs = shape.ports();
  place.core.virtual_channels = shape.vcs;
  place.core.buffer_depth = shape.places;
  place.core.pipeline = shape.pipeline;
  place.core.store_and_forward = true;
  place.core.flit_time = shape.flit_time;
  place.core.multicast = false;
  place.channels.assign(shape.ports(), {shape.flit_time, shape.link_latency, false});
  place.channels.back().to_node = true;
  place.from_node.assign(shape.ports(), false);
  place.from_node.back() = !shape.stored_injection;
  return place;
}

DimensionOrder routing_of(const Shape& shape) {
  DimensionOrder::Params params;
  params.virtual_channels = shape.vcs;
  params.classes = VcClasses::kNone;
  return {shape.grid(), params};
}

StoreForwardNeighbours::Shape neighbours_of(const Shape& shape) {
  return {shape.ports(), 1U << shape.node_width(), shape.vcs,
          shape.places,  shape.max_length,         1U << shape.packet_width};
}

/// The flit as the RTL sees it, in up to 64 bits. Its payload is made of the rest, so that a flit
/// of the wrong place shows.
std::uint64_t bits_of(const Shape& shape, const Flit& flit) {
  const unsigned remaining = shape.node_width();
  const unsigned head = remaining + shape.remaining_width;
  const unsigned packet = head + 1;
  const unsigned payload = packet + shape.packet_width;
  const std::uint64_t mark = 0x9e3779b97f4a7c15 * (index(flit.packet) * 8 + flit.remaining + 1);
  const std::uint64_t all = mark << payload | std::uint64_t{index(flit.packet)} << packet |
                            std::uint64_t{flit.head} << head |
                            std::uint64_t{flit.remaining} << remaining | index(flit.destination);
  return all & (~std::uint64_t{0} >> (64 - shape.width));
}

/// The SystemC router and its RTL twin on the same clock, with the same neighbours.
template <class Rtl>
class Twins {
 public:
  Twins(const Shape& shape, RouterId here)
      : shape_(shape),
        routing_(routing_of(shape)),
        neighbours(neighbours_of(shape)),
        model_("router", place_of(shape, here), routing_) {
    set_port_bits(rtl_->here_i, 0, shape.node_width(), index(here));
    model_.clk_i(clk_);
    model_.rst_ni(rst_n_);
    model_.in_valid_i(in_valid_);
    model_.in_vc_i(in_vc_);
    model_.in_flit_i(in_flit_);
    model_.in_credit_valid_o(in_credit_valid_);
    model_.in_credit_vc_o(in_credit_vc_);
    model_.out_valid_o(out_valid_);
    model_.out_vc_o(out_vc_);
    model_.out_flit_o(out_flit_);
    model_.out_credit_valid_i(out_credit_valid_);
    model_.out_credit_vc_i(out_credit_vc_);
    cycle(false);
  }

  void run(unsigned cycles) {
    for (unsigned c = 0; c < cycles; ++c) {
      cycle(c % 20'000 != 10'000);
      compare();
    }
  }

  Lockstep lockstep;

 private:
  template <class T>
  using Signals = sc_core::sc_vector<sc_core::sc_signal<T>>;

  const Shape shape_;
  const DimensionOrder routing_;

 public:
  StoreForwardNeighbours neighbours;

 private:
  /// Inputs at the falling edge, the rising edge, and outputs at the next falling edge.
  void cycle(bool rst_n) {
    rst_n_ = rst_n;
    rtl_->rst_ni = rst_n;
    neighbours.begin_cycle();
    for (unsigned port = 0; port < shape_.ports(); ++port) {
      drive_flit(port);
      drive_credit(port);
    }
    if (!rst_n) neighbours.reset();
    half(false);
    half(true);
    rtl_.settle();
    rtl_.edge();
  }

  void half(bool level) {
    clk_ = level;
    sc_core::sc_start(0.5, sc_core::SC_NS);
  }

  void drive_flit(unsigned port) {
    const auto token = neighbours.send(port);
    in_valid_[port] = token.has_value();
    set_port_bits(rtl_->in_valid_i, port, 1, token.has_value());
    if (!token) return;
    in_vc_[port] = token->vc;
    in_flit_[port] = token->flit;
    set_port_bits(rtl_->in_vc_i, port * shape_.vc_width(), shape_.vc_width(), token->vc);
    set_flit(port, bits_of(shape_, token->flit));
  }
  void set_flit(unsigned port, std::uint64_t bits) {
    const unsigned low = std::min(shape_.width, 32U);
    const auto first = port * shape_.width;
    set_port_bits(rtl_->in_flit_i, first, low, static_cast<std::uint32_t>(bits));
    set_port_bits(rtl_->in_flit_i, first + low, shape_.width - low,
                  static_cast<std::uint32_t>(bits >> 32));
  }

  void drive_credit(unsigned port) {
    const auto vc = neighbours.give_credit(port);
    out_credit_valid_[port] = vc.has_value();
    out_credit_vc_[port] = vc.value_or(0);
    set_port_bits(rtl_->out_credit_valid_i, port, 1, vc.has_value());
    set_port_bits(rtl_->out_credit_vc_i, port * shape_.vc_width(), shape_.vc_width(),
                  vc.value_or(0));
  }

  void compare() {
    for (unsigned port = 0; port < shape_.ports(); ++port) {
      compare_credit(port);
      compare_flit(port);
    }
    lockstep.next_cycle();
  }
  void compare_credit(unsigned port) {
    const bool valid = in_credit_valid_[port].read();
    const unsigned vc = in_credit_vc_[port].read();
    lockstep.compare("in_credit_valid_o", port, valid, port_bit(rtl_->in_credit_valid_o, port));
    lockstep.compare("in_credit_vc_o", port, vc,
                     port_bits(rtl_->in_credit_vc_o, port * shape_.vc_width(), shape_.vc_width()));
    if (valid) neighbours.credit(port, vc);
  }
  void compare_flit(unsigned port) {
    const bool valid = out_valid_[port].read();
    const unsigned vc = out_vc_[port].read();
    const Flit& flit = out_flit_[port].read();
    lockstep.compare("out_valid_o", port, valid, port_bit(rtl_->out_valid_o, port));
    lockstep.compare("out_vc_o", port, vc,
                     port_bits(rtl_->out_vc_o, port * shape_.vc_width(), shape_.vc_width()));
    lockstep.compare("out_flit_o", port, valid ? bits_of(shape_, flit) : 0,
                     port_bits(rtl_->out_flit_o, port * shape_.width, shape_.width));
    if (valid) neighbours.receive(port, vc, flit);
  }

  VerilatedBench<Rtl> rtl_;
  sc_core::sc_signal<bool> clk_{"clk"};
  sc_core::sc_signal<bool> rst_n_{"rst_n"};
  Signals<bool> in_valid_{"in_valid", shape_.ports()};
  Signals<unsigned> in_vc_{"in_vc", shape_.ports()};
  Signals<Flit> in_flit_{"in_flit", shape_.ports()};
  Signals<bool> in_credit_valid_{"in_credit_valid", shape_.ports()};
  Signals<unsigned> in_credit_vc_{"in_credit_vc", shape_.ports()};
  Signals<bool> out_valid_{"out_valid", shape_.ports()};
  Signals<unsigned> out_vc_{"out_vc", shape_.ports()};
  Signals<Flit> out_flit_{"out_flit", shape_.ports()};
  Signals<bool> out_credit_valid_{"out_credit_valid", shape_.ports()};
  Signals<unsigned> out_credit_vc_{"out_credit_vc", shape_.ports()};
  pins::StoreForwardRouter model_;
};

template <class Rtl>
void check_twins(const Shape& shape, RouterId here, unsigned cycles, std::uint64_t packets) {
  Twins<Rtl> twins(shape, here);
  twins.run(cycles);
  const auto& difference = twins.lockstep.first_difference();
  if (difference) FAIL("first difference in " << *difference);
  CHECK(twins.lockstep.model_hash() == twins.lockstep.rtl_hash());
  CHECK(twins.neighbours.packets_received > packets);
}

}  // namespace

TEST_CASE("store-and-forward routers in SystemC and RTL agree in a mesh for 10^5 cycles",
          "[twins]") {
  Shape shape;
  shape.dimensions = shape.coordinate_width = shape.vcs = shape.places = 2;
  shape.max_length = 4;
  shape.remaining_width = 2;
  shape.packet_width = 12;
  shape.width = 34;
  check_twins<Vstore_forward_router_mesh>(shape, RouterId{6}, 100'000, 1000);
}

TEST_CASE("store-and-forward routers in SystemC and RTL agree on slow channels", "[twins]") {
  Shape shape;
  shape.coordinate_width = 2;
  shape.vcs = shape.places = 3;
  shape.max_length = 5;
  shape.remaining_width = 4;
  shape.packet_width = 6;
  shape.width = 20;
  shape.pipeline = {1, 2, 1, 2};
  shape.flit_time = shape.link_latency = 2;
  shape.stored_injection = true;
  check_twins<Vstore_forward_router_3x3>(shape, RouterId{1}, 20'000, 1000);
}

TEST_CASE("store-and-forward routers in SystemC and RTL agree with one place for one flit",
          "[twins]") {
  Shape shape;
  shape.pipeline = {0, 1, 1, 0};
  check_twins<Vstore_forward_router_1x1>(shape, RouterId{0}, 100'000, 1000);
}
