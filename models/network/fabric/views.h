// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "base/ids.h"
#include "base/sequences.h"
#include "network/fabric/channel_outputs.h"
#include "router/wormhole_core.h"
#include "topology/topology.h"

namespace flitcast {

/// The flit buffers of one router input: one ring per virtual channel.
///
/// Like all views, it has a name in the module hierarchy and reads the state that the partition
/// keeps in its arena; it has no process and costs nothing per cycle.
class FlitBuffer : public sc_core::sc_module {
 public:
  FlitBuffer(const sc_core::sc_module_name& name, const RouterState& state, PortId port)
      : sc_module(name), state_(state), port_(port) {}

  /// The flits per virtual channel for which there is memory: those of the deepest buffer of the
  /// network. Credits stand for the slots of this one.
  unsigned capacity() const { return state_.depth; }
  unsigned occupancy(VcId vc) const { return input(vc).count; }
  /// The flit that leaves next. Only valid while occupancy(vc) > 0, and not in routers that store
  /// packets as a whole, whose capacity and occupancy count packets.
  const Flit& front(VcId vc) const {
    return state_.front(state_.vc_index(index(port_), index(vc)));
  }

 private:
  const InputVc& input(VcId vc) const {
    return state_.inputs[state_.vc_index(index(port_), index(vc))];
  }

  const RouterState& state_;
  const PortId port_;
};

/// The switch of one router: the assignment of packets to outputs.
class Crossbar : public sc_core::sc_module {
 public:
  Crossbar(const sc_core::sc_module_name& name, const RouterState& state)
      : sc_module(name), state_(state) {}

  unsigned inputs() const { return state_.input_ports; }
  unsigned outputs() const { return state_.output_ports; }
  /// True if a packet holds this output VC.
  bool held(PortId output, VcId vc) const {
    return state_.outputs[state_.vc_index(index(output), index(vc))].owner != OutputVc::kNone;
  }

 private:
  const RouterState& state_;
};

/// A router of the fabric.
class Router : public sc_core::sc_module {
 public:
  /// @param full  True if the router's buffers and crossbar are modules, too.
  Router(const sc_core::sc_module_name& name, RouterId id, const RouterState& state, bool full)
      : sc_module(name), id_(id), state_(state) {
    if (!full) return;
    for (std::uint16_t port = 0; port < state.input_ports; ++port) {
      const std::string buffer = "input_" + std::to_string(port);
      buffers_.push_back(std::make_unique<FlitBuffer>(buffer.c_str(), state, PortId{port}));
    }
    crossbar_ = std::make_unique<Crossbar>("crossbar", state);
  }

  RouterId id() const { return id_; }
  /// The number of flits in all buffers of the router.
  unsigned occupancy() const {
    return sum_of<unsigned>(numbers(state_.vc_index(state_.input_ports, 0)),
                            [&](unsigned i) { return state_.inputs[i].count; });
  }
  /// Credits for the input VC at the far end of an output's channel. In a fabric that does not run
  /// in lockstep the count may include credits in flight; see CreditReturn.
  unsigned credits(PortId output, VcId vc) const {
    return state_.outputs[state_.vc_index(index(output), index(vc))].credits;
  }

 private:
  const RouterId id_;
  const RouterState& state_;
  std::vector<std::unique_ptr<FlitBuffer>> buffers_;
  std::unique_ptr<Crossbar> crossbar_;
};

/// A channel between two routers, with its credit wires.
class Link : public sc_core::sc_module {
 public:
  Link(const sc_core::sc_module_name& name, const Channel& channel, const FlitOutput& end)
      : sc_module(name), channel_(channel), end_(end) {}

  const Channel& channel() const { return channel_; }
  /// The number of flits that have entered the channel since the start.
  std::uint64_t flits() const { return end_.flits; }

 private:
  const Channel channel_;
  const FlitOutput& end_;
};

}  // namespace flitcast
