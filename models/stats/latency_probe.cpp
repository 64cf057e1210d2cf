// SPDX-License-Identifier: Apache-2.0
#include "stats/latency_probe.h"

namespace flitcast {
namespace {

Figure<LatencyProbe>::Value quantile(double share) {
  return [share](const LatencyProbe& probe) { return probe.packet_latency().quantile(share); };
}

nlohmann::ordered_json histogram(const LatencyProbe& probe) {
  nlohmann::ordered_json bins = nlohmann::ordered_json::array();
  probe.packet_latency().for_each_bucket([&](std::uint64_t upper, std::uint64_t count) {
    bins.push_back(nlohmann::ordered_json::array({upper, count}));
  });
  return bins;
}

}  // namespace

void LatencyProbe::delivered(const Delivery& delivery) {
  const Packet& packet = delivery.packet;
  if (!watches(packet)) return;
  const std::uint64_t latency = delivery.arrival - packet.created;
  packet_latency_.add(latency);
  network_latency_.add(delivery.arrival - packet.injected);
  batches_.add(packet.created, latency);
  hops_ += delivery.hops;
}

void LatencyProbe::dropped(const Packet& packet) {
  if (watches(packet)) lost_ += packet.receivers;
}

void LatencyProbe::merge(const LatencyProbe& other) {
  packet_latency_.merge(other.packet_latency_);
  network_latency_.merge(other.network_latency_);
  batches_.merge(other.batches_);
  hops_ += other.hops_;
  lost_ += other.lost_;
}

void LatencyProbe::widen() {
  end_ = end_ + (end_ - begin_);
  batches_.widen();
}

std::optional<double> LatencyProbe::relative_half_width() const {
  const std::optional<double> half_width = batches_.half_width();
  return half_width ? std::optional(*half_width / packet_latency_.mean()) : std::nullopt;
}

double LatencyProbe::mean_hops() const {
  return count() == 0 ? 0 : static_cast<double>(hops_) / static_cast<double>(count());
}

const FigureTable<LatencyProbe>& latency_figures() {
  using Latencies = LatencyProbe;
  static const FigureTable<Latencies> table{
      {"latency_cycles.mean", "cycles", "From creation to the arrival of the tail, on average.",
       [](const Latencies& p) { return p.packet_latency().mean(); }},
      {"latency_cycles.p50", "cycles", "The median; at most 1/128 too large, as all quantiles.",
       quantile(0.5)},
      {"latency_cycles.p95", "cycles", "95 % of the packets took at most so long.", quantile(0.95)},
      {"latency_cycles.p99", "cycles", "99 % of the packets took at most so long.", quantile(0.99)},
      {"latency_cycles.max", "cycles", "The longest of all.",
       [](const Latencies& p) { return p.packet_latency().max(); }},
      {"latency_cycles.count", "packets", "Deliveries of packets created in the window.",
       &Latencies::count},
      {"latency_cycles.mean_half_width_95", "cycles",
       "The true mean is within so much of the mean, with 95 % confidence; by batch means.",
       [](const Latencies& p) { return figure_of(p.batches().half_width()); }},
      {"latency_cycles.histogram", "cycles, packets",
       "Pairs of the largest latency of a bin and the packets in it, rising.", histogram},
      {"network_latency_cycles.mean", "cycles",
       "From leaving the source queue to the arrival of the tail, on average.",
       [](const Latencies& p) { return p.network_latency().mean(); }},
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
