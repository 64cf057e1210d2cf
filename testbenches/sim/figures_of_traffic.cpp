// SPDX-License-Identifier: Apache-2.0
// Figures of random traffic.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "direct.h"
#include "figure_paths.h"
#include "naive_interval.h"
#include "stats/delivery_probes.h"
#include "support/test_catch.h"
#include "topology/grid.h"

namespace flitcast::program {
namespace {

constexpr std::uint64_t kWarmup = 100;
constexpr std::uint64_t kWindow = 1000;
constexpr std::size_t kNodes = 16;

Parts busy_parts() {
  Parts parts;
  parts.topology = topology_of(mesh({4, 4}));
  parts.seed = 5;
  parts.traffic.lengths = {1};
  return parts;
}

bool in_window(std::uint64_t cycle) { return cycle >= kWarmup && cycle < kWarmup + kWindow; }

Packets monitored(const Packets& packets) {
  return where(packets, [](const LoggedPacket& packet) { return in_window(packet.created); });
}

double per_node_and_cycle(std::uint64_t flits) {
  return static_cast<double>(flits) / static_cast<double>(kNodes * kWindow);
}

double offered(const Observed&) {
  const std::vector<Wish> wishes = wishes_of(busy_parts(), kWarmup + kWindow);
  const auto created = std::count_if(wishes.begin(), wishes.end(),
                                     [](const Wish& wish) { return in_window(index(wish.cycle)); });
  return per_node_and_cycle(static_cast<std::uint64_t>(created));
}

// Packets have one flit, so a packet that arrives is a flit that is ejected.
std::array<std::uint64_t, kNodes> ejected_by_node(const Packets& packets) {
  std::array<std::uint64_t, kNodes> ejected{};
  for (const LoggedPacket& packet : packets) {
    if (in_window(packet.arrived)) ++ejected[packet.destination];
  }
  return ejected;
}

double accepted(const Packets& packets) {
  std::uint64_t flits = 0;
  for (const std::uint64_t of_node : ejected_by_node(packets)) flits += of_node;
  return per_node_and_cycle(flits);
}

double worst_node(const Packets& packets) {
  const auto ejected = ejected_by_node(packets);
  return static_cast<double>(*std::min_element(ejected.begin(), ejected.end())) / kWindow;
}

FigureRow quantile(const char* figure, double share) {
  return {figure, of_packets([share](const Packets& packets) {
            std::vector<std::uint64_t> latencies = each(monitored(packets), latency);
            std::sort(latencies.begin(), latencies.end());
            const double rank = std::ceil(share * static_cast<double>(latencies.size()));
            return latencies[static_cast<std::size_t>(rank) - 1];
          })};
}

Json histogram(const Packets& packets) {
  std::map<std::uint64_t, std::uint64_t> bins;  // Bins are exact below 256.
  for (const LoggedPacket& packet : monitored(packets)) ++bins[latency(packet)];
  Json pairs = Json::array();
  for (const auto& [cycles, count] : bins) pairs.push_back({cycles, count});
  return pairs;
}

/// The interval for routers of 4 cycles, channels of 1, and a load of 0.4 of 1.
NaiveInterval interval(const Packets& packets) {
  const double queue = 0.4 / (0.6 * 0.6);
  return naive_interval(monitored(packets), kWarmup, kWindow, 5, 1, queue, 1);
}

std::string fold(const Packets& packets) {
  ChecksumProbe probe;
  for (const LoggedPacket& packet : packets) {
    Delivery delivery;
    const std::string serial = packet.packet.substr(packet.packet.find('.') + 1);
    delivery.packet.id = PacketId{std::uint64_t{packet.source} << 32 | std::stoull(serial)};
    delivery.node = NodeId{packet.destination};
    delivery.arrival = Cycle{packet.arrived};
    probe.delivered(delivery);
  }
  return probe.text();
}

/// Returns the FNV-1a hash of the members that are not left out.
std::string hash_without(Json members, const std::vector<std::string>& left_out) {
  for (const std::string& name : left_out) members.erase(name);
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : members.dump()) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  }
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

std::string hash_of_configuration(const Observed& seen) {
  return hash_without(seen.result.at("config"), {"name"});
}
std::string hash_of_result(const Observed& seen) {
  return hash_without(seen.result, {"wall_seconds", "host", "digest"});
}

/// Runs the configuration of the result as a file, checks that this repeats the experiment, and
/// returns its own configuration.
Json repeated_configuration(const Observed& seen) {
  const Json& configuration = seen.result.at("config");
  CHECK(configuration.at("seed") == 5);
  CHECK(configuration.at("workload").at("load") == 0.4);
  CHECK(configuration.at("measure").at("window") == kWindow);
  const Observed again = observe(configuration_of(configuration.dump()));
  CHECK(again.result.at("checksum") == seen.result.at("checksum"));
  return again.result.at("config");
}

std::string host() {
  std::array<char, 256> name{};
  REQUIRE(::gethostname(name.data(), name.size() - 1) == 0);
  return name.data();
}

/// Returns the members that identify a channel.
std::string name_of(Json link) {
  link.erase("flits");
  link.erase("load");
  return link.dump();
}

/// Returns the flits by channel. flits_of_links() computes those of the window of 1000 cycles: the
/// flits of 1100 cycles less those of the first 100, each measured from the start.
std::map<std::string, std::uint64_t> flits_by_link(const Json& links) {
  std::map<std::string, std::uint64_t> flits;
  for (const Json& link : links) flits[name_of(link)] = link.at("flits").get<std::uint64_t>();
  return flits;
}

Json flits_of_links(const Observed& seen) {
  const auto measured = [&](std::uint64_t window) {
    const Json& configuration = seen.result.at("config");
    return flits_by_link(
        observe(configuration_of(configuration.dump(),
                                 {"measure.warmup=0", "measure.window=" + std::to_string(window)}))
            .result.at("links"));
  };
  auto before = measured(kWarmup);
  auto all = measured(kWarmup + kWindow);
  Json flits = Json::array();
  for (const Json& link : seen.result.at("links")) {
    flits.push_back(all[name_of(link)] - before[name_of(link)]);
  }
  return flits;
}

/// Router x + 4 y of a 4x4 mesh is drawn at [x, y].
Json mesh_places() {
  Json places = Json::array();
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) places.push_back({x, y});
  }
  return places;
}

/// Counts the packets of one flit for which `counts` holds and which have not arrived when `cycle`
/// begins.
template <class Counts>
int waiting_at(const Packets& packets, std::uint64_t cycle, Counts counts) {
  return static_cast<int>(std::count_if(packets.begin(), packets.end(), [&](const auto& packet) {
    return packet.created < cycle && packet.arrived >= cycle && counts(packet);
  }));
}

template <class Counts>
int growth(const Packets& packets, Counts counts) {
  return waiting_at(packets, kWarmup + kWindow, counts) - waiting_at(packets, kWarmup, counts);
}

template <class Counts>
std::uint64_t created_in(const Packets& packets, std::uint64_t begin, std::uint64_t end,
                         Counts counts) {
  return where(packets,
               [&](const LoggedPacket& packet) {
                 return packet.created >= begin && packet.created < end && counts(packet);
               })
      .size();
}

auto from_node(std::uint32_t node) {
  return [node](const LoggedPacket& packet) { return packet.source == node; };
}
auto to_node(std::uint32_t node) {
  return [node](const LoggedPacket& packet) { return packet.destination == node; };
}
bool any_packet(const LoggedPacket&) { return true; }

/// Returns three standard deviations of the number of packets when `created` are expected: the
/// index of dispersion is the variance of a node's packets in a tenth of the window over their
/// mean, and at least that of a Poisson process.
double chance_of(const Packets& packets, double created) {
  constexpr std::uint64_t kTenth = kWindow / 10;
  double variance = 0;
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    std::vector<std::uint64_t> tenths;
    for (std::uint64_t begin = kWarmup; begin < kWarmup + kWindow; begin += kTenth) {
      tenths.push_back(created_in(packets, begin, begin + kTenth, from_node(node)));
    }
    for (const std::uint64_t tenth : tenths) {
      variance += std::pow(static_cast<double>(tenth) - mean(tenths), 2) / 9;
    }
  }
  const auto all = static_cast<double>(created_in(packets, kWarmup, kWarmup + kWindow, any_packet));
  return 3 * std::sqrt(std::max(1.0, variance / (all / 10)) * created);
}

/// Backlog growth of one node, as a source or as a destination.
struct Gain {
  std::uint32_t node = 0;
  int growth = 0;
  double chance = 0;
};

/// Returns the first node with the largest ratio of growth to random variation.
template <class Given>
Gain worst(const Packets& packets, const Given& given) {
  Gain worst{0, 0, 0};
  double largest = 0;
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    const Gain gain = given(packets, node);
    if (node != 0 && gain.growth / gain.chance <= largest) continue;
    largest = gain.growth / gain.chance;
    worst = gain;
  }
  return worst;
}

Gain source_gain(const Packets& packets, std::uint32_t node) {
  const auto created = created_in(packets, kWarmup, kWarmup + kWindow, from_node(node));
  return {node, growth(packets, from_node(node)), chance_of(packets, static_cast<double>(created))};
}

// The expected number is that of the ejected packets plus the additional waiting ones.
Gain destination_gain(const Packets& packets, std::uint32_t node) {
  const int more = growth(packets, to_node(node));
  const auto ejected = where(packets, [&](const LoggedPacket& packet) {
    return packet.destination == node && packet.arrived >= kWarmup &&
           packet.arrived < kWarmup + kWindow;
  });
  return {node, more, chance_of(packets, static_cast<double>(ejected.size()) + more)};
}

/// Returns the flow with the largest growth, the first in order of sources and destinations.
Json worst_flow(const Packets& packets) {
  Json worst{{"source", 0}, {"destination", 0}, {"growth", 0}};
  for (std::uint32_t from = 0; from < kNodes; ++from) {
    for (std::uint32_t to = 0; to < kNodes; ++to) {
      const int more = growth(packets, [&](const LoggedPacket& packet) {
        return packet.source == from && packet.destination == to;
      });
      if (more > worst.at("growth")) {
        worst = {{"source", from}, {"destination", to}, {"growth", more}};
      }
    }
  }
  return worst;
}

/// Makes a row for the node with the worst growth.
template <class Given, class Value>
FigureRow gain_row(const std::string& figure, Given given, Value Gain::*value) {
  return {"backlog." + figure,
          of_packets([=](const Packets& packets) { return worst(packets, given).*value; })};
}

FigureRow flow_row(const std::string& member) {
  return {"backlog.flow." + member,
          of_packets([=](const Packets& packets) { return worst_flow(packets).at(member); })};
}

}  // namespace

FigureGroup busy_mesh() {
  const auto of_watched = [](auto value) {
    return of_packets(
        [value](const Packets& packets) { return mean(each(monitored(packets), value)); });
  };
  return {{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
           "{kind: traffic, load: 0.4, packet_length: 1}", "{warmup: 100, window: 1000}",
           "seed: 5\nname: busy"},
          {{"name", always("busy")},
           {"version", always(FLITCAST_VERSION)},
           {"seed", always(5)},
           {"id", hash_of_configuration},
           {"config", repeated_configuration},
           {"topology.name", always("mesh 4x4")},
           {"topology.nodes", always(16)},
           {"topology.routers", always(16)},
           {"topology.channels", always(2 * 2 * 4 * 3)},  // Both ways, in x and y, in 4 lines of 3.
           {"status", always("ok")},
           {"complete", always(true)},
           {"window_cycles", always(kWindow)},
           {"packets.created",
            [](const Observed& seen) {
              return wishes_of(busy_parts(), seen.simulated_cycles()).size();
            }},
           {"packets.delivered", of_packets([](const Packets& packets) { return packets.size(); })},
           {"flits.ejected", of_packets([](const Packets& packets) { return packets.size(); })},
           {"latency_cycles.mean", of_watched(latency)},
           quantile("latency_cycles.p50", 0.5),
           quantile("latency_cycles.p95", 0.95),
           quantile("latency_cycles.p99", 0.99),
           quantile("latency_cycles.max", 1),
           {"latency_cycles.count",
            of_packets([](const Packets& packets) { return monitored(packets).size(); })},
           {"latency_cycles.mean_half_width_95",
            of_packets([](const Packets& packets) { return interval(packets).half_width; })},
           {"latency_cycles.half_width_unknown",
            of_packets([](const Packets& packets) { return interval(packets).unknown; })},
           {"latency_cycles.sufficient_window",
            of_packets([](const Packets& packets) { return interval(packets).sufficient; })},
           {"latency_cycles.relaxation_cycles",
            of_packets([](const Packets& packets) { return interval(packets).relaxation; })},
           {"latency_cycles.histogram", of_packets(histogram)},
           {"network_latency_cycles.mean", of_watched([](const LoggedPacket& packet) {
              return packet.arrived - packet.injected;
            })},
           {"offered_flits_per_node_cycle", offered},
           {"accepted_flits_per_node_cycle.mean", of_packets(accepted)},
           {"accepted_flits_per_node_cycle.worst_node", of_packets(worst_node)},
           {"hops_mean", of_watched([](const LoggedPacket& packet) {
              return way_through_mesh(packet.source, packet.destination).size();
            })},
           {"links.flits", flits_of_links},
           {"layout", always(mesh_places())},
           {"backlog.growth",
            of_packets([](const Packets& packets) { return growth(packets, any_packet); })},
           {"backlog.chance", of_packets([](const Packets& packets) {
              return chance_of(packets, static_cast<double>(created_in(
                                            packets, kWarmup, kWarmup + kWindow, any_packet)));
            })},
           gain_row("source.node", source_gain, &Gain::node),
           gain_row("source.growth", source_gain, &Gain::growth),
           gain_row("source.chance", source_gain, &Gain::chance),
           gain_row("destination.node", destination_gain, &Gain::node),
           gain_row("destination.growth", destination_gain, &Gain::growth),
           gain_row("destination.chance", destination_gain, &Gain::chance),
           flow_row("source"),
           flow_row("destination"),
           flow_row("growth"),
           {"checksum", of_packets(fold)},
           {"wall_seconds", always(1.0)},  // The value handed over.
           {"host", always(host())},
           {"digest", hash_of_result}}};
}

namespace {

/// Returns the load of each output of the mesh if every node (x, y) sends one flit to (y, x), for
/// the links between routers, by router and port.
std::map<std::pair<std::uint32_t, std::uint32_t>, double> loads_of_transpose() {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> loads;
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    for (const Endpoint& output : way_through_mesh(node, node % 4 * 4 + node / 4)) {
      if (index(output.port) < 4) ++loads[{index(output.router), index(output.port)}];
    }
  }
  return loads;
}

double highest_load() {
  double highest = 0;
  for (const auto& [output, load] : loads_of_transpose()) highest = std::max(highest, load);
  return highest;
}

int channels_with_highest_load() {
  int channels = 0;
  for (const auto& [output, load] : loads_of_transpose()) channels += load == highest_load();
  return channels;
}

/// Returns the offered load in packets of two flits.
double offered_to_flood(const Observed&) {
  Parts parts;
  parts.topology = topology_of(mesh({4, 4}));
  parts.traffic.injection_keys = {{"load", 2.0}};
  parts.traffic.lengths = {2};
  parts.traffic.pattern = [](std::size_t nodes) {
    return std::make_unique<Permutation>(transpose(nodes));
  };
  const std::size_t created = wishes_of(parts, 300).size() - wishes_of(parts, 100).size();
  return 2.0 * static_cast<double>(created) / (16.0 * 200);
}

std::string first_with_highest_load() {
  const Grid grid = mesh({4, 4});
  auto loads = loads_of_transpose();
  for (const Channel& channel : grid.channels()) {
    if (loads[{index(channel.from.router), index(channel.from.port)}] != highest_load()) continue;
    return std::to_string(index(channel.from.router)) + " -> " +
           std::to_string(index(channel.to.router));
  }
  return "none";
}

}  // namespace

// The load exceeds the capacity of the links; the run stops after 300 cycles.
FigureGroup flooded_mesh() {
  return {{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
           "{kind: traffic, pattern: transpose, load: 2, packet_length: 2}",
           "{warmup: 100, window: 200, drain_limit: 0}", "link: {cycles_per_flit: 2}"},
          {{"cycles", always(300)},
           {"status", always("saturated")},
           {"complete", always(true)},
           {"offered_flits_per_node_cycle", offered_to_flood},
           {"reason", always(fmt::format("the load of 2 is beyond the capacity: at most {:.4f} "
                                         "flits per node and cycle, set by {} and {} more",
                                         1 / (2 * highest_load()), first_with_highest_load(),
                                         channels_with_highest_load() - 1))},
           {"capacity.flits_per_node_cycle", always(1 / (2 * highest_load()))},
           {"capacity.channel", always(first_with_highest_load())},
           {"capacity.channel_load", always(highest_load())},
           {"capacity.channels", always(channels_with_highest_load())}}};
}

// Every node creates a packet in every cycle and sends only one before the end, because it leaves
// after a start-up of 250 cycles.
FigureGroup slow_senders() {
  return {{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
           "{kind: traffic, load: 2, packet_length: 2}",
           "{warmup: 100, window: 200, drain_limit: 0}", "node: {startup: 250}"},
          {{"packets.created", always(16 * 300)}, {"flits.injected", always(16 * 2)}}};
}

FigureGroup short_window() {
  return {{"{kind: mesh, sizes: [4, 4]}",
           "{kind: dimension_order}",
           "{kind: traffic, load: 0.5}",
           "{warmup: 100, window: 4}",
           {}},
          {{"notes", always(Json::array({"the window of 4 cycles is shorter than a packet, which "
                                         "takes 5"}))}}};
}

namespace {

constexpr std::size_t kRing = 4;

Parts ring_parts() {
  Parts parts;
  parts.topology = topology_of(ring(kRing));
  parts.traffic.injection_keys = {{"load", 0.5}};
  parts.traffic.lengths = {16};
  return parts;
}

/// Returns the destination that the source gave to the packet with this name.
std::uint32_t destination_of(const std::string& packet, std::uint64_t cycles) {
  std::size_t left = std::stoull(packet.substr(packet.find('.') + 1));
  for (const Wish& wish : wishes_of(ring_parts(), cycles)) {
    if (index(wish.source) == std::stoull(packet) && left-- == 0) {
      return index(wish.request.destination);
    }
  }
  return kRing;
}

/// Returns the name of the node's packet that is in flight: all earlier ones have arrived.
std::string first_missing(const Packets& packets, std::size_t node) {
  const Packets arrived =
      where(packets, [&](const LoggedPacket& packet) { return packet.source == node; });
  return std::to_string(node) + "." + std::to_string(arrived.size());
}

Json waiting(const Observed& seen, std::size_t router, int port, std::size_t source) {
  const std::string packet = first_missing(seen.log, source % kRing);
  return {{"router", router % kRing},
          {"port", port},
          {"vc", 0},
          {"packet", packet},
          {"destination", destination_of(packet, seen.simulated_cycles())}};
}

// The cycle goes round the ring, upwards from router 0. A packet from the router below, at input 1,
// waits for the output that the packet from the node, at input 2, already uses, and the latter
// waits for credits of the next router.
Json cycle(const Observed& seen) {
  Json cycle = Json::array();
  for (std::size_t router = 0; router < kRing; ++router) {
    cycle.push_back(waiting(seen, router, 1, router + kRing - 1));
    cycle.push_back(waiting(seen, router, 2, router));
  }
  return cycle;
}

}  // namespace

FigureGroup deadlocked_ring() {
  return {{"{kind: ring, nodes: 4}", "{kind: dimension_order, vc_classes: none, tie: plus}",
           "{kind: traffic, load: 0.5, packet_length: 16}", "{warmup: 1000, window: 9000}",
           "router: {virtual_channels: 1, buffer_depth: 4}"},
          rows_of_list("deadlock", cycle, {"router", "port", "vc", "packet", "destination"},
                       {{"status", always("deadlock")}, {"complete", always(false)}})};
}

// Requests without replies are answered by their arrival.
FigureGroup answered_batch() {
  const auto longest = [](const Packets& packets) {
    const std::vector<std::uint64_t> all = each(packets, latency);
    return *std::max_element(all.begin(), all.end());
  };
  return {with_workload("{kind: closed_loop, outstanding: 3, batch: 20, pattern: transpose}"),
          {{"round_trip.requests", always(16 * 20)},
           {"round_trip.mean",
            of_packets([](const Packets& packets) { return mean(each(packets, latency)); })},
           {"round_trip.max", of_packets(longest)}}};
}

// The service is longer than the run, so that no request is answered.
FigureGroup unanswered_requests() {
  return {{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
           "{kind: closed_loop, outstanding: 3, reply_length: 1, service: 100000}",
           "{warmup: 0, window: 500, drain_limit: 500}"},
          {{"round_trip.unanswered", always(16 * 3)}, {"round_trip.requests", always(0)}}};
}

}  // namespace flitcast::program
