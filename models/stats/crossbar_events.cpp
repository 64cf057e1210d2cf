// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "stats/router_monitor.h"

namespace flitcast {
namespace {

/// Observes a channel with at most one flit per cycle by the channel's count of flits.
class Line {
 public:
  explicit Line(std::uint64_t flits) : flits_(flits) {}

  /// Returns the changed bits of flit and valid.
  double observe(std::uint64_t flits, const FlitFormat& format) {
    const bool before = valid_;
    valid_ = flits != flits_;
    flits_ = flits;
    if (!before && !valid_) return 0;
    return (before != valid_ ? 1 : 0) + format.payload_changes();
  }
  bool valid() const { return valid_; }

 private:
  std::uint64_t flits_;
  bool valid_ = false;
};

/// Monitors a crossbar of stages that take one cycle: a flit that leaves a crossbar is at the next
/// crossbar in the following cycle.
class CrossbarMonitor final : public RouterMonitor {
 public:
  CrossbarMonitor(const CircuitNetwork& network, const FlitFormat& format, RouterId router,
                  std::vector<Sender> senders)
      : network_(network),
        format_(format),
        router_(router),
        senders_(std::move(senders)),
        to_node_(crossbar().outputs()) {
    for (const Sender& sender : senders_) inputs_.emplace_back(sender.flits(network));
    for (unsigned o = 0; o < crossbar().outputs(); ++o) {
      outputs_.emplace_back(network.flits_from(output(o)));
      drivers_.push_back(crossbar().driver(o));
    }
    const Topology& topology = network.topology();
    for (const NodeId n : topology.nodes()) {
      const Endpoint end = topology.attachment(n).ejection;
      if (end.router == router) to_node_[index(end.port)] = true;
    }
  }

  void observe(RouterEvents& events) override {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      events.bits_in += inputs_[i].observe(senders_[i].flits(network_), format_);
      if (inputs_[i].valid()) ++events.flits_in;
    }
    for (unsigned o = 0; o < outputs_.size(); ++o) {
      const double bits = outputs_[o].observe(network_.flits_from(output(o)), format_);
      events.bits_out += bits;
      (to_node_[o] ? events.node_bits : events.link_bits) += bits;
      if (outputs_[o].valid()) ++events.flits_out;
      see_driver(o, events);
    }
  }

 private:
  const CrossbarCore& crossbar() const { return network_.stages().crossbar(index(router_)); }
  Endpoint output(unsigned port) const { return {router_, to_id<PortId>(port)}; }

  void see_driver(unsigned o, RouterEvents& events) {
    const std::uint32_t driver = crossbar().driver(o);
    if (driver == drivers_[o]) return;
    events.source_changes += (driver != CrossbarCore::kNone) + (drivers_[o] != CrossbarCore::kNone);
    drivers_[o] = driver;
  }

  const CircuitNetwork& network_;
  const FlitFormat& format_;
  const RouterId router_;
  const std::vector<Sender> senders_;  // Indexed by input.
  std::vector<bool> to_node_;          // Indexed by output.
  std::vector<Line> inputs_;
  std::vector<Line> outputs_;
  std::vector<std::uint32_t> drivers_;  // Indexed by output.
};

}  // namespace

std::vector<std::unique_ptr<RouterMonitor>> monitor_crossbars(const CircuitNetwork& network,
                                                              const FlitFormat& format) {
  std::vector<std::unique_ptr<RouterMonitor>> monitors;
  for (std::vector<Sender>& senders : senders_of(network.topology())) {
    const RouterId router{static_cast<std::uint32_t>(monitors.size())};
    monitors.push_back(
        std::make_unique<CrossbarMonitor>(network, format, router, std::move(senders)));
  }
  return monitors;
}

}  // namespace flitcast
