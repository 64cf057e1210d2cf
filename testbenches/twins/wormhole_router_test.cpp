// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vwormhole_router_deep.h>
#include <Vwormhole_router_fast.h>
#include <Vwormhole_router_mesh.h>
// clang-format on

#include "network/pins/wormhole_router.h"
#include "routing/dimension_order.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "twins/lockstep.h"
#include "twins/rtl_wormhole_router.h"
#include "twins/wormhole_neighbours.h"

using namespace flitcast;

namespace {

/// As the parameters of the models in CMakeLists.txt.
RtlWormholeShape fast_line() { return {{4}, 2, {1, 1, {0, 0, 1, 0}}}; }
RtlWormholeShape deep_mesh() { return {{3, 3}, 2, {3, 3, {2, 3, 2, 1}, true}}; }
RtlWormholeShape usual_mesh() { return {{4, 4}, 2, {2, 4}}; }

DimensionOrder routing_of(const RtlWormholeShape& shape) {
  DimensionOrder::Params params;
  params.virtual_channels = shape.core.virtual_channels;
  params.classes = VcClasses::kNone;
  return {mesh(shape.sides), params};
}

pins::Place place_of(const RtlWormholeShape& shape, RouterId here) {
  const Grid grid = mesh(shape.sides);
  pins::Place place{here, static_cast<unsigned>(grid.input_count(here)),
                    static_cast<unsigned>(grid.output_count(here)), shape.core};
  for (unsigned port = 0; port + 1 < place.outputs; ++port) {
    const std::size_t x = grid.coordinate(NodeId{index(here)}, port / 2);
    place.connected.push_back(port % 2 == 0 ? x + 1 < grid.size(port / 2) : x > 0);
  }
  place.connected.push_back(true);  // The local port.
  return place;
}

/// The SystemC router and its RTL twin on the same wires, with the same neighbours.
template <class Rtl>
class Twins {
 public:
  Twins(const RtlWormholeShape& shape, RouterId here, unsigned max_length)
      : place_(place_of(shape, here)),
        routing_(routing_of(shape)),
        neighbours({place_.connected, static_cast<unsigned>(mesh(shape.sides).node_count()),
                    shape.core.virtual_channels, shape.core.buffer_depth, max_length}),
        inputs_(place_.inputs),
        model_shows_("model", place_.inputs),
        rtl_shows_("rtl", place_.inputs),
        model_("model_router", place_, routing_),
        rtl_("rtl_router", place_, shape) {
    connect(model_, model_shows_);
    connect(rtl_, rtl_shows_);
    rst_n_ = false;
    edge();
  }

  void run(unsigned cycles) {
    for (unsigned c = 0; c < cycles; ++c) {
      const bool reset = c % 20'000 == 10'000;
      rst_n_ = !reset;
      if (reset) neighbours.reset();
      drive(!reset);
      edge();
      compare();
    }
  }

 private:
  template <class T>
  using Signals = sc_core::sc_vector<sc_core::sc_signal<T>>;

  struct Inputs {
    explicit Inputs(unsigned ports)
        : valid("in_valid", ports),
          vc("in_vc", ports),
          flit("in_flit", ports),
          credit_valid("out_credit_valid", ports),
          credit_vc("out_credit_vc", ports) {}
    Signals<bool> valid;
    Signals<unsigned> vc;
    Signals<Flit> flit;
    Signals<bool> credit_valid;
    Signals<unsigned> credit_vc;
  };
  struct Outputs {
    Outputs(const std::string& side, unsigned ports)
        : valid((side + "_out_valid").c_str(), ports),
          vc((side + "_out_vc").c_str(), ports),
          flit((side + "_out_flit").c_str(), ports),
          credit_valid((side + "_in_credit_valid").c_str(), ports),
          credit_vc((side + "_in_credit_vc").c_str(), ports) {}
    Signals<bool> valid;
    Signals<unsigned> vc;
    Signals<Flit> flit;
    Signals<bool> credit_valid;
    Signals<unsigned> credit_vc;
  };

  void connect(pins::Router& router, Outputs& outputs) {
    router.clk_i(clk_);
    router.rst_ni(rst_n_);
    router.in_valid_i(inputs_.valid);
    router.in_vc_i(inputs_.vc);
    router.in_flit_i(inputs_.flit);
    router.in_credit_valid_o(outputs.credit_valid);
    router.in_credit_vc_o(outputs.credit_vc);
    router.out_valid_o(outputs.valid);
    router.out_vc_o(outputs.vc);
    router.out_flit_o(outputs.flit);
    router.out_credit_valid_i(inputs_.credit_valid);
    router.out_credit_vc_i(inputs_.credit_vc);
  }

  void edge() {
    for (const bool level : {false, true}) {
      clk_ = level;
      sc_core::sc_start(0.5, sc_core::SC_NS);
    }
  }

  /// What the next edge samples.
  void drive(bool active) {
    neighbours.begin_cycle();
    for (unsigned port = 0; port < place_.inputs; ++port) {
      const auto token = active ? neighbours.send(port) : std::nullopt;
      inputs_.valid[port] = token.has_value();
      if (token) {
        inputs_.vc[port] = token->vc;
        inputs_.flit[port] = token->flit;
      }
      const auto credit = active ? neighbours.give_credit(port) : std::nullopt;
      inputs_.credit_valid[port] = credit.has_value();
      if (credit) inputs_.credit_vc[port] = *credit;
      if (active) listen(port);
    }
  }

  /// The neighbours sample at that edge, too: what is on the wires now they know only then.
  void listen(unsigned port) {
    if (model_shows_.credit_valid[port].read()) {
      neighbours.take_credit(port, model_shows_.credit_vc[port].read());
    }
    if (model_shows_.valid[port].read()) neighbours.receive(port, model_shows_.vc[port].read());
  }

  void compare() {
    for (unsigned port = 0; port < place_.outputs; ++port) {
      const auto both = [this, port](const char* name, auto member) {
        lockstep.compare(name, port, (model_shows_.*member)[port].read(),
                         (rtl_shows_.*member)[port].read());
      };
      both("out_valid_o", &Outputs::valid);
      both("out_vc_o", &Outputs::vc);
      both("in_credit_valid_o", &Outputs::credit_valid);
      both("in_credit_vc_o", &Outputs::credit_vc);
      compare_flits(port, model_shows_.flit[port].read(), rtl_shows_.flit[port].read());
    }
    lockstep.next_cycle();
  }

  void compare_flits(unsigned port, const Flit& model, const Flit& rtl) {
    const auto both = [this, port](const char* name, std::uint64_t of_model, std::uint64_t of_rtl) {
      lockstep.compare(name, port, of_model, of_rtl);
    };
    both("out_flit_o.destination", index(model.destination), index(rtl.destination));
    both("out_flit_o.packet", index(model.packet), index(rtl.packet));
    both("out_flit_o.remaining", model.remaining, rtl.remaining);
    both("out_flit_o.head", model.head, rtl.head);
    both("out_flit_o.hops", model.hops, rtl.hops);
    both("out_flit_o.ties", model.ties, rtl.ties);
    both("out_flit_o.reach", model.reach, rtl.reach);
  }

  const pins::Place place_;
  const DimensionOrder routing_;

 public:
  Lockstep lockstep;
  WormholeNeighbours neighbours;

 private:
  sc_core::sc_signal<bool> clk_{"clk"};
  sc_core::sc_signal<bool> rst_n_{"rst_n"};
  Inputs inputs_;
  Outputs model_shows_;
  Outputs rtl_shows_;
  pins::WormholeRouter model_;
  RtlWormholeRouter<Rtl> rtl_;
};

/// @param max_length  Flits of a packet, at most.
template <class Rtl>
void check_twins(const RtlWormholeShape& shape, std::uint32_t here, unsigned max_length,
                 unsigned cycles) {
  Twins<Rtl> twins(shape, RouterId{here}, max_length);
  twins.run(cycles);
  const auto& difference = twins.lockstep.first_difference();
  if (difference) FAIL("first difference in " << *difference);
  CHECK(twins.lockstep.model_hash() == twins.lockstep.rtl_hash());
  CHECK(twins.neighbours.received > cycles / 8);
}

}  // namespace

TEST_CASE("the wormhole routers in SystemC and RTL show the same outputs for 10^5 cycles",
          "[twins]") {
  check_twins<Vwormhole_router_mesh>(usual_mesh(), 5, 9, 100'000);
}

TEST_CASE("the wormhole routers in SystemC and RTL agree in a corner of the mesh", "[twins]") {
  const std::uint32_t corner = GENERATE(0U, 3U, 15U);
  check_twins<Vwormhole_router_mesh>(usual_mesh(), corner, 5, 20'000);
}

TEST_CASE("the wormhole routers in SystemC and RTL agree with one VC and slot and no waiting",
          "[twins]") {
  check_twins<Vwormhole_router_fast>(fast_line(), 1, 4, 50'000);
}

TEST_CASE("the wormhole routers in SystemC and RTL agree on cut-through in deep pipelines",
          "[twins]") {
  check_twins<Vwormhole_router_deep>(deep_mesh(), 4, 3, 50'000);
}
