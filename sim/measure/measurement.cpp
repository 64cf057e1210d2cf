// SPDX-License-Identifier: Apache-2.0
#include "sim/measure/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "network/fabric/fabric.h"
#include "router/invariant.h"
#include "sim/host/process.h"
#include "sim/measure/observers.h"
#include "stats/router_events.h"

namespace flitcast {

namespace {

/// The part of the window after which its precision is first checked; it doubles after each check.
std::uint64_t first_window(const MeasurementPlan& plan) {
  constexpr std::uint64_t kParts = 16;
  return plan.precision > 0 && plan.window >= kParts ? plan.window / kParts : plan.window;
}

// A workload that ends is measured as a whole. BatchMeans needs less than 2^60 cycles.
std::pair<Cycle, Cycle> window_of(const Model& model, const MeasurementPlan& plan) {
  const bool all = model.workload->ends();
  return {Cycle{all ? 0 : plan.warmup},
          Cycle{all ? std::uint64_t{1} << 59 : plan.warmup + first_window(plan)}};
}

std::unique_ptr<Network> build_network(const Model& model, const std::vector<Probe*>& probes) {
  const NetworkPlan& plan = model.network;
  return model.interface->network(
      plan,
      {*plan.topology, plan.params, model.workload->source(), plan.routing.get(), plan.groups.get(),
       probes, plan.trace && plan.implementation->has_signals ? &*plan.trace : nullptr});
}

std::vector<std::unique_ptr<PartitionProbe>> make_probes(const Model& model,
                                                         const MeasurementPlan& plan) {
  const auto [begin, end] = window_of(model, plan);
  const std::size_t classes = model.workload->class_names().size();
  std::vector<std::unique_ptr<PartitionProbe>> probes;
  for (std::size_t r = 0; r < FabricPlan::partition_count(model.topology(), model.network.params);
       ++r) {
    probes.push_back(std::make_unique<PartitionProbe>(begin, end, plan, classes));
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
        counter_(model),
        probes_(make_probes(model, plan)),
        network_(build_network(model, probes())),
        observers_(model, plan, *network_, [this] { return arrived(); }) {}

  Measurement in_window() {
    bool running = advance("warm-up", Cycle{0}, Cycle{plan_.warmup}, plan_.warmup);
    const FlitCounts begin = counter_.count(*network_);
    const Cycle start = network_->now();
    monitor_energy();
    observers_.open_window(*network_);
    running = running && monitor_window(start);
    observers_.close_window(*network_);
    const std::optional<EnergyAccount> energy = energy_since(start);
    const std::uint64_t window_cycles = network_->now() - start;
    const Carried carried = counter_.since(begin, *network_, window_cycles, plan_.fairness);
    const std::uint64_t created = carried.totals.receivers;
    if (running) advance_until("drain", plan_.drain_limit, [&] { return measured() == created; });
    Measurement result = finish(carried, window_cycles);
    result.energy = energy;
    if (result.complete()) assess_window(created, result);
    return result;
  }

  Measurement as_a_whole() {
    const Workload& workload = *model_.workload;
    monitor_energy();
    observers_.open_window(*network_);
    advance_until(workload.phase(), index(kNever),
                  [&] { return workload.ended(network_->totals()); });
    observers_.close_window(*network_);
    workload.audit(*network_);
    const std::optional<EnergyAccount> energy = energy_since(Cycle{0});
    // The network runs in steps and may have continued for some cycles after the last arrival.
    const std::uint64_t cycles = workload.cycles().value_or(index(network_->now()));
    Measurement result = finish(counter_.since({}, *network_, cycles, plan_.fairness), cycles);
    result.energy = energy;
    return result;
  }

 private:
  std::vector<Probe*> probes() const {
    std::vector<Probe*> probes;
    for (const auto& probe : probes_) probes.push_back(probe.get());
    return probes;
  }

  /// Runs to cycle `end` of a phase of `cycles` cycles that began in `begin`; false if the run
  /// ended before.
  bool advance(const std::string& phase, Cycle begin, Cycle end, std::uint64_t cycles) {
    while (network_->now() < end) {
      report_(phase, network_->now() - begin, cycles);
      constexpr std::uint64_t kStep = 1024;
      const std::uint64_t some = std::max(kStep, network_->idle_cycles());
      if (!step(std::min(some, end - network_->now()))) return false;
    }
    return true;
  }

  /// Runs the window, or as much of it as the requested precision needs; false if the run ended
  /// before.
  bool monitor_window(Cycle start) {
    growth_.observe(counter_.snapshot(*network_));
    std::uint64_t window = first_window(plan_);
    while (monitor_spans(start, window)) {
      if (2 * window > plan_.window || is_precise()) return true;
      window *= 2;
      growth_.widen();
      for (const auto& probe : probes_) probe->widen();
    }
    return false;
  }

  /// Runs the rest of a window in spans, and takes a snapshot of the queues after each; false if
  /// the run ended before.
  bool monitor_spans(Cycle start, std::uint64_t window) {
    for (std::uint64_t span = growth_.spans() + 1; span <= QueueGrowth::kSpans; ++span) {
      // A product with the window could overflow.
      const std::uint64_t rest = window % QueueGrowth::kSpans;
      const Cycle end =
          start + (window / QueueGrowth::kSpans * span + rest * span / QueueGrowth::kSpans);
      if (!advance("window", start, end, plan_.window)) return false;
      growth_.observe(counter_.snapshot(*network_));
    }
    return true;
  }

  /// True if the latencies of the packets that have arrived have the requested precision.
  bool is_precise() const {
    LatencyProbe all = probes_.front()->latency();
    for (std::size_t r = 1; r < probes_.size(); ++r) all.merge(probes_[r]->latency());
    const std::optional<double> known = all.relative_half_width();
    return known && *known <= plan_.precision;
  }

  void assess_window(std::uint64_t created, Measurement& result) const {
    result.growth = growth_.growth();
    const LatencyProbe& latency = result.packets->latency();
    const NetworkParams& params = model_.network.params;
    const auto& capacity = model_.capacity;
    const std::string over =
        capacity && capacity->exceeded()
            ? fmt::format("the load of {:g} is beyond the capacity: {}", capacity->offered,
                          to_text(*capacity, model_.topology()))
            : "";
    // Packets that arrive after an early end of the window may widen the interval slightly.
    const bool ended_early = 2 * result.window_cycles <= plan_.window;
    result.verdict =
        assess({plan_.warmup, result.window_cycles, plan_.drain_limit, created,
                latency.count() + latency.lost(), over, ended_early ? 0 : plan_.precision,
                std::uint64_t{model_.workload->longest_packet()} *
                    most_cycles_per_flit(model_.topology(), params),
                result.growth, latency});
  }

  // A busy network runs this many cycles in about a second, so a signal waits no longer.
  std::uint64_t responsive_step() const {
    constexpr std::uint64_t kRouterCycles = std::uint64_t{1} << 22;
    return std::clamp<std::uint64_t>(kRouterCycles / model_.topology().router_count(), 1, 1024);
  }

  /// Runs until `done()`, for at most `limit` cycles, or until the run ends.
  template <class Done>
  void advance_until(const std::string& phase, std::uint64_t limit, Done&& done) {
    const Cycle begin = network_->now();
    while (!done() && network_->now() - begin < limit) {
      report_(phase, network_->now() - begin, 0);
      if (!step(std::min(whole_steps(), limit - (network_->now() - begin)))) return;
    }
  }

  // A run ends after a whole number of steps, even if some of them are skipped.
  std::uint64_t whole_steps() const {
    constexpr std::uint64_t kStep = 64;
    const std::uint64_t idle = network_->idle_cycles();
    return idle == Network::kNoLimit ? kStep : std::max(kStep, idle / kStep * kStep);
  }

  // Steps are divided at the cycles in which the watchdog looks, so that results do not depend on
  // the lengths of phases.
  bool step(std::uint64_t cycles) {
    for (std::uint64_t left = cycles; left > 0;) {
      left -= skip_or_run(left);
      if (deadlocked()) return false;
      if (StopSignal::received() != 0) {
        status_ = Status::kStopped;
        return false;
      }
    }
    return true;
  }

  /// Advances by at least one and at most `most` cycles; returns how many.
  std::uint64_t skip_or_run(std::uint64_t most) {
    most = std::min(most, observers_.look(*network_));
    const std::uint64_t idle = std::min(most, network_->idle_cycles());
    if (idle > 0) {
      network_->skip(idle);
      if (events_) events_->observe();
      return idle;
    }
    const std::uint64_t watchdog = plan_.watchdog == 0 ? most : plan_.watchdog;
    const std::uint64_t part =
        std::min({most, responsive_step(), watchdog - index(network_->now()) % watchdog});
    run_network(part);
    return part;
  }

  void run_network(std::uint64_t cycles) {
    if (!events_) return network_->run(cycles);
    for (; cycles > 0; --cycles) {
      network_->run(1);
      events_->observe();
    }
  }

  void monitor_energy() {
    if (model_.energy) events_.emplace(*network_, model_.energy->format);
  }

  /// The energy since `start`; ends the monitoring of energy.
  std::optional<EnergyAccount> energy_since(Cycle start) {
    if (!events_) return std::nullopt;
    EnergyAccount account = account_of(*model_.energy, events_->events(), network_->now() - start);
    events_.reset();
    return account;
  }

  bool deadlocked() {
    if (plan_.watchdog == 0 || index(network_->now()) % plan_.watchdog != 0) return false;
    look_for_deadlock();
    if (deadlock_cycle_.empty() && stands_still()) status_ = Status::kDeadlock;
    return status_ == Status::kDeadlock;
  }

  // True if packets are due and nothing has moved for longer than any start-up, flight or credit
  // takes. This covers networks in which the exact search cannot see the reason.
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
    deadlock_cycle_ = network_->find_deadlock();
    if (!deadlock_cycle_.empty()) status_ = Status::kDeadlock;
  }

  DeliverySum arrived() const {
    DeliverySum sum;
    for (const auto& probe : probes_) {
      sum.deliveries += probe->arrived().deliveries;
      sum.cycles += probe->arrived().cycles;
    }
    return sum;
  }

  std::uint64_t measured() const {
    std::uint64_t packets = 0;
    for (const auto& probe : probes_) packets += probe->latency().count() + probe->latency().lost();
    return packets;
  }

  /// The statistics by class; the probes must be merged.
  std::vector<ClassCount> classes(const PartitionProbe& packets,
                                  std::uint64_t window_cycles) const {
    const auto nodes = static_cast<double>(model_.topology().node_count());
    std::vector<ClassCount> classes;
    for (const std::string& name : model_.workload->class_names()) {
      classes.push_back(
          {name, packets.classes()[classes.size()], nodes * static_cast<double>(window_cycles)});
    }
    if (classes.empty()) return classes;
    network_->for_each_packet([&](const Packet& packet) {
      classes[packet.message_class].packets.add_outstanding(packet);
    });
    return classes;
  }

  Measurement finish(const Carried& carried, std::uint64_t window_cycles) {
    observers_.look(*network_);
    network_->audit();
    if (plan_.watchdog != 0 && deadlock_cycle_.empty()) look_for_deadlock();
    Measurement result;
    result.verdict.status = status_;
    result.cycles = index(network_->now());
    result.window_cycles = window_cycles;
    result.totals = network_->totals();
    result.flit_hops = network_->flit_hops();
    result.window = carried.totals;
    result.deadlock_cycle = deadlock_cycle_;
    network_->write_figures(result.figures);
    result.links = carried.links;
    result.loads = carried.loads;
    result.packets = std::move(probes_.front());
    for (std::size_t r = 1; r < probes_.size(); ++r) result.packets->merge(*probes_[r]);
    result.classes = classes(*result.packets, window_cycles);
    observers_.hand_over(result);
    result.network = std::move(network_);
    return result;
  }

  const Model& model_;
  const MeasurementPlan& plan_;
  const ProgressReport& report_;
  const FlitCounter counter_;
  std::vector<std::unique_ptr<PartitionProbe>> probes_;
  QueueGrowth growth_;
  std::unique_ptr<Network> network_;
  std::optional<EventCounter> events_;  ///< Present while energy is monitored.
  Observers observers_;
  Status status_ = Status::kOk;
  std::vector<BlockedVc> deadlock_cycle_;
  std::uint64_t last_progress_ = 0;
  Cycle still_since_{};
};

}  // namespace

Measurement measure(const Model& model, const MeasurementPlan& plan, const ProgressReport& report) {
  Run run(model, plan, report);
  return model.workload->ends() ? run.as_a_whole() : run.in_window();
}

// A new key of `measure` needs a member of MeasurementPlan and a line here.
const MemberKeys<MeasurementPlan>& measure_keys() {
  using P = MeasurementPlan;
  constexpr double kLongestRun = 1e12;  // Far beyond any experiment, far below overflow.
  const auto cycles = [](const char* key, const char* help, double least) {
    return Param::integer(key, "cycles", help, least, kLongestRun);
  };
  static const MemberKeys<P> keys{
      {&P::warmup, cycles("warmup", "Length of the warm-up, before the measured window.", 0)},
      {&P::window, cycles("window", "Length of the measured window.", 1)},
      {&P::drain_limit,
       cycles("drain_limit",
              "Longest wait for the measured packets after the window; the network is saturated if "
              "they take longer.",
              0)},
      {&P::watchdog, cycles("watchdog", "Time between searches for deadlock; 0: never.", 0)},
      {&P::precision,
       Param::number("precision", "",
                     "The window ends early when half of the 95 % confidence interval of the mean "
                     "latency is this share of it; 0: never.",
                     0, 0.5)
           .dumped_if_changed()},
      {&P::series, cycles("series",
                          "Length of a span of the series over the whole run: loads, latency, "
                          "flits in buffers and on channels; 0: no series.",
                          0)
                       .dumped_if_changed()},
      {&P::buffers, cycles("buffers",
                           "Time between samples of the contents and stalls of all buffers; 0: no "
                           "samples.",
                           0)
                        .dumped_if_changed()},
      {&P::fairness, Param::boolean("fairness", false, "Report how evenly nodes are served.")
                         .dumped_if_changed()},
      {&P::distances,
       Param::boolean("distances", false, "Report latencies by the number of routers crossed.")
           .dumped_if_changed()},
  };
  return keys;
}

MeasurementPlan measurement_plan(const Configuration& configuration) {
  return measure_keys().read(configuration.section("measure"));
}

}  // namespace flitcast
