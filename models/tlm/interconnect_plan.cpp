// SPDX-License-Identifier: Apache-2.0
#include "tlm/interconnect_plan.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "config/catalog.h"
#include "config/problem.h"
#include "config/schema.h"
#include "config/wording.h"
#include "network/fabric/fabric.h"
#include "network/fabric/kernel_driver.h"
#include "network/router_entry.h"
#include "routing/analysis/deadlock.h"
#include "routing/catalog.h"
#include "routing/message_classes.h"
#include "topology/catalog.h"

namespace flitcast::tlm {
namespace {

/// Reads a number with its suffix; throws std::invalid_argument.
std::uint64_t read_number(std::string word) {
  unsigned shift = 0;
  const std::string suffixes = "KMG";
  const std::size_t suffix = word.empty() ? std::string::npos : suffixes.find(word.back());
  if (suffix != std::string::npos) {
    shift = static_cast<unsigned>(10 * (suffix + 1));
    word.pop_back();
  }
  const bool hexadecimal = word.rfind("0x", 0) == 0 || word.rfind("0X", 0) == 0;
  const char* const begin = word.data() + (hexadecimal ? 2 : 0);
  std::uint64_t value = 0;
  const auto [stop, error] =
      std::from_chars(begin, word.data() + word.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc() || stop != word.data() + word.size() ||
      (value << shift) >> shift != value) {
    throw std::invalid_argument(word);
  }
  return value << shift;
}

Window read_window(const std::string& text) {
  const std::vector<std::uint64_t> numbers = mapped(words_in(text), read_number);
  if (numbers.size() != 3 && numbers.size() != 4) throw std::invalid_argument(text);
  return {numbers[0], numbers[1], numbers[2], numbers.size() == 4 ? numbers[3] : 0};
}

}  // namespace

std::vector<Window> read_windows(const std::string& text) {
  std::istringstream stream(text);
  std::vector<Window> windows;
  std::vector<std::string> problems;
  for (std::string part; std::getline(stream, part, ',');) {
    try {
      windows.push_back(read_window(part));
    } catch (const std::invalid_argument&) {
      problems.push_back(fmt::format(
          "\"{}\" is no window; write BASE SIZE TARGET [OFFSET], such as 0x80000000 64K 1", part));
    }
  }
  if (!problems.empty()) throw std::invalid_argument(joined(problems, "\n"));
  return windows;
}

namespace {

const std::vector<std::string> kTimings{"cycle", "analytic", "ideal"};  // By Timing.

std::vector<Param> tlm_keys() {
  return {
      Param::integers("initiators", "nodes", "Node of every initiator, in the order of sockets.", 0,
                      kMaxRouters - 1),
      Param::integers("targets", "nodes", "Node of every target, in the order of sockets.", 0,
                      kMaxRouters - 1),
      Param::text(
          "windows",
          "Addresses of the targets: BASE SIZE TARGET [OFFSET] of every window, with commas "
          "between them; numbers may begin with 0x and end in K, M or G."),
      Param::integer("flit_bytes", "bytes", "Bytes of a packet in one flit.", 1, 65536)
          .defaults_to(4),
      Param::integer("header_bytes", "bytes", "Bytes of a packet in front of its data.", 0, 65536)
          .defaults_to(8),
      Param::integer("burst_bytes", "bytes",
                     "Longest data of one packet; longer transactions are split. 0: never.", 0,
                     1 << 20)
          .defaults_to(1024),
      Param::integer("outstanding", "", "Transactions that an initiator may have outstanding.", 1,
                     1 << 20)
          .defaults_to(16),
      Param::choice("dmi", "Handling of requests for direct memory, which bypass the network.",
                    {"deny", "forward"}),
      Param::choice("timing",
                    "Time of b_transport: in the network, estimated, or the target's alone.",
                    kTimings),
      Param::integer("timeout", "cycles", "Longest rest of a transaction; 0: no limit.", 0, 1e12)
          .defaults_to(1000000),
      Param::boolean("check_protocol", false, "Check the base protocol at every socket."),
  };
}

std::vector<NodeId> nodes(const Section& section, const char* key) {
  return mapped(section.integers(key),
                [&](const std::int64_t node) { return NodeId{static_cast<std::uint32_t>(node)}; });
}

/// The period of the clock, where the file gives one. Throws ConfigError if the kernel's time
/// resolution cannot express it to 1/1000.
sc_time period_of(const Configuration& configuration) {
  const double nanoseconds = 1 / configuration.scale().clock_ghz.value_or(1 / kClockPeriodNs);
  const sc_time period(nanoseconds, sc_core::SC_NS);
  if (std::abs(period.to_seconds() * 1e9 / nanoseconds - 1) <= 1e-3) return period;
  configuration.section("").fail(
      "clock",
      fmt::format("a time resolution of {} cannot express a period of {:.4g} ns",
                  sc_core::sc_get_time_resolution().to_string(), nanoseconds),
      "call sc_set_time_resolution with a finer one before anything else");
}

/// Appends the problems of a key, one in each line of a text: "what; hint".
void append_lines(const char* key, const std::string& text, std::vector<Problem>& problems) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t cut = line.find("; ");
    const std::string hint = cut == std::string::npos ? "" : line.substr(cut + 2);
    problems.push_back(problem_of(key, line.substr(0, cut), hint));
  }
}

InterconnectParams params_of(const Section& section, const sc_time& period) {
  InterconnectParams params;
  params.period = period;
  params.placement = {nodes(section, "initiators"), nodes(section, "targets")};
  params.format = {static_cast<unsigned>(section.count("flit_bytes")),
                   static_cast<unsigned>(section.count("header_bytes"))};
  params.limits = {section.count("outstanding"),
                   static_cast<unsigned>(section.count("burst_bytes")),
                   section.text("dmi") == "forward"};
  params.timing = static_cast<Timing>(index_of(kTimings, section.text("timing")));
  params.timeout = static_cast<double>(section.count("timeout")) * period;
  params.check_protocol = section.boolean("check_protocol");
  params.windows = read_windows(section.text("windows"));
  return params;
}

/// Throws ConfigError with all problems of the section in this network, each at its key.
InterconnectParams checked_params(const Configuration& configuration,
                                  const InterconnectPlan& plan) {
  const sc_time period = period_of(configuration);
  InterconnectParams params;
  std::vector<Problem> problems;
  try {
    params = params_of(configuration.section("tlm"), period);
    if (plan.routing != nullptr) {
      problems = problems_of(params, *plan.topology, *plan.routing, plan.network);
    }
  } catch (const std::invalid_argument& error) {
    append_lines("windows", error.what(), problems);
  }
  if (problems.empty()) return params;
  throw ConfigError(mapped(problems, [&](const Problem& one) {
    const char* const section = one.key.empty() ? "router" : "tlm";
    return configuration.section(section).problem(one.key.empty() ? "kind" : one.key, one.what,
                                                  one.hint);
  }));
}

void configure_router(const Configuration& configuration, InterconnectPlan& plan) {
  const RouterEntry& router = router_of(configuration);
  const Section& section = configuration.section("router");
  if (!router.can.has_classes) {
    section.fail("kind", router.name + " has no packets", "use a router with buffers");
  }
  if (router.configure != nullptr) {
    router.configure(section, {*plan.topology, configuration.seed()}, plan.network);
  }
  ProblemList problems;
  if (router.fit != nullptr) {
    router.fit({configuration, *plan.topology, plan.network, router.can, problems});
  }
  problems.throw_if_any();
}

InterconnectPlan plan_of(const Configuration& configuration) {
  const Section& topology = configuration.section("topology");
  InterconnectPlan plan;
  plan.topology = make_topology(topology, configuration.section("link"));
  plan.network = network_params(configuration);
  ProblemList problems;
  problems.attempt([&] { configure_router(configuration, plan); });
  problems.attempt([&] {
    plan.routing = request_response_routing(configuration, *plan.topology,
                                            plan.network.router.virtual_channels);
  });
  problems.attempt([&] { plan.params = checked_params(configuration, plan); });
  problems.throw_if_any();
  return plan;
}

/// Makes the routing with half of the channels; if it needs all of them, the problem explains this.
std::unique_ptr<Routing> routing_of_class(const Configuration& configuration,
                                          const Topology& topology, std::size_t channels) {
  const Section& section = configuration.section("routing");
  const std::size_t half = channels / Exchange::kClasses;
  try {
    return make_routing(section, {topology, half});
  } catch (const ConfigError&) {
    // Throws the problems that remain with all channels.
    make_routing(section, {topology, channels, false,
                           configuration.section("router").place("virtual_channels")});
  }
  configuration.section("router").fail(
      "virtual_channels",
      fmt::format("requests and responses have {} of the {} each, too few for {}", half, channels,
                  section.text("kind")),
      fmt::format("make it {}", channels * Exchange::kClasses));
}

}  // namespace

std::unique_ptr<Routing> request_response_routing(const Configuration& configuration,
                                                  const Topology& topology, std::size_t channels) {
  if (channels % Exchange::kClasses != 0) {
    configuration.section("router").fail(
        "virtual_channels", fmt::format("requests and responses cannot share {} evenly", channels),
        "make it an even number");
  }
  auto routing = std::make_unique<MessageClasses>(
      routing_of_class(configuration, topology, channels), Exchange::kClasses, channels);
  if (dependencies_are_checkable(topology, *routing, channels)) {
    const DependencyCheck check = check_dependencies(topology, *routing, channels);
    if (check.acyclic()) return routing;
    configuration.section("routing").fail("kind", cyclic_dependency(check.cycle), kCycleHint);
  }
  return routing;
}

const Schema& interconnect_schema() {
  static const Schema schema(
      {
          Param::text("name", "Name of the interconnect; without it that of the file.")
              .defaults_to(""),
          Param::integer("seed", "", "Start of all random numbers.", 0, kLargestSeed)
              .defaults_to(1),
          scale_keys().front(),
      },
      {
          {"topology", "The network of routers and nodes.", topology_keys()},
          {"router", "Flow control, buffers and pipeline of every router.", router_keys()},
          {"routing", "Which way packets take.",
           catalog_params(Param::choice("kind", "Algorithm."), routings())},
          {"link", "Channels between routers.", link_keys()},
          {"tlm", "Initiators, targets and their transactions.", tlm_keys()},
      });
  return schema;
}

Problem problem_of(const std::string& key, std::string what, std::string hint) {
  return {{}, key, std::move(what), std::move(hint)};
}

InterconnectPlan read_interconnect(const std::string& path,
                                   const std::vector<std::string>& overrides) {
  return plan_of(validate(read_document(path, overrides), interconnect_schema()));
}

std::vector<std::string> overrides_for(const std::string& instance) {
  std::vector<std::string> overrides;
  for (int word = 1; word < sc_core::sc_argc(); ++word) {
    const std::string text = sc_core::sc_argv()[word];
    const bool is_own = text.rfind(instance + ".", 0) == 0 && text.find('=') != text.npos;
    if (is_own) overrides.push_back(text.substr(instance.size() + 1));
  }
  return overrides;
}

namespace {

/// @param sides  The key: "initiators" or "targets".
void append_misplaced(const std::vector<NodeId>& nodes, const std::string& sides,
                      std::size_t node_count, std::vector<Problem>& problems) {
  const std::string side = sides.substr(0, sides.size() - 1);
  if (nodes.empty()) {
    problems.push_back(problem_of(sides, "there is no " + side, "place at least one at a node"));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (index(nodes[i]) < node_count) continue;
    problems.push_back(problem_of(sides,
                                  fmt::format("{} {} is at node {}", side, i, index(nodes[i])),
                                  fmt::format("nodes are 0 to {}", node_count - 1)));
  }
}

void append_lengths(const InterconnectParams& params, const NetworkParams& network,
                    std::vector<Problem>& problems) {
  if (params.format.flit_bytes == 0) {
    problems.push_back(problem_of("flit_bytes", "flits have no bytes", "give them at least one"));
    return;
  }
  const unsigned bytes = params.limits.burst_bytes;
  // The longest packet of a burst; 0 if bursts have any length.
  const std::uint32_t longest = bytes == 0 ? 0 : params.format.flits(bytes);
  const bool whole = network.router.whole_packet_credit;
  const std::uint32_t space = whole ? network.router.buffer_depth : kMaxPacketLength;
  if (longest == 0 && whole) {
    problems.push_back(problem_of(
        "burst_bytes",
        fmt::format("bursts have any length, and the routers take packets of {} flits", space),
        "set burst_bytes"));
  } else if (longest > space) {
    problems.push_back(
        problem_of("burst_bytes",
                   fmt::format("a burst of {} bytes is a packet of {} flits, and the routers "
                               "take {}",
                               bytes, longest, space),
                   "lower burst_bytes or use wider flits or deeper buffers"));
  }
}

}  // namespace

std::vector<Problem> problems_of(const InterconnectParams& params, const Topology& topology,
                                 const Routing& routing, const NetworkParams& network) {
  std::vector<Problem> problems;
  append_lines("", joined(FabricPlan::problems_of(topology, routing, network), "\n"), problems);
  if (params.period == SC_ZERO_TIME) {
    problems.push_back(
        problem_of("",
                   "a cycle takes no time at a time resolution of " +
                       sc_core::sc_get_time_resolution().to_string(),
                   "call sc_set_time_resolution(1, SC_NS), or a finer one, before anything "
                   "else, or give the interconnect a longer period"));
  }
  if (routing.message_classes() != Exchange::kClasses) {
    problems.push_back(
        problem_of("", fmt::format("the routing has {} message classes", routing.message_classes()),
                   "requests and responses are two, as MessageClasses makes them of a routing"));
  }
  append_misplaced(params.placement.initiators, "initiators", topology.node_count(), problems);
  append_misplaced(params.placement.targets, "targets", topology.node_count(), problems);
  append_lengths(params, network, problems);
  if (params.limits.outstanding == 0) {
    problems.push_back(problem_of("outstanding", "an initiator may have no transaction outstanding",
                                  "allow at least one"));
  }
  if (params.placement.targets.empty()) return problems;
  try {
    const AddressMap map(params.windows, params.placement.targets.size());
  } catch (const std::invalid_argument& error) {
    append_lines("windows", error.what(), problems);
  }
  return problems;
}

}  // namespace flitcast::tlm
