// SPDX-License-Identifier: Apache-2.0
#include "sim/measure/flit_counts.h"

#include <algorithm>

#include "base/sequences.h"

namespace flitcast {

std::uint64_t flits_on(const Network& network, const ChannelNumbering& channels,
                       std::size_t channel) {
  if (!channels.is_injection(channel)) return network.flits_from(channels.begin(channel));
  return network.flits_injected(channels.node(channel), channels.node_port(channel));
}

FlitCounts FlitCounter::count(const Network& network) const {
  FlitCounts counts{network.now(), network.totals()};
  if (counts.cycle == Cycle{0}) return counts;
  counts.links =
      tabulated(channels_.count(), [&](std::size_t c) { return link_count(network, c); });
  counts.node_flits = mapped(model_.topology().nodes(),
                             [&](const NodeId node) { return network.flits_ejected(node); });
  return counts;
}

LinkCount FlitCounter::link_count(const Network& network, std::size_t channel) const {
  const std::uint64_t flits = flits_on(network, channels_, channel);
  if (channels_.is_injection(channel)) return {flits, {}};
  return {flits, network.busy_until(channels_.begin(channel))};
}

Snapshot FlitCounter::snapshot(const Network& network) const {
  Snapshot snapshot(model_.topology().node_count());
  for (std::uint32_t n = 0; n < model_.topology().node_count(); ++n) {
    snapshot.created[n] = network.flits_created(NodeId{n});
    snapshot.ejected[n] = network.flits_ejected(NodeId{n});
  }
  snapshot.packets_created = network.totals().packets_created;
  network.for_each_packet([&](const Packet& packet) { snapshot.add(packet); });
  return snapshot;
}

// A flit occupies a channel from the cycle in which it is sent; cycles outside the window are not
// counted. Nodes inject one flit per cycle.
std::uint64_t FlitCounter::busy_cycles(std::size_t channel, const LinkCount& begin,
                                       const LinkCount& end, Cycle start, Cycle stop) const {
  const auto beyond = [](Cycle until, Cycle edge) { return until > edge ? until - edge : 0; };
  const std::uint64_t flits = end.flits - begin.flits;
  if (channels_.is_injection(channel)) return flits;
  const NetworkParams& params = model_.network.params;
  const std::uint64_t flit_time =
      channel < channels_.links() ? cycles_per_flit(model_.topology().channels()[channel], params)
                                  : params.cycles_per_flit;
  return flits * flit_time + beyond(begin.busy_until, start) - beyond(end.busy_until, stop);
}

namespace {

void keep_most_loaded(std::vector<LinkLoad>& links) {
  sort_by(links, [](const LinkLoad& link) { return std::pair(-link.load, link.channel); });
  if (links.size() > Carried::kMostLinks) links.resize(Carried::kMostLinks);
}

/// Jain's fairness index: 1 if all shares are equal, 1/n if one of n has everything; absent if all
/// are 0.
/// Source: Jain, Chiu, Hawe, "A Quantitative Measure of Fairness and Discrimination", 1984.
std::optional<double> fairness_of(const std::vector<std::uint64_t>& shares) {
  double sum = 0;
  double squares = 0;
  for (const std::uint64_t share : shares) {
    sum += static_cast<double>(share);
    squares += static_cast<double>(share) * static_cast<double>(share);
  }
  if (squares == 0) return std::nullopt;
  return sum * sum / (static_cast<double>(shares.size()) * squares);
}

}  // namespace

std::vector<LinkLoad> FlitCounter::link_loads(const FlitCounts& begin, const Network& network,
                                              std::uint64_t window) const {
  std::vector<LinkLoad> links;
  for (std::size_t c = 0; c < channels_.count(); ++c) {
    const LinkCount before = begin.links.empty() ? LinkCount{} : begin.links[c];
    const LinkCount after = link_count(network, c);
    const auto busy =
        static_cast<double>(busy_cycles(c, before, after, begin.cycle, begin.cycle + window));
    links.push_back(
        {c, after.flits - before.flits, window > 0 ? busy / static_cast<double>(window) : 0});
    if (links.size() == 2 * Carried::kMostLinks) keep_most_loaded(links);
  }
  keep_most_loaded(links);
  return links;
}

Carried FlitCounter::since(const FlitCounts& begin, const Network& network, std::uint64_t window,
                           bool with_fairness) const {
  Carried carried{link_loads(begin, network, window), network.totals() - begin.totals};
  if (window == 0) return carried;
  const auto cycles = static_cast<double>(window);
  const double node_cycles = static_cast<double>(model_.topology().node_count()) * cycles;
  const auto flits = mapped(model_.topology().nodes(), [&](const NodeId node) {
    const std::uint64_t before = begin.node_flits.empty() ? 0 : begin.node_flits[index(node)];
    return network.flits_ejected(node) - before;
  });
  carried.loads = {static_cast<double>(carried.totals.flits_created) / node_cycles,
                   static_cast<double>(carried.totals.flits_ejected) / node_cycles,
                   static_cast<double>(*std::min_element(flits.begin(), flits.end())) / cycles,
                   with_fairness ? fairness_of(flits) : std::nullopt};
  return carried;
}

}  // namespace flitcast
