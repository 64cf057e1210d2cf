// SPDX-License-Identifier: Apache-2.0
// Points of a sweep share the parts of their models that are equal, and no others.
#include "sim/sweep/shared_models.h"

#include <nlohmann/json.hpp>

#include "experiment.h"
#include "folder.h"
#include "sim/sweep/sweep.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using program::Experiment;

Configuration shared_configuration(const std::string& workload, const std::string& more = "") {
  Experiment experiment = program::with_workload("{kind: traffic, " + workload + "}");
  experiment.more = more;
  return validate(parse_document(experiment.text(), "shared.yaml"), experiment_schema());
}

std::string key_with(const std::string& more) {
  return network_key(shared_configuration("load: 0.1", more));
}

nlohmann::ordered_json steady_result() { return {{"capacity", 0.5}}; }

}  // namespace

TEST_CASE("a model takes topology, routing and capacity of one with the same network", "[sim]") {
  const Configuration first = shared_configuration("load: 0.1", "node: {ports: 2}");
  const Configuration second = shared_configuration("load: 0.2", "node: {ports: 2}\nseed: 2");
  Model like = make_model(first, false);
  const Topology* const topology = &like.topology();
  const double* const loads = like.capacity->loads.data();
  const Model model = make_model(second, false, memory_limit(), &like);
  CHECK(&model.topology() == topology);
  CHECK(model.topology().node_ports() == 2);
  CHECK(model.network.routing == like.network.routing);
  CHECK(model.capacity->loads.data() == loads);
  CHECK(model.capacity->offered == 0.2);
}

TEST_CASE("networks have one key if only seed, measurement and load differ", "[sim]") {
  const std::string key = key_with("");
  CHECK(key_with("seed: 2\nname: other") == key);
  CHECK(network_key(shared_configuration("load: 0.2")) == key);
  for (const char* more :
       {"router: {virtual_channels: 2}", "router: {buffer_depth: 4}", "link: {latency: 2}",
        "link: {classes: {dimension_0: {latency: 2}}}", "node: {ports: 2}", "node: {startup: 1}"}) {
    INFO(more);
    CHECK(key_with(more) != key);
  }
  for (const char* workload :
       {"load: 0.1, pattern: transpose", "load: 0.1, packet_length: 4",
        "load: [0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]"}) {
    INFO(workload);
    CHECK(network_key(shared_configuration(workload)) != key);
  }
}

TEST_CASE("networks of a file have one key only while its contents are the same", "[sim]") {
  const program::Folder folder;
  const auto key = [&](const char* routers) {
    folder.write("own.anynet", routers);
    Experiment experiment =
        program::with_topology(folder.placed("{kind: custom, file: FOLDER/own.anynet}"));
    experiment.routing = "{kind: up_down}";
    return network_key(
        validate(parse_document(experiment.text(), "shared.yaml"), experiment_schema()));
  };
  const std::string two = key("router 0 node 0 router 1\nrouter 1 node 1\n");
  CHECK(key("router 0 node 0 router 1\nrouter 1 node 1\n") == two);
  CHECK(key("router 0 node 0 router 1 2\nrouter 1 node 1\n") != two);
}

TEST_CASE("a model is shared after a result with a capacity in its network, not before", "[sim]") {
  const Configuration first = shared_configuration("load: 0.1");
  const Configuration second = shared_configuration("load: 0.2");
  SharedModels models;
  CHECK(models.like(first, {}) == nullptr);
  CHECK(models.like(second, {}) == nullptr);  // The first run has failed.
  models.note({{"status", "ok"}});
  CHECK(models.like(second, {}) == nullptr);  // A run without a capacity has no steady load.
  models.note(steady_result());
  Model* const shared = models.like(first, {});
  REQUIRE(shared != nullptr);
  CHECK(models.like(second, {}) == shared);
  CHECK(models.like(shared_configuration("load: 0.1", "link: {latency: 2}"), {}) == nullptr);
}

TEST_CASE("only the models of the last few networks are kept", "[sim]") {
  SharedModels models;
  const auto like = [&](int latency) {
    return models.like(
        shared_configuration("load: 0.1", "link: {latency: " + std::to_string(latency) + "}"), {});
  };
  like(1);
  models.note(steady_result());
  for (const int latency : {2, 3, 4, 1}) like(latency);
  CHECK(like(1) != nullptr);
  for (const int latency : {5, 6, 7}) like(latency);
  CHECK(like(1) == nullptr);
}
