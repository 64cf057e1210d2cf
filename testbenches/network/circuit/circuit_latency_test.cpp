// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "base/random.h"
#include "clos/catalog.h"
#include "clos/multistage_admission.h"
#include "network/circuit/circuit_run.h"
#include "network/circuit/multicasts.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Nodes = std::vector<std::uint32_t>;

/// Returns c of a design by its definition.
std::uint64_t pass_clocks(const std::string& design, std::uint64_t m, std::uint64_t r) {
  const std::map<std::string, std::uint64_t> clocks{{"seq_counter", m * r + 1},
                                                    {"seq_adder", m + 1},
                                                    {"par_counter", r + 1},
                                                    {"par_adder", 1},
                                                    {"par_thermo", 1}};
  return clocks.at(design);
}

/// In an empty network S1 serves everything by middle switch 0 of every level: P = 1.
std::uint64_t empty_network_clocks(const clos::MultistageStructure& structure,
                                   const std::string& design) {
  std::uint64_t clocks = 0;
  for (const clos::Structure& level : structure.levels) {
    clocks += 1 + pass_clocks(design, level.m, level.r2) + 1;
  }
  return clocks;
}

/// Sends one packet through the idle network and checks its receivers and arrival times.
void check_packet(CircuitRun& run, std::uint32_t from, const Nodes& to, std::uint32_t length,
                  std::uint64_t controller_clocks) {
  const CircuitParams& params = run.network.params();
  const std::uint64_t stages = run.network.control().structure().stages();
  const std::uint64_t latency = params.request_cycles + controller_clocks +
                                params.configuration_cycles + stages * params.stage_cycles +
                                length - 1;
  const Cycle created = run.network.now();
  run.probe.deliveries.clear();
  run.send(from, to, length);
  run.network.run(latency + 1 + params.teardown_cycles);
  CHECK(run.state(from) == TerminalState::kIdle);  // Links are taken for exactly t_td more.
  CHECK(run.network.control().state().idle_inputs().test(from));
  Nodes reached;
  for (const Delivery& delivery : run.probe.deliveries) {
    reached.push_back(index(delivery.node));
    REQUIRE(delivery.arrival - created == latency);
    REQUIRE(delivery.hops == stages);
  }
  REQUIRE(reached == to);
}

/// Sends packets between random ports of a network that becomes idle after each of them.
void check_random_packets(CircuitRun& run, std::uint64_t clocks) {
  const auto nodes = static_cast<std::uint32_t>(run.network.topology().node_count());
  Random random(nodes);
  for (int packet = 0; packet < 60; ++packet) {
    const auto from = static_cast<std::uint32_t>(random.below(nodes));
    const auto length = static_cast<std::uint32_t>(1 + random.below(9));
    Nodes to;
    for (const NodeId node : random_nodes(random, nodes, 1 + random.below(nodes))) {
      to.push_back(index(node));
    }
    std::sort(to.begin(), to.end());
    check_packet(run, from, to, length, clocks);
  }
}

Nodes members_of(std::uint64_t mask) {
  Nodes nodes;
  for (std::uint32_t node = 0; mask >> node != 0; ++node) {
    if ((mask >> node & 1) != 0) nodes.push_back(node);
  }
  return nodes;
}

CircuitParams timing(std::uint32_t request, std::uint32_t configuration, std::uint32_t stage,
                     std::uint32_t teardown) {
  CircuitParams params;
  params.request_cycles = request;
  params.configuration_cycles = configuration;
  params.stage_cycles = stage;
  params.teardown_cycles = teardown;
  return params;
}

}  // namespace

TEST_CASE("every request of an idle network takes the time of the formula", "[circuit]") {
  CircuitParams params = GENERATE(timing(1, 1, 1, 1), timing(3, 5, 7, 9), timing(0, 0, 1, 0),
                                  timing(2, 0, 2, 13), timing(0, 4, 3, 1));
  params.controller = GENERATE(as<std::string>{}, "seq_counter", "seq_adder", "par_counter",
                               "par_adder", "par_thermo");
  const clos::MultistageStructure structure = symmetric(4, 2, 2);
  CircuitRun run("network", structure, params);
  const std::uint64_t clocks = empty_network_clocks(structure, params.controller);
  for (std::uint32_t from = 0; from < 4; ++from) {
    for (std::uint64_t to = 1; to < 16; ++to) {
      for (const std::uint32_t length : {1U, 2U, 5U}) {
        check_packet(run, from, members_of(to), length, clocks);
      }
    }
  }
  CHECK_NOTHROW(run.network.audit());
}

TEST_CASE("the smallest, odd and large networks take the time of the formula", "[circuit]") {
  CircuitParams params = GENERATE(timing(1, 1, 1, 1), timing(3, 5, 7, 9));
  params.controller = "seq_adder";
  const auto structure =
      GENERATE(symmetric(1, 1, 1), symmetric(1, 1, 5), symmetric(2, 5, 1), symmetric(70, 3, 3),
               symmetric(3, 1, 70), clos::MultistageStructure{{clos::Structure{5, 6, 2, 3, 4}}},
               five_stages(1, 1, 1, 1, 1), five_stages(3, 2, 5, 2, 3),
               clos::MultistageStructure{{clos::Structure::symmetric(3, 2, 8),
                                          clos::Structure::symmetric(4, 2, 4),
                                          clos::Structure::symmetric(5, 2, 2)}});
  CircuitRun run("network", structure, params);
  check_random_packets(run, empty_network_clocks(structure, params.controller));
}

namespace {

/// A network whose connections are opened and closed at random, and a separate control that
/// processes the same requests and counts passes.
class Background {
 public:
  Background(const clos::MultistageStructure& structure, const CircuitParams& params)
      : run_("network", structure, params),
        control_(structure, [](const clos::Structure& level,
                               unsigned) { return find(clos::strategies(), "S1")->make({level}); }),
        nodes_(static_cast<std::uint32_t>(run_.groups->nodes())) {}

  /// Opens or closes a connection, or sends a packet between idle ports and checks its time.
  void event() {
    const auto node = static_cast<std::uint32_t>(random_.below(nodes_));
    if (!control_.state().idle_inputs().test(node)) {
      if (random_.below(8) == 0) close(node);
      return;
    }
    const Nodes to = idle_outputs();
    if (to.empty()) return;
    std::vector<clos::OutputId> outputs;
    for (const std::uint32_t output : to) outputs.push_back(clos::OutputId{output});
    const clos::MultistageVerdict verdict = control_.connect(clos::InputId{node}, outputs);
    if (verdict.blocked) return;
    if (random_.below(3) == 0) {
      run_.open(node, to);
      REQUIRE(run_.settle(node) == TerminalState::kConnected);
      return;
    }
    check_packet(run_, node, to, 3, clocks(verdict));
    control_.disconnect(clos::InputId{node});
    ++packets_with[verdict.passes.front()];
  }

  std::map<std::size_t, unsigned> packets_with;  ///< Packets by passes in the outermost level.

 private:
  void close(std::uint32_t node) {
    run_.network.close(NodeId{node});
    REQUIRE(run_.settle(node) == TerminalState::kIdle);
    control_.disconnect(clos::InputId{node});
  }
  Nodes idle_outputs() {
    Nodes to;
    for (const NodeId output : random_nodes(random_, nodes_, 1 + random_.below(4))) {
      if (control_.state().idle_outputs().test(index(output))) to.push_back(index(output));
    }
    std::sort(to.begin(), to.end());
    return to;
  }
  std::uint64_t clocks(const clos::MultistageVerdict& verdict) const {
    std::uint64_t sum = 0;
    for (std::size_t level = 0; level < verdict.passes.size(); ++level) {
      const clos::Structure& shape = control_.structure().levels[level];
      const std::uint64_t c = pass_clocks(run_.network.params().controller, shape.m, shape.r2);
      sum += 1 + verdict.passes[level] * c + 1;
    }
    return sum;
  }

  CircuitRun run_;
  clos::MultistageAdmission control_;
  std::uint32_t nodes_;
  Random random_{1};
};

}  // namespace

TEST_CASE("the controller's passes add their clocks to the latency", "[circuit]") {
  CircuitParams params = timing(2, 3, 2, 1);
  params.controller = GENERATE(as<std::string>{}, "seq_counter", "par_counter");
  Background background(GENERATE(symmetric(4, 4, 4), five_stages(3, 2, 3, 2, 4)), params);
  for (int event = 0; event < 600; ++event) background.event();
  CHECK(background.packets_with[1] > 20);
  CHECK(background.packets_with[2] > 0);
}
