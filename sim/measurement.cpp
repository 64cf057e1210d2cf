// SPDX-License-Identifier: Apache-2.0
#include "sim/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "network/fabric.h"
#include "router/invariant.h"
#include "sim/stop_signal.h"

namespace flitcast {

namespace {

/// Everything that is counted, at one moment.
struct Snapshot {
  Totals totals;
  std::vector<std::uint64_t> channel_flits;
  std::vector<std::uint64_t> node_flits;
};

// Of a workload that ends all counts. BatchMeans wants less than 2^60 cycles.
std::pair<Cycle, Cycle> window_of(const Model& model, const MeasurementPlan& plan) {
  const bool all = model.workload->ends();
  return {Cycle{all ? 0 : plan.warmup},
          Cycle{all ? std::uint64_t{1} << 59 : plan.warmup + plan.window}};
}

std::unique_ptr<Network> build_network(const Model& model, const std::vector<Probe*>& probes) {
  const NetworkPlan& plan = model.network;
  return plan.router->make({*plan.topology, plan.params, model.workload->source(),
                            plan.routing.get(), plan.groups.get(), probes});
}

std::vector<std::unique_ptr<RegionProbe>> make_probes(const Model& model,
                                                      const MeasurementPlan& plan) {
  const auto [begin, end] = window_of(model, plan);
  std::vector<std::unique_ptr<RegionProbe>> probes;
  for (std::size_t r = 0; r < Fabric::region_count(model.topology(), model.network.params); ++r) {
    probes.push_back(std::make_unique<RegionProbe>(begin, end, plan.packet_log));
  }
  return probes;
}

/// One run of a network, phase by phase.
class Run {
 public:
  Run(const Model& model, const MeasurementPlan& plan, const ProgressReport& report)
      : model_(model),
        plan_(plan),
        report_(report),
        probes_(make_probes(model, plan)),
        network_(build_network(model, probes())) {}

  Measurement in_window() {
    bool running = advance("warm-up", plan_.warmup);
    const Snapshot begin = snapshot();
    const Cycle start = network_->now();
    running = running && advance("window", plan_.window);
    const Snapshot end = snapshot();
    const std::uint64_t window_cycles = network_->now() - start;
    const std::uint64_t created = end.totals.receivers - begin.totals.receivers;
    if (running) {
      if (backlog_grew(begin, end)) status_ = Status::kSaturated;
      advance_until("drain", plan_.drain_limit, [&] { return measured() == created; });
      if (status_ == Status::kOk && measured() < created) status_ = Status::kSaturated;
    }
    return finish(begin, end, window_cycles);
  }

  Measurement as_a_whole() {
    const Workload& workload = *model_.workload;
    const Snapshot begin = snapshot();
    advance_until(workload.phase(), index(kNever),
                  [&] { return workload.ended(network_->totals()); });
    workload.audit();
    // The network runs in steps and may have gone on for a while after the last arrival.
    return finish(begin, snapshot(), workload.cycles().value_or(index(network_->now())));
  }

 private:
  std::vector<Probe*> probes() const {
    std::vector<Probe*> probes;
    for (const auto& probe : probes_) probes.push_back(probe.get());
    return probes;
  }

  /// Runs up to `cycles` cycles of a phase; false if the run is over before.
  bool advance(const std::string& phase, std::uint64_t cycles) {
    const Cycle begin = network_->now();
    while (network_->now() - begin < cycles) {
      report_(phase, network_->now() - begin, cycles);
      constexpr std::uint64_t kStep = 1024;
      if (!step(std::min(kStep, cycles - (network_->now() - begin)))) return false;
    }
    return true;
  }

  // Cycles that even a busy network runs in about a second, so that a signal need not wait longer.
  std::uint64_t responsive_step() const {
    constexpr std::uint64_t kRouterCycles = std::uint64_t{1} << 22;
    return std::clamp<std::uint64_t>(kRouterCycles / model_.topology().router_count(), 1, 1024);
  }

  /// Runs until `done` says so, `limit` cycles have passed or the run is over.
  template <class Done>
  void advance_until(const std::string& phase, std::uint64_t limit, Done&& done) {
    constexpr std::uint64_t kStep = 64;
    const Cycle begin = network_->now();
    while (!done() && network_->now() - begin < limit) {
      report_(phase, network_->now() - begin, 0);
      if (!step(std::min(kStep, limit - (network_->now() - begin)))) return;
    }
  }

  // Cut at the cycles in which the watchdog looks, so that results do not depend on the phases'
  // steps.
  bool step(std::uint64_t cycles) {
    for (std::uint64_t left = cycles; left > 0;) {
      const std::uint64_t watchdog = plan_.watchdog == 0 ? left : plan_.watchdog;
      const std::uint64_t part =
          std::min({left, responsive_step(), watchdog - index(network_->now()) % watchdog});
      network_->run(part);
      left -= part;
      if (deadlocked()) return false;
      if (StopSignal::received() != 0) {
        status_ = Status::kStopped;
        return false;
      }
    }
    return true;
  }

  bool deadlocked() {
    if (plan_.watchdog == 0 || index(network_->now()) % plan_.watchdog != 0) return false;
    look_for_deadlock();
    if (circle_.empty() && stands_still()) status_ = Status::kDeadlock;
    return status_ == Status::kDeadlock;
  }

  // Packets are due, and nothing has moved for longer than any start-up, flight or credit takes.
  // For networks in which the exact search cannot see why.
  bool stands_still() {
    const Totals totals = network_->totals();
    const std::uint64_t progress =
        totals.packets_created + totals.flits_injected + network_->flit_hops();
    if (progress != last_progress_ || totals.receivers == totals.packets_delivered) {
      last_progress_ = progress;
      still_since_ = network_->now();
    }
    const std::uint64_t longest = network_->longest_standstill();
    return longest != Network::kNoLimit &&
           network_->now() - still_since_ > 2 * plan_.watchdog + longest;
  }

  void look_for_deadlock() {
    circle_ = network_->find_deadlock();
    if (!circle_.empty()) status_ = Status::kDeadlock;
  }

  Snapshot snapshot() const {
    Snapshot snapshot{network_->totals(), {}, {}};
    for (const Channel& channel : model_.topology().channels()) {
      snapshot.channel_flits.push_back(network_->flits_from(channel.from));
    }
    for (std::uint32_t n = 0; n < model_.topology().node_count(); ++n) {
      snapshot.node_flits.push_back(network_->flits_ejected(NodeId{n}));
    }
    return snapshot;
  }

  std::uint64_t measured() const {
    std::uint64_t packets = 0;
    for (const auto& probe : probes_) packets += probe->latency().count() + probe->latency().lost();
    return packets;
  }

  // In steady state as much leaves, or is dropped, as enters, up to chance; a network that is
  // offered too much falls behind by a fixed share.
  bool backlog_grew(const Snapshot& begin, const Snapshot& end) const {
    constexpr double kShare = 0.05;
    const Totals window = end.totals - begin.totals;
    const auto due = static_cast<double>(window.receivers);
    const auto left = static_cast<double>(window.packets_delivered + window.receivers_dropped);
    const double growth = due - left;
    const auto nodes = static_cast<double>(model_.topology().node_count());
    return growth > kShare * due && growth > 2 * nodes;
  }

  std::vector<LinkLoad> link_loads(const Snapshot& begin, const Snapshot& end,
                                   std::uint64_t window_cycles) const {
    const double capacity = static_cast<double>(window_cycles) /
                            static_cast<double>(model_.network.params.cycles_per_flit);
    std::vector<LinkLoad> links;
    for (std::size_t c = 0; c < end.channel_flits.size(); ++c) {
      const std::uint64_t flits = end.channel_flits[c] - begin.channel_flits[c];
      links.push_back({c, flits, capacity > 0 ? static_cast<double>(flits) / capacity : 0});
    }
    std::stable_sort(links.begin(), links.end(),
                     [](const LinkLoad& a, const LinkLoad& b) { return a.flits > b.flits; });
    return links;
  }

  Loads loads(const Snapshot& begin, const Snapshot& end, std::uint64_t window_cycles) const {
    const auto window = static_cast<double>(window_cycles);
    const double node_cycles = static_cast<double>(model_.topology().node_count()) * window;
    const Totals totals = end.totals - begin.totals;
    std::uint64_t fewest = ~std::uint64_t{0};
    for (std::size_t n = 0; n < end.node_flits.size(); ++n) {
      fewest = std::min(fewest, end.node_flits[n] - begin.node_flits[n]);
    }
    return {static_cast<double>(totals.flits_created) / node_cycles,
            static_cast<double>(totals.flits_ejected) / node_cycles,
            static_cast<double>(fewest) / window};
  }

  Measurement finish(const Snapshot& begin, const Snapshot& end, std::uint64_t window_cycles) {
    network_->audit();
    if (plan_.watchdog != 0 && circle_.empty()) look_for_deadlock();
    Measurement result;
    result.status = status_;
    result.cycles = index(network_->now());
    result.window_cycles = window_cycles;
    result.totals = network_->totals();
    result.flit_hops = network_->flit_hops();
    result.window = end.totals - begin.totals;
    result.circle = circle_;
    network_->write_figures(result.figures);
    result.links = link_loads(begin, end, window_cycles);
    if (window_cycles > 0) result.loads = loads(begin, end, window_cycles);
    result.packets = std::move(probes_.front());
    for (std::size_t r = 1; r < probes_.size(); ++r) result.packets->merge(*probes_[r]);
    return result;
  }

  const Model& model_;
  const MeasurementPlan& plan_;
  const ProgressReport& report_;
  std::vector<std::unique_ptr<RegionProbe>> probes_;
  std::unique_ptr<Network> network_;
  Status status_ = Status::kOk;
  std::vector<BlockedVc> circle_;
  std::uint64_t last_progress_ = 0;
  Cycle still_since_{};
};

}  // namespace

const char* to_text(Status status) {
  constexpr std::array<const char*, 4> kNames{"ok", "saturated", "deadlock", "stopped"};
  return kNames[static_cast<std::size_t>(status)];
}

Measurement measure(const Model& model, const MeasurementPlan& plan, const ProgressReport& report) {
  Run run(model, plan, report);
  return model.workload->ends() ? run.as_a_whole() : run.in_window();
}

MeasurementPlan measurement_plan(const Configuration& configuration) {
  const Section& section = configuration.section("measure");
  return {section.count("warmup"), section.count("window"), section.count("drain_limit"),
          section.count("watchdog"), false};
}

}  // namespace flitcast
