// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cosim/cosim.h"
#include "cosim/rtl_router.h"
#include "routing/dimension_order.h"
#include "topology/grid.h"

namespace flitcast {

inline DimensionOrder routing_of(const RtlRouterShape& shape) {
  DimensionOrder::Params params;
  params.virtual_channels = shape.core.virtual_channels;
  params.classes = VcClasses::kNone;
  return {mesh(shape.sides), params};
}

/// Describes the router's position in the mesh as a fabric does.
inline pins::Site site_of(const RtlRouterShape& shape, RouterId here) {
  const Grid grid = mesh(shape.sides);
  pins::Site place{here, static_cast<unsigned>(grid.input_count(here)),
                   static_cast<unsigned>(grid.output_count(here)), shape.core};
  place.unit = shape.unit;
  for (unsigned port = 0; port + 1 < place.outputs; ++port) {
    const std::size_t x = grid.coordinate(NodeId{index(here)}, port / 2);
    place.connected.push_back(port % 2 == 0 ? x + 1 < grid.size(port / 2) : x > 0);
  }
  place.connected.push_back(true);  // The local port is always connected.
  place.channels.assign(place.outputs, {shape.core.flit_time, shape.link_latency, false});
  place.channels.back().to_node = true;
  place.from_node.assign(place.inputs, false);
  place.from_node.back() = !shape.stored_injection;
  return place;
}

/// Groups the nodes by the output through which packets to them leave.
inline std::vector<std::vector<NodeId>> nodes_by_output(const RtlRouterShape& shape, NodeId here) {
  const Grid grid = mesh(shape.sides);
  std::map<std::pair<std::size_t, bool>, std::vector<NodeId>> groups;
  for (std::uint32_t n = 0; n < grid.node_count(); ++n) {
    const NodeId node{n};
    const auto along = [&](std::size_t d) {
      return static_cast<int>(grid.coordinate(node, d)) -
             static_cast<int>(grid.coordinate(here, d));
    };
    std::size_t d = 0;
    while (d < grid.dimensions() && along(d) == 0) ++d;
    groups[{d, d < grid.dimensions() && along(d) > 0}].push_back(node);
  }
  std::vector<std::vector<NodeId>> result;
  for (auto& [output, nodes] : groups) result.push_back(std::move(nodes));
  return result;
}

/// Lock-step of a SystemC router and its RTL on the same wires, with the same neighbours; a bench
/// as cosim.h requires. One cycle in 1000, drawn at random, is in reset.
///
/// `Neighbours` sends flits and returns credits: see router_neighbours.h.
template <class Model, class Rtl, class Neighbours>
class RouterCosim {
 public:
  /// A router for meshes.
  RouterCosim(const RtlRouterShape& shape, RouterId here, unsigned max_length)
      : RouterCosim(shape, site_of(shape, here),
                    std::make_shared<DimensionOrder>(routing_of(shape)),
                    nodes_by_output(shape, NodeId{index(here)}), max_length) {}

  /// A router at any place. `Rtl` is made of a name, the place, and `shape`, which may be the
  /// routing in a form of its own.
  template <class Shape>
  RouterCosim(const Shape& shape, const pins::Site& place, std::shared_ptr<const Routing> routing,
              const std::vector<std::vector<NodeId>>& destinations, unsigned max_length)
      : place_(place),
        routing_(std::move(routing)),
        neighbours_({connected(), destinations, place_.core.virtual_channels,
                     place_.core.buffer_depth, max_length}),
        inputs_(place_.inputs, place_.outputs),
        model_shows_("model", place_.inputs, place_.outputs),
        rtl_pins_("rtl", place_.inputs, place_.outputs),
        model_("model_router", place_, *routing_),
        rtl_("rtl_router", place_, shape) {
    connect(model_, model_shows_);
    connect(rtl_, rtl_pins_);
    rst_n_ = false;
    edge();
  }

  /// Drives the inputs that the next edge samples.
  void drive() {
    const bool active = random_() % 1000 != 0;
    rst_n_ = active;
    if (!active) neighbours_.reset();
    neighbours_.begin_cycle();
    for (unsigned port = 0; port < std::max(place_.inputs, place_.outputs); ++port) {
      if (port < place_.inputs) send(port, active);
      if (port < place_.outputs) give_credit(port, active);
    }
  }

  // Reads the outputs of the RTL itself instead of its pins: they keep the change by an injected
  // fault until the next edge.
  void compare(Lockstep& lockstep) {
    rtl_.settle();
    for (unsigned port = 0; port < std::max(place_.inputs, place_.outputs); ++port) {
      const auto both = [&](const char* name, std::uint64_t of_model, std::uint64_t of_rtl) {
        lockstep.compare(name, port, of_model, of_rtl);
      };
      const auto rtl_shows = rtl_.outputs(port);
      if (port < place_.inputs) {
        both("in_credit_valid_o", model_shows_.credit_valid[port].read(), rtl_shows.credit_valid);
        both("in_credit_vc_o", model_shows_.credit_vc[port].read(), rtl_shows.credit_vc);
      }
      if (port >= place_.outputs) continue;
      both("out_valid_o", model_shows_.valid[port].read(), rtl_shows.valid);
      both("out_vc_o", model_shows_.vc[port].read(), rtl_shows.vc);
      compare_flits(both, model_shows_.flit[port].read(), rtl_shows.flit);
    }
  }

  /// Runs from one falling edge of the clock to the next.
  void edge() {
    for (const bool level : {false, true}) {
      clk_ = level;
      sc_core::sc_start(0.5, sc_core::SC_NS);
    }
  }

  auto& rtl() { return rtl_.rtl(); }

 private:
  template <class T>
  using Signals = sc_core::sc_vector<sc_core::sc_signal<T>>;

  struct Inputs {
    Inputs(unsigned inputs, unsigned outputs)
        : valid("in_valid", inputs),
          vc("in_vc", inputs),
          flit("in_flit", inputs),
          credit_valid("out_credit_valid", outputs),
          credit_vc("out_credit_vc", outputs) {}
    Signals<bool> valid;
    Signals<unsigned> vc;
    Signals<Flit> flit;
    Signals<bool> credit_valid;
    Signals<unsigned> credit_vc;
  };
  struct Outputs {
    Outputs(const std::string& side, unsigned inputs, unsigned outputs)
        : valid((side + "_out_valid").c_str(), outputs),
          vc((side + "_out_vc").c_str(), outputs),
          flit((side + "_out_flit").c_str(), outputs),
          credit_valid((side + "_in_credit_valid").c_str(), inputs),
          credit_vc((side + "_in_credit_vc").c_str(), inputs) {}
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

  /// The ports of both sides that have a neighbour.
  std::vector<bool> connected() const {
    std::vector<bool> result = place_.connected;
    if (result.empty()) result.assign(place_.outputs, true);
    result.resize(std::max(place_.inputs, place_.outputs), true);
    return result;
  }

  /// The neighbours sample at the same edge, so they learn only then what is on the wires.
  void send(unsigned port, bool active) {
    const auto token = active ? neighbours_.send(port) : std::nullopt;
    inputs_.valid[port] = token.has_value();
    if (token) {
      inputs_.vc[port] = token->vc;
      inputs_.flit[port] = token->flit;
    }
    const Outputs& shows = model_shows_;
    if (active && shows.credit_valid[port].read()) {
      neighbours_.take_credit(port, shows.credit_vc[port].read());
    }
  }
  void give_credit(unsigned port, bool active) {
    const auto credit = active ? neighbours_.give_credit(port) : std::nullopt;
    inputs_.credit_valid[port] = credit.has_value();
    if (credit) inputs_.credit_vc[port] = *credit;
    const Outputs& shows = model_shows_;
    if (active && shows.valid[port].read()) {
      neighbours_.receive(port, shows.vc[port].read(), shows.flit[port].read());
    }
  }

  template <class Both>
  static void compare_flits(const Both& both, const Flit& model, const Flit& rtl) {
    both("out_flit_o.destination", index(model.destination), index(rtl.destination));
    both("out_flit_o.packet", index(model.packet), index(rtl.packet));
    both("out_flit_o.remaining", model.remaining, rtl.remaining);
    both("out_flit_o.head", model.head, rtl.head);
    both("out_flit_o.hops", model.hops, rtl.hops);
    both("out_flit_o.ties", model.ties, rtl.ties);
    both("out_flit_o.route_field", model.route_field, rtl.route_field);
  }

  const pins::Site place_;
  const std::shared_ptr<const Routing> routing_;
  Neighbours neighbours_;
  std::mt19937 random_{3};  // Generator of resets.
  sc_core::sc_signal<bool> clk_{"clk"};
  sc_core::sc_signal<bool> rst_n_{"rst_n"};
  Inputs inputs_;
  Outputs model_shows_;
  Outputs rtl_pins_;
  Model model_;
  Rtl rtl_;
};

}  // namespace flitcast
