// SPDX-License-Identifier: Apache-2.0
#include "sim/running_network.h"

#include "network/audit.h"
#include "network/circuit/circuit_network.h"
#include "network/fabric.h"
#include "network/inspection.h"

namespace flitcast {
namespace {

class PacketNetwork : public RunningNetwork {
 public:
  PacketNetwork(Model& model, const std::vector<Probe*>& probes)
      : fabric_("fabric", *model.topology, *model.routing, *model.source, model.params, probes),
        inspection_(fabric_) {}

  void run(std::uint64_t cycles) override { fabric_.run(cycles); }
  Cycle now() const override { return fabric_.now(); }
  Totals totals() const override { return fabric_.totals(); }
  std::uint64_t flit_hops() const override { return fabric_.flit_hops(); }
  std::uint64_t channel_flits(std::size_t channel) const override {
    return fabric_.channel_flits(channel);
  }
  std::uint64_t flits_ejected(NodeId node) const override { return fabric_.flits_ejected(node); }
  std::uint32_t max_queue() const override { return fabric_.max_queue(); }
  std::uint32_t max_held() const override { return fabric_.max_held(); }
  void audit() const override { flitcast::audit(inspection_); }
  std::vector<BlockedVc> find_deadlock() const override {
    return flitcast::find_deadlock(inspection_);
  }
  // Longer than any start-up, flight or credit takes.
  std::uint64_t longest_standstill() const override {
    const NetworkParams& params = fabric_.params();
    return 2 * (params.startup + fabric_.rows() * params.cycles_per_flit);
  }

 private:
  Fabric fabric_;
  Inspection inspection_;
};

class CircuitSwitched : public RunningNetwork {
 public:
  CircuitSwitched(Model& model, const std::vector<Probe*>& probes, Cycle begin, Cycle end)
      : topology_(*model.topology),
        network_("circuits", structure_of(dynamic_cast<const Clos&>(*model.topology)),
                 *model.source, *model.groups, *model.params.circuit,
                 probes.empty() ? nullptr : probes.front()) {
    network_.on_drop([this, &model, begin, end](const Packet& packet, Cycle, std::vector<WakeUp>&) {
      if (packet.created >= begin && packet.created < end) given_up_ += packet.receivers;
      if (model.multicasts != nullptr) model.multicasts->given_up(packet);
    });
  }

  void run(std::uint64_t cycles) override {
    network_.run(cycles);
    circuit_ = network_.circuit_totals();
  }
  Cycle now() const override { return network_.now(); }
  Totals totals() const override { return network_.totals(); }
  std::uint64_t flit_hops() const override {
    const auto& switches = network_.layout().switches();
    std::uint64_t hops = 0;
    for (std::uint32_t s = 0; s < switches.size(); ++s) {
      for (std::uint32_t output = 0; output < switches[s].outputs; ++output) {
        hops += network_.stages().link(s, output).flits;
      }
    }
    return hops;
  }
  // Switches and routers are numbered alike.
  std::uint64_t channel_flits(std::size_t channel) const override {
    const Endpoint from = topology_.channels()[channel].from;
    return network_.stages().link(index(from.router), index(from.port)).flits;
  }
  std::uint64_t flits_ejected(NodeId node) const override { return network_.flits_ejected(node); }
  const CircuitTotals* circuit() const override { return &circuit_; }
  std::uint64_t given_up() const override { return given_up_; }
  void audit() const override { network_.audit(); }
  // Nobody holds anything while he waits, and a service takes as long as it takes.
  std::vector<BlockedVc> find_deadlock() const override { return {}; }
  std::uint64_t longest_standstill() const override { return kNoLimit; }

 private:
  const Topology& topology_;
  CircuitNetwork network_;
  CircuitTotals circuit_;
  std::uint64_t given_up_ = 0;
};

}  // namespace

std::size_t probe_count(const Model& model) {
  return model.params.circuit ? 1 : Fabric::region_count(*model.topology, model.params);
}

std::unique_ptr<RunningNetwork> build_network(Model& model, const std::vector<Probe*>& probes,
                                              Cycle begin, Cycle end) {
  if (model.params.circuit) return std::make_unique<CircuitSwitched>(model, probes, begin, end);
  return std::make_unique<PacketNetwork>(model, probes);
}

}  // namespace flitcast
