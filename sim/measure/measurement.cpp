// SPDX-License-Identifier: Apache-2.0
#include "sim/measure/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/sequences.h"
#include "network/fabric/fabric.h"
#include "router/invariant.h"
#include "sim/host/process.h"
#include "sim/measure/observers.h"
#include "sim/measure/traffic_scale.h"
#include "stats/router_events.h"

namespace flitcast {

namespace {

/// The window of a run. With a requested precision it begins as the shortest of 1/2, 1/4, ... of
/// the window that has at least 1024 cycles. A workload that ends is measured as a whole.
Window window_of(const Model& model, const MeasurementPlan& plan) {
  constexpr std::uint64_t kShortest = 1024;
  if (model.workload->ends()) return {Cycle{0}, index(kNever)};
  std::uint64_t parts = 1;
  while (plan.precision > 0 && plan.window / (2 * parts) >= kShortest) parts *= 2;
  return {Cycle{plan.warmup}, plan.window, parts};
}

IdleLatency idle_latency(const NetworkParams& params) {
  const bool stores = params.unit() == BufferUnit::kPacket;
  return {hop_cycles(params), stores ? params.cycles_per_flit : 0, params.cycles_per_flit};
}

std::unique_ptr<Network> build_network(const Model& model, const std::vector<Probe*>& probes) {
  const NetworkPlan& plan = model.network;
  return model.interface->network(
      plan,
      {*plan.topology, plan.params, model.workload->source(), plan.routing.get(), plan.groups.get(),
       probes, plan.trace && plan.implementation->has_signals ? &*plan.trace : nullptr});
}

std::vector<std::unique_ptr<PartitionProbe>> make_probes(const Model& model,
                                                         const MeasurementPlan& plan,
                                                         const Window& window) {
  const IdleLatency idle = idle_latency(model.network.params);
  const std::size_t classes = model.workload->class_names().size();
  return tabulated(
      FabricPlan::partition_count(model.topology(), model.network.params),
      [&](std::size_t) { return std::make_unique<PartitionProbe>(window, idle, plan, classes); });
}

/// One run of a network, phase by phase.
class Run : public SteppedRun {
 public:
  Run(const Model& model, const MeasurementPlan& plan, ProgressReport report)
      : model_(model),
        plan_(plan),
        report_(std::move(report)),
        counter_(model),
        window_(window_of(model, plan)),
        probes_(make_probes(model, plan, window_)),
        network_(build_network(model, probes())),
        observers_(model, plan, *network_, [this] { return arrived(); }) {}

  Measurement in_window() {
    const bool warm = advance("warm-up", Cycle{0}, Cycle{plan_.warmup}, plan_.warmup);
    const FlitCounts begin = counter_.count(*network_);
    if (model_.energy) events_.emplace(*network_, model_.energy->format);
    observers_.open_window(*network_);
    model_.workload->open_window(network_->now());
    const bool measured_all = warm && monitor_window(begin);
    if (!measured_all) close_window(begin);
    const std::uint64_t created = end_.carried.totals.receivers;
    const auto drained = [&, end = network_->now()] {
      return model_.workload->finish_window(end) && measured() == created;
    };
    if (measured_all) advance_until("drain", plan_.drain_limit, drained);
    Measurement result = finish(end_.carried, end_.cycles);
    result.energy = end_.energy;
    if (result.complete()) assess_window(result);
    return result;
  }

  Measurement as_a_whole() {
    const Workload& workload = *model_.workload;
    if (model_.energy) events_.emplace(*network_, model_.energy->format);
    observers_.open_window(*network_);
    advance_until(workload.phase(), index(kNever),
                  [&] { return workload.ended(network_->totals()); });
    if (const auto end = end_of_workload()) advance(workload.phase(), Cycle{0}, Cycle{*end}, *end);
    observers_.close_window(*network_);
    workload.audit(*network_);
    const std::uint64_t cycles = cycles_as_a_whole();
    const std::optional<EnergyAccount> energy = energy_in(cycles);
    Measurement result = finish(counter_.since({}, *network_, cycles, plan_.fairness), cycles);
    result.energy = energy;
    if (result.complete()) note_background(result);
    return result;
  }

  // The functions below are for a run that its caller advances.

  Network& network() override { return *network_; }
  bool run_to(Cycle end) override { return status_ == Status::kOk && step(end - network_->now()); }
  Measurement so_far() override {
    const std::uint64_t cycles = cycles_as_a_whole();
    return finish(counter_.since({}, *network_, cycles, plan_.fairness), cycles, true);
  }

 private:
  /// The first cycle after a workload that is complete; nodes may compute until then.
  std::optional<std::uint64_t> end_of_workload() const {
    if (!model_.workload->ended(network_->totals())) return std::nullopt;
    Cycle last{0};
    for (const auto& probe : probes_) last = std::max(last, probe->last_arrival());
    return model_.workload->completion_cycle(last);
  }

  /// The cycles of a workload that has ended. The network runs in steps and may have continued for
  /// some cycles after it; what else is in flight is measured until now.
  std::uint64_t cycles_as_a_whole() const {
    const Totals totals = network_->totals();
    const bool idle = totals.packets_created == totals.packets_delivered;
    const auto end = idle || model_.workload->cycles() ? end_of_workload() : std::nullopt;
    return end.value_or(index(network_->now()));
  }

  std::vector<Probe*> probes() const {
    return mapped<Probe*>(probes_, [](const auto& probe) { return probe.get(); });
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

  /// The measurements at the end of a window, which is shorter than planned if the mean may
  /// already be precise enough.
  struct WindowEnd {
    std::uint64_t cycles = 0;
    Carried carried{};
    std::optional<EnergyAccount> energy{};
    std::optional<QueueGrowth::Growth> growth{};
  };

  /// Runs the window, or as much of it as the requested precision needs; false if the run ended
  /// before. A window that may be long enough is decided when its last packet has arrived, while
  /// the next one, of twice its length, is under observation; it is passed over if that has not
  /// happened by the end of the next one.
  bool monitor_window(const FlitCounts& begin) {
    observe_spans(0);
    for (;; widen()) {
      if (!monitor_spans()) break;
      is_looking_ = !window_.is_whole();
      close_window(begin);
      if (!is_looking_) return true;
    }
    if (is_looking_ && !is_precise_) continue_probes();
    return is_precise_;
  }

  /// Runs the rest of the window in spans; false if it need not, or cannot, go on.
  bool monitor_spans() {
    for (std::uint64_t span = growth_.spans() * kSpans / QueueGrowth::kSpans + 1; span <= kSpans;
         ++span) {
      if (!ends_growth_span(span) && !ends_history_span(span)) continue;
      if (!advance("window", window_.begin(), end_of(span), plan_.window)) return false;
      if (is_looking_ && knows_enough()) return false;
      observe_spans(span);
    }
    if (is_looking_) continue_probes();
    return true;
  }

  static bool ends_growth_span(std::uint64_t span) {
    return span % (kSpans / QueueGrowth::kSpans) == 0;
  }
  static bool ends_history_span(std::uint64_t span) {
    return span % (kSpans / FlitHistory::kSpans) == 0;
  }

  // A network runs two cycles at once where it can: a history, which is compared with itself alone,
  // does not divide them.
  Cycle end_of(std::uint64_t span) const {
    const Cycle end = window_.end_of(span, kSpans);
    return ends_growth_span(span) ? end : window_.begin() + (end - window_.begin()) / 2 * 2;
  }

  void observe_spans(std::uint64_t span) {
    if (ends_growth_span(span)) growth_.observe(counter_.snapshot(*network_));
    if (!ends_history_span(span)) return;
    const Totals totals = network_->totals();
    flits_.observe({totals.flits_created, totals.flits_ejected});
  }

  void close_window(const FlitCounts& begin) {
    const bool may_go_on = is_looking_;
    observers_.close_window(*network_, may_go_on);
    end_.cycles = network_->now() - begin.cycle;
    end_.energy = energy_in(network_->now() - begin.cycle, may_go_on);
    end_.carried = counter_.since(begin, *network_, end_.cycles, plan_.fairness);
    end_.growth = growth_.growth();
    if (!end_.growth || !end_.growth->whole.beyond_chance()) return;
    const Totals& totals = end_.carried.totals;
    if (totals.receivers != totals.packets_created || totals.receivers_dropped != 0) return;
    const auto since = flits_.collapse(end_.growth->whole.chance);
    if (!since) return;
    const Cycle collapse = end_of(since->span * kSpans / FlitHistory::kSpans);
    const double node_cycles = static_cast<double>(model_.topology().node_count()) *
                               static_cast<double>(network_->now() - collapse);
    end_.growth->collapse = {index(collapse),
                             static_cast<double>(since->flits.created) / node_cycles,
                             static_cast<double>(since->flits.accepted) / node_cycles};
  }

  /// Doubles the window, of which the probes still measure both lengths.
  void widen() {
    window_.widen();
    growth_.widen();
    flits_.widen();
    for (const auto& probe : probes_) probe->look_ahead();
  }

  /// True if all packets of the shorter window have arrived and their mean is precise enough; if it
  /// is not, only the longer window is measured further.
  bool knows_enough() {
    if (measured() != end_.carried.totals.receivers) return false;
    LatencyProbe all = probes_.front()->latency();
    for (std::size_t r = 1; r < probes_.size(); ++r) all.merge(probes_[r]->latency());
    const MeanInterval interval = all.interval(traffic_scale(model_, end_.carried.totals));
    is_precise_ = interval.half_width &&
                  *interval.half_width <= plan_.precision * all.packet_latency().mean();
    if (!is_precise_) continue_probes();
    return is_precise_;
  }

  void continue_probes() {
    is_looking_ = false;
    for (const auto& probe : probes_) probe->widen();
  }

  void assess_window(Measurement& result) const {
    result.growth = end_.growth;
    const LatencyProbe& latency = result.packets->latency();
    TrafficScale traffic = traffic_scale(model_, end_.carried.totals);
    const MeanInterval interval = latency.interval(traffic);
    // Classes share channels, so none of them settles before all do.
    traffic.slowest = std::max(traffic.slowest, interval.relaxation);
    const auto& capacity = model_.capacity;
    const std::string over =
        capacity && capacity->exceeded()
            ? fmt::format("the load of {:g} is beyond the capacity: {}", capacity->offered,
                          to_text(*capacity, model_.topology()))
            : "";
    const Evidence all{plan_.warmup,
                       result.window_cycles,
                       plan_.drain_limit,
                       end_.carried.totals.receivers,
                       latency.count() + latency.lost(),
                       over,
                       plan_.precision,
                       longest_service(model_),
                       result.growth,
                       latency,
                       interval};
    result.verdict = assess(all);
    for (const ClassCount& one : result.classes) {
      assess_class(one.name, one.packets, all, result.verdict);
    }
    note_starvation(result);
    const Status status = result.verdict.status;
    if (status != Status::kSaturated && result.growth) result.growth->collapse.reset();
    result.interval = interval;
    state_precision(latency, *result.interval);
    for (ClassCount& one : result.classes) {
      one.interval = one.packets.latency().interval(traffic);
      state_precision(one.packets.latency(), *one.interval);
    }
    if (status == Status::kOk || status == Status::kImprecise) return;
    result.interval->withdraw();
    for (ClassCount& one : result.classes) one.interval->withdraw();
  }

  // Traffic beside workloads that end has no verdict, because its window is as long as they are.
  void note_background(Measurement& result) const {
    constexpr double kArrived = 0.9;  // More is in flight in a run of a few round trips only.
    const std::uint64_t hundred = 100 * std::uint64_t{model_.workload->longest_packet()};
    for (const ClassCount& one : result.classes) {
      const std::uint64_t offered = one.packets.flits_offered();
      const std::uint64_t accepted = one.packets.flits_accepted();
      if (offered == 0) {
        result.verdict.notes.push_back(fmt::format(
            "class {} has sent nothing: the run ended after {} cycles", one.name, result.cycles));
      }
      if (offered < hundred ||
          static_cast<double>(accepted) >= kArrived * static_cast<double>(offered)) {
        continue;
      }
      result.verdict.notes.push_back(fmt::format(
          "class {} falls behind: {} of the {} flits that it offered had arrived at the end, and "
          "its latency is that of these; lower its load to measure beside a network in steady "
          "state",
          one.name, accepted, offered));
    }
  }

  // Other classes take what a starving one waits for, so this is an overload and no deadlock. Only
  // classes that offered 100 packets are assessed: with fewer, less than 1 % accepted can be
  // chance.
  void note_starvation(Measurement& result) const {
    if (result.verdict.status != Status::kSaturated) return;
    const std::uint64_t hundred = 100 * std::uint64_t{model_.workload->longest_packet()};
    const ArbitrationKind kind = model_.network.params.router.options.arbitration;
    const bool has_shares =
        kind == ArbitrationKind::kWeighted || kind == ArbitrationKind::kGuaranteed;
    for (const ClassCount& one : result.classes) {
      const std::uint64_t offered = one.packets.flits_offered();
      const std::uint64_t accepted = one.packets.flits_accepted();
      if (offered < hundred || accepted * 100 >= offered) continue;
      result.verdict.notes.push_back(fmt::format(
          "class {} starves, which is no deadlock: {} of the {} flits that it offered in the "
          "window arrived; lower the load of the classes before it, or {}",
          one.name, accepted, offered,
          has_shares ? "give it a larger weight or rate"
                     : "set router.arbitration to age, weighted or guaranteed"));
    }
  }

  // A run that ends when its interval is narrow may have met an interval that is narrow by chance:
  // it shows the requested precision and no more (Chow and Robbins, 1965).
  void state_precision(const LatencyProbe& latency, MeanInterval& interval) const {
    if (!interval.half_width) return;
    interval.half_width =
        std::max(*interval.half_width, plan_.precision * latency.packet_latency().mean());
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

  /// The energy of a number of cycles; ends the monitoring of energy unless it goes on.
  std::optional<EnergyAccount> energy_in(std::uint64_t cycles, bool goes_on = false) {
    if (!events_) return std::nullopt;
    EnergyAccount account = account_of(*model_.energy, events_->events(), cycles);
    if (!goes_on) events_.reset();
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
    return sum_of<std::uint64_t>(probes_, [](const auto& probe) {
      return probe->latency().count() + probe->latency().lost();
    });
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

  /// @param goes_on  The network and the probes stay.
  Measurement finish(const Carried& carried, std::uint64_t window_cycles, bool goes_on = false) {
    observers_.look(*network_);
    network_->audit();
    if (deadlock_cycle_.empty()) look_for_deadlock();
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
    observers_.hand_over(*network_, result);
    result.packets =
        goes_on ? std::make_unique<PartitionProbe>(*probes_.front()) : std::move(probes_.front());
    for (std::size_t r = 1; r < probes_.size(); ++r) result.packets->merge(*probes_[r]);
    result.classes = classes(*result.packets, window_cycles);
    if (PacketLog* const log = result.packets->log()) {
      network_->for_each_packet([log](const Packet& packet) { log->add_outstanding(packet); });
    }
    if (!goes_on) result.network = std::move(network_);
    return result;
  }

  /// The spans after which something is observed: a multiple of the spans of all observers.
  static constexpr std::uint64_t kSpans = 320;
  static_assert(kSpans % QueueGrowth::kSpans == 0 && kSpans % FlitHistory::kSpans == 0);

  const Model& model_;
  const MeasurementPlan& plan_;
  const ProgressReport report_;  ///< Not called for a SteppedRun.
  const FlitCounter counter_;
  Window window_;
  std::vector<std::unique_ptr<PartitionProbe>> probes_;
  QueueGrowth growth_;
  FlitHistory flits_;
  WindowEnd end_;
  bool is_looking_ = false;  ///< Packets of a window that may be long enough are awaited.
  bool is_precise_ = false;  ///< It was long enough.
  std::unique_ptr<Network> network_;
  std::optional<EventCounter> events_;  ///< Present while energy is monitored.
  Observers observers_;
  Status status_ = Status::kOk;
  std::vector<BlockedVc> deadlock_cycle_;
  std::uint64_t last_progress_ = 0;
  Cycle still_since_{};
};

}  // namespace

std::unique_ptr<SteppedRun> stepped_run(const Model& model, const MeasurementPlan& plan) {
  return std::make_unique<Run>(model, plan, ProgressReport());
}

Measurement measure(const Model& model, const MeasurementPlan& plan, const ProgressReport& report) {
  Run run(model, plan, report);
  return model.workload->ends() ? run.as_a_whole() : run.in_window();
}

}  // namespace flitcast
