// SPDX-License-Identifier: Apache-2.0
#include "sim/measure/series.h"

#include "base/sequences.h"
#include "network/fabric/router_cores.h"
#include "sim/measure/flit_counts.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;
using Moment = Series::Moment;

/// Returns a list with an entry for every span, computed from the moments at its start and end.
template <class Value>
ordered_json of_spans(const Series& series, Value value) {
  return ordered_json(mapped(numbers(1, series.moments.size()), [&](std::size_t span) {
    return value(series.moments[span - 1], series.moments[span]);
  }));
}

/// The rate of a counter, summed over all nodes.
Figure<Series>::Value rate_of(std::uint64_t Totals::*counter) {
  return [counter](const Series& series) {
    return of_spans(series, [&](const Moment& begin, const Moment& end) {
      const double node_cycles =
          static_cast<double>(series.nodes) * static_cast<double>(end.at - begin.at);
      return static_cast<double>(end.totals.*counter - begin.totals.*counter) / node_cycles;
    });
  };
}

ordered_json mean_latency(const Moment& begin, const Moment& end) {
  const std::uint64_t deliveries = end.arrived.deliveries - begin.arrived.deliveries;
  if (deliveries == 0) return nullptr;
  return static_cast<double>(end.arrived.cycles - begin.arrived.cycles) /
         static_cast<double>(deliveries);
}

ordered_json flits_of_routers(const Series& series) {
  if (series.moments.empty() || series.moments.front().routers.empty()) return nullptr;
  return tabulated(series.moments.front().routers.size(), [&](std::size_t r) {
    return of_spans(series,
                    [r](const Moment&, const Moment& end) { return ordered_json(end.routers[r]); });
  });
}

/// The number of flits in the buffers of a router.
std::uint64_t buffered_flits(const Inspection& network, RouterId router) {
  const RouterState& state = network.state(router);
  if (network.params().cores->unit == BufferUnit::kPacket) return state.stored_flits;
  return sum_of<std::uint64_t>(numbers(state.vc_index(state.input_ports, 0)),
                               [&](unsigned vc) { return state.inputs[vc].count; });
}

}  // namespace

std::vector<std::uint64_t> Series::of_link(std::size_t channel) const {
  std::vector<std::uint64_t> flits;
  for (std::size_t span = 1; span < moments.size(); ++span) {
    if (moments[span].links.empty()) continue;
    flits.push_back(moments[span].links[channel] - moments[span - 1].links[channel]);
  }
  return flits;
}

const FigureTable<Series> kSeriesFigures{
    {"series.cycles", "cycles",
     "Length of a span; the first starts in cycle 0. A multiple of measure.series with at most "
     "256 spans.",
     &Series::cycles},
    {"series.last_cycles", "cycles",
     "Length of the last span, which the end of the run may shorten.",
     [](const Series& s) { return s.last_cycles(); }},
    {"series.offered_flits_per_node_cycle", "(list of flits per node and cycle)",
     "Flits created in each span.", rate_of(&Totals::flits_created)},
    {"series.accepted_flits_per_node_cycle", "(list of flits per node and cycle)",
     "Flits ejected in each span.", rate_of(&Totals::flits_ejected)},
    {"series.latency_cycles", "(list of cycles)",
     "Mean latency of the packets that arrived in each span; null where none did.",
     [](const Series& s) { return of_spans(s, mean_latency); }},
    {"series.flits_waiting", "(list of flits)", "Flits in source queues at the end of each span.",
     [](const Series& s) {
       return of_spans(s, [](const Moment&, const Moment& end) {
         return ordered_json(end.totals.flits_created - end.totals.flits_injected);
       });
     }},
    {"series.flits_in_buffers", "(list of flits)", "Flits in routers at the end of each span.",
     [](const Series& s) -> ordered_json {
       if (s.moments.empty() || !s.moments.front().buffered) return nullptr;
       return of_spans(
           s, [](const Moment&, const Moment& end) { return ordered_json(*end.buffered); });
     }},
    {"series.routers", "(list of flits)",
     "For each router, the flits in its buffers at the end of each span; absent beyond 1024 "
     "routers.",
     flits_of_routers},
};

SeriesRecorder::SeriesRecorder(const Network& network, const Topology& topology,
                               std::uint64_t cycles, std::function<DeliverySum()> arrived)
    : topology_(topology),
      channels_(topology),
      arrived_(std::move(arrived)),
      inspection_(network.inspection()),
      series_{cycles, topology.node_count(), {}} {}

void SeriesRecorder::look(const Network& network) {
  add_moment(network);
  if (series_.spans() > kMostSpans) join_spans();
  next_ = Cycle{series_.cycles * series_.moments.size()};
}

Series SeriesRecorder::take(const Network& network) {
  if (!series_.moments.empty() && network.now() > series_.moments.back().at) add_moment(network);
  return std::move(series_);
}

void SeriesRecorder::add_moment(const Network& network) {
  Moment& moment = series_.moments.emplace_back(
      Moment{network.now(), network.totals(), arrived_(), {}, {}, std::nullopt});
  if (channels_.count() <= kMostChannels) {
    moment.links = tabulated(channels_.count(),
                             [&](std::size_t c) { return flits_on(network, channels_, c); });
  }
  if (inspection_ == nullptr) return;
  moment.buffered = 0;
  for (std::uint32_t r = 0; r < topology_.router_count(); ++r) {
    const std::uint64_t flits = buffered_flits(*inspection_, RouterId{r});
    *moment.buffered += flits;
    if (topology_.router_count() <= kMostRouters) moment.routers.push_back(flits);
  }
}

// The last moment has an odd index: it lies within a merged span that is not complete, and is
// dropped.
void SeriesRecorder::join_spans() {
  std::vector<Moment>& moments = series_.moments;
  for (std::size_t kept = 0; 2 * kept < moments.size(); ++kept) {
    if (kept > 0) moments[kept] = std::move(moments[2 * kept]);
  }
  moments.resize((moments.size() + 1) / 2);
  series_.cycles *= 2;
}

}  // namespace flitcast
