// SPDX-License-Identifier: Apache-2.0
#include "stats/latency_probe.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;

Figure<MeasuredLatency>::Value quantile(double share) {
  return [share](const MeasuredLatency& of) { return of.packets.packet_latency().quantile(share); };
}

/// Makes a figure that reads a value of the interval; null if there is no interval.
template <class Value>
Figure<MeasuredLatency>::Value of_interval(Value value) {
  return [value](const MeasuredLatency& of) {
    return of.interval ? ordered_json(value(*of.interval)) : ordered_json();
  };
}

}  // namespace

void LatencyProbe::delivered(const Delivery& delivery) {
  const Packet& packet = delivery.packet;
  if (!window_.has(packet.created)) return;
  const std::uint64_t latency = delivery.arrival - packet.created;
  packet_latency_.add(latency);
  network_latency_.add(delivery.arrival - packet.injected);
  spans_.add(window_, packet.created, latency);
  hops_ += delivery.hops;
  const auto wait = static_cast<std::int64_t>(latency - idle_.of(delivery));
  waits_ += wait;
  squared_waits_ += Wide{wait} * wait;
}

void LatencyProbe::merge(const LatencyProbe& other) {
  packet_latency_.merge(other.packet_latency_);
  network_latency_.merge(other.network_latency_);
  spans_.merge(other.spans_);
  waits_ += other.waits_;
  squared_waits_ += other.squared_waits_;
  hops_ += other.hops_;
  lost_ += other.lost_;
}

void LatencyProbe::widen() {
  window_.widen();
  spans_.widen();
}

// Computes the variance around a whole number near the mean; around 0, the sum of squares would
// cancel with the square of the sum.
double LatencyProbe::wait_variance() const {
  const Wide packets = count();
  if (packets == 0) return 0;
  const Wide middle = waits_ / packets;
  const Wide squares = squared_waits_ - 2 * middle * waits_ + packets * middle * middle;
  const double rest = static_cast<double>(waits_ - packets * middle) / static_cast<double>(packets);
  return static_cast<double>(squares) / static_cast<double>(packets) - rest * rest;
}

const FigureTable<MeasuredLatency>& latency_figures() {
  using L = MeasuredLatency;
  using I = MeanInterval;
  static const FigureTable<L> table{
      {"latency_cycles.mean", "cycles", "From creation to the arrival of the tail, on average.",
       [](const L& l) { return l.packets.packet_latency().mean(); }},
      {"latency_cycles.p50", "cycles", "The median; at most 1/128 too large, as all quantiles.",
       quantile(0.5)},
      {"latency_cycles.p95", "cycles", "95 % of the packets took at most so long.", quantile(0.95)},
      {"latency_cycles.p99", "cycles", "99 % of the packets took at most so long.", quantile(0.99)},
      {"latency_cycles.max", "cycles", "The longest of all.",
       [](const L& l) { return l.packets.packet_latency().max(); }},
      {"latency_cycles.count", "packets", "Deliveries of packets created in the window.",
       [](const L& l) { return l.packets.count(); }},
      {"latency_cycles.mean_half_width_95", "cycles",
       "The true mean is within so much of the mean, with 95 % confidence; absent if unknown.",
       of_interval([](const I& i) { return figure_of(i.half_width); })},
      {"latency_cycles.half_width_unknown", "(text)",
       "Why the half-width is unknown: few packets, short window (less than 40 relaxation times), "
       "correlated spans, wide (no better than the scatter of the latencies), or no steady state.",
       of_interval([](const I& i) {
         return i.half_width ? ordered_json() : ordered_json(to_text(i.unknown));
       })},
      {"latency_cycles.sufficient_window", "cycles",
       "Value of measure.window with which the half-width would probably be known.",
       of_interval([](const I& i) {
         const bool helps = !i.half_width && i.unknown != I::Unknown::kNoSteadyState;
         return helps ? ordered_json(i.sufficient_window()) : ordered_json();
       })},
      {"latency_cycles.relaxation_cycles", "cycles",
       "Time in which the network forgets a congestion, estimated by the spread of the waits, the "
       "load, the bursts and what is rare among packets.",
       of_interval([](const I& i) { return i.relaxation; })},
      {"latency_cycles.histogram", "(list of cycles, packets)",
       "Pairs of the largest latency of a bin and the packets in it, rising.",
       [](const L& l) { return bins_of(l.packets.packet_latency()); }},
      {"network_latency_cycles.mean", "cycles",
       "From leaving the source queue to the arrival of the tail, on average.",
       [](const L& l) { return l.packets.network_latency().mean(); }},
  };
  return table;
}

const FigureTable<Distance>& distance_figures() {
  using D = Distance;
  static const FigureTable<D> table{
      {"hops", "routers", "That the packets crossed.", [](const D& d) { return d.first; }},
      {"packets", "packets", "Deliveries of packets created in the window.",
       [](const D& d) { return d.second.packets; }},
      {"mean", "cycles", "From creation to the arrival of the tail, on average.",
       [](const D& d) {
         return static_cast<double>(d.second.cycles) / static_cast<double>(d.second.packets);
       }},
      {"max", "cycles", "The longest of them.", [](const D& d) { return d.second.most; }},
  };
  return table;
}

}  // namespace flitcast
