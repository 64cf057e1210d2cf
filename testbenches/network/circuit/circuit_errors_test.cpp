// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <stdexcept>

#include "network/circuit/circuit_run.h"
#include "router/invariant.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Source of one given request.
class OneRequest : public PacketSource {
 public:
  explicit OneRequest(const PacketRequest& request) : request_(request) {}
  Cycle first(NodeId node) override { return index(node) == 0 ? Cycle{0} : kNever; }
  Cycle create(NodeId, Cycle, std::vector<PacketRequest>& packets) override {
    packets.push_back(request_);
    return kNever;
  }

 private:
  PacketRequest request_;
};

}  // namespace

TEST_CASE("networks that cannot be are refused", "[circuit]") {
  const CircuitParams params;
  CHECK_THROWS_AS(CircuitRun("a", symmetric(0, 2, 2), params), std::invalid_argument);
  CHECK_THROWS_AS(CircuitRun("b", symmetric(4, 0, 2), params), std::invalid_argument);
  CHECK_THROWS_AS(CircuitRun("c", {{clos::Structure{4, 2, 2, 3, 2}}}, params),
                  std::invalid_argument);  // 4 inputs, 6 outputs.
  CHECK_THROWS_AS(CircuitRun("d", symmetric(70000, 2, 2), params), std::invalid_argument);
  CHECK_THROWS_WITH(CircuitRun("e", symmetric(4, 512, 512), params),
                    "262144 nodes; a circuit-switched network takes at most 65536");
  CHECK_THROWS_AS(CircuitRun("i", symmetric(60000, 1, 60000), params),
                  std::invalid_argument);  // 60000^2 * 2 links.
  CircuitParams other = params;
  other.controller = "abacus";
  CHECK_THROWS_AS(CircuitRun("f", symmetric(4, 2, 2), other), std::invalid_argument);
  other = params;
  other.stage_cycles = GENERATE(0U, 4096U);
  CHECK_THROWS_AS(CircuitRun("g", symmetric(4, 2, 2), other), std::invalid_argument);
  const auto groups = std::make_shared<DestinationGroups>(5);
  CHECK_THROWS_AS(CircuitRun("h", symmetric(4, 2, 2), params, nullptr, groups),
                  std::invalid_argument);
}

TEST_CASE("packets and connections that cannot be are refused", "[circuit]") {
  CircuitRun run("network", symmetric(4, 2, 2), {});
  CHECK_THROWS_AS(run.network.send(NodeId{4}, {NodeId{0}}), std::invalid_argument);
  CHECK_THROWS_AS(run.network.send(NodeId{0}, {NodeId{4}}), std::invalid_argument);
  CHECK_THROWS_AS(run.network.send(NodeId{0}, {NodeId{1}, 0}), std::invalid_argument);
  CHECK_THROWS_AS(run.network.send(NodeId{0}, {NodeId{1}, 65537}), std::invalid_argument);
  CHECK_THROWS_AS(run.open(4, {0}), std::invalid_argument);
  CHECK_THROWS_AS(run.open(0, {}), std::invalid_argument);
  CHECK_THROWS_AS(run.open(0, {1, 4}), std::invalid_argument);
  CHECK_THROWS_AS(run.open(0, {1, 2, 1}), std::invalid_argument);
  CHECK_THROWS_AS(run.network.close(NodeId{0}), std::invalid_argument);
  run.open(0, {1});
  CHECK_THROWS_AS(run.open(0, {2}), std::invalid_argument);
  CHECK_THROWS_AS(run.network.close(NodeId{0}), std::invalid_argument);  // Not connected yet.
  run.send(1, {0}, 100);
  run.network.run(20);
  CHECK_THROWS_AS(run.network.close(NodeId{1}), std::invalid_argument);  // Not held.
  CHECK_NOTHROW(run.network.audit());
}

TEST_CASE("a source that breaks a rule stops the run", "[circuit]") {
  PacketRequest request;
  switch (GENERATE(0, 1, 2)) {
    case 0:
      request.destination = NodeId{17};
      break;
    case 1:
      request.length = 0;
      break;
    default:
      request.message_class = 1;
  }
  CircuitRun run("network", symmetric(4, 2, 2), {}, std::make_unique<OneRequest>(request));
  CHECK_THROWS_AS(run.network.run(5), InvariantError);
}

TEST_CASE("a crossbar that is not what its connections say does not pass the audit", "[circuit]") {
  CircuitRun run("network", symmetric(4, 2, 2), {});
  run.send(0, {1, 2}, 100);
  run.network.run(20);
  REQUIRE_NOTHROW(run.network.audit());
  CrossbarCore& first = run.network.stages().crossbar(0);
  first.connect(1, 3);
  CHECK_THROWS_AS(run.network.audit(), InvariantError);
  first.release(3);
  REQUIRE_NOTHROW(run.network.audit());
  first.release(0);
  CHECK_THROWS_AS(run.network.audit(), InvariantError);
  CHECK_THROWS_AS(run.network.run(1), InvariantError);  // The flit has no destination.
}

TEST_CASE("a flit too many and a lost flit do not pass the audit", "[circuit]") {
  CircuitRun run("network", symmetric(4, 2, 2), {});
  run.send(0, {1, 2}, 100);
  run.network.run(20);
  CrossbarStages& stages = run.network.stages();
  if (GENERATE(false, true)) {
    stages.inject(3, {}, run.network.now());
  } else {
    // Removes the flits that are due next.
    stages.take_arrivals(run.network.now(), [](std::uint32_t, const Flit&) {});
  }
  CHECK_THROWS_AS(run.network.audit(), InvariantError);
}

TEST_CASE("a copy at the wrong node stops the run", "[circuit]") {
  CircuitRun run("network", symmetric(4, 2, 2), {});
  run.send(0, {1}, 1);
  run.network.run(6);
  CrossbarStages& stages = run.network.stages();
  const RouterId last = run.network.topology().network().output_switch(0);
  stages.crossbar(index(last)).connect(0, 0);
  CHECK_THROWS_AS(run.network.run(5), InvariantError);
}
