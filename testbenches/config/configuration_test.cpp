// SPDX-License-Identifier: Apache-2.0
#include "config/configuration.h"

#include <cstdio>
#include <fstream>

#include "example.h"
#include "support/test_catch.h"

using namespace example;

TEST_CASE("every key that applies is present, from the file or by fallback", "[config]") {
  const Configuration c = read("name: a\ntopology: {kind: ring}\nrouter: {pipeline: {route: 3}}");
  CHECK(c.name() == "a");
  CHECK(c.seed() == 1);
  CHECK(c.section("topology").integer("nodes") == 8);
  CHECK(c.section("router").integer("pipeline.route") == 3);
  CHECK(c.section("router").integer("pipeline.traversal") == 1);
  CHECK(c.section("router").given("pipeline.route"));
  CHECK_FALSE(c.section("router").given("pipeline.traversal"));
  CHECK(c.section("router").place("pipeline.route").line == 3);
  CHECK(c.section("run").integer("threads") == 1);
  CHECK_THROWS_AS(c.section("topology").integers("sizes"), std::logic_error);
  CHECK_THROWS_AS(c.section("links"), std::logic_error);
}

TEST_CASE("the effective configuration stands in table order, nested as in the file", "[config]") {
  const Configuration c = read(
      "router: {pipeline: {route: 2}, weights: 2}\ntopology: {sizes: 4, kind: mesh}\n"
      "run: {threads: 8}");
  CHECK(
      c.effective().dump() ==
      R"({"name":"net","seed":1,"topology":{"kind":"mesh","sizes":[4]},)"
      R"("router":{"buffer_depth":8,"bypass":false,"weights":2.0,)"
      R"("pipeline":{"route":2,"traversal":1}},"workload":{"kind":"traffic","pattern":"uniform"}})");
}

TEST_CASE("the effective read as a file yields the same configuration", "[config]") {
  for (const char* text :
       {"topology: {kind: torus, sizes: [3, 5]}\nworkload: {pattern: hot_spot, hot_share: 1e-7}",
        "name: \"a \\xe4 \\\" \\\\ b\"\ntopology: {kind: clique}\nrouter: {weights: [0.1, 3, "
        "-0.0]}",
        "topology: {kind: ring}\nworkload: {kind: trace, file: no}\nseed: 9223372036854775807"}) {
    const Configuration c = read(text);
    const Configuration again = read(c.effective().dump());
    CHECK(again.effective() == c.effective());
    CHECK(again.id() == c.id());
    CHECK(read(c.effective().dump(2)).id() == c.id());
  }
}

TEST_CASE("the id tells configurations apart by all but name and what changes no result",
          "[config]") {
  const std::string id = read(kRing).id();
  CHECK(id == "441549aee5db4142");  // FNV-1a of the compact effective, computed apart.
  CHECK(read(kRing + "name: other\nrun: {threads: 9}").id() == id);
  CHECK(read(kRing + "router: {buffer_depth: 8}").id() == id);
  CHECK(read(kRing + "router: {buffer_depth: 9}").id() != id);
  CHECK(read(kRing + "seed: 2").id() != id);
}

TEST_CASE("all problems of a file come at once, in file order", "[config]") {
  CHECK(problems("sead: 2\n"
                 "seed: -1\n"
                 "topology:\n"
                 "  kind: rnig\n"
                 "  nodes: many\n"
                 "router: {pipeline: {rout: 1}, buffer_depth: 8, buffer_depth: 9, hot_share: 1}\n"
                 "workload: 3\n"
                 "buffer_depth: 2\n") ==
        "net.yaml:1:1: sead: unknown key; did you mean seed?\n"
        "net.yaml:2:7: seed: -1 is too small; write an integer, at least 0\n"
        "net.yaml:4:9: topology.kind: \"rnig\" is not a choice; did you mean ring? "
        "Choices: mesh, torus, ring, clique\n"
        "net.yaml:5:10: topology.nodes: \"many\" is not an integer; write an integer from 2 to 99\n"
        "net.yaml:6:21: router.pipeline.rout: unknown key; did you mean router.pipeline.route?\n"
        "net.yaml:6:48: router.buffer_depth: comes twice, first in line 6; keep one of the two\n"
        "net.yaml:6:65: router.hot_share: unknown key; did you mean workload.hot_share?\n"
        "net.yaml:7:1: workload: is not a map; write `{key: value}` or remove it\n"
        "net.yaml:8:1: buffer_depth: unknown key; did you mean router.buffer_depth?");
}

TEST_CASE("a required key that is missing is named with what it may be", "[config]") {
  CHECK(problems("seed: 1") ==
        "net.yaml: topology.kind: is missing; write one of mesh, torus, ring, clique");
  CHECK(
      problems("topology: {kind: mesh}") ==
      "net.yaml:1:1: topology.sizes: is missing; write an integer from 1 to 64, or a list of them");
  CHECK(problems("topology: {kind: ring}\nworkload: {kind: trace}") ==
        "net.yaml:2:1: workload.file: is missing; write text");
}

TEST_CASE("a key of another choice is refused with the choices that read it", "[config]") {
  CHECK(problems("topology: {kind: ring, sizes: [4]}") ==
        "net.yaml:1:24: topology.sizes: does not apply while topology.kind is ring; remove it, or "
        "set topology.kind to mesh or torus");
  CHECK(problems(kRing + "workload: {hot_share: 0.5}") ==
        "net.yaml:2:12: workload.hot_share: does not apply while workload.pattern is uniform; "
        "remove it, or set workload.pattern to hot_spot");
  CHECK(problems(kRing + "workload: {kind: trace, file: x, hot_share: 0.5}") ==
        "net.yaml:2:34: workload.hot_share: does not apply while workload.kind is trace; remove "
        "it, or set workload.kind to traffic");
}

TEST_CASE("equally named keys of two choices keep their own ranges", "[config]") {
  CHECK(read("topology: {kind: ring, nodes: 99}").section("topology").integer("nodes") == 99);
  CHECK(problems("topology: {kind: clique, nodes: 99}") ==
        "net.yaml:1:33: topology.nodes: 99 is too large; write an integer from 2 to 9");
}

TEST_CASE("a faulty choice hides no fault that is one under every choice", "[config]") {
  const std::string kind = "net.yaml:1:18: topology.kind: ";
  CHECK(problems("topology: {kind: rnig, nodes: 99}").find('\n') == std::string::npos);
  CHECK(problems("topology: {kind: rnig, nodes: 99}").find(kind) == 0);
  CHECK(problems("topology: {kind: rnig, nodes: 100}").find("\nnet.yaml:1:31: topology.nodes: ") !=
        std::string::npos);
}

TEST_CASE("dotted names are refused in files", "[config]") {
  CHECK(problems(kRing + "router: {pipeline.route: 2}") ==
        "net.yaml:2:10: router.pipeline.route: dotted names are for --set and sweep; open a map "
        "for each part of the name");
  CHECK(problems(kRing + "router.buffer_depth: 2").find("dotted names") != std::string::npos);
}

TEST_CASE("overrides replace what the file says, the last one wins", "[config]") {
  const Configuration c = read("topology: {kind: mesh, sizes: [4, 4]}\nseed: 3",
                               {"topology={kind: ring}", "topology.nodes=5", "seed=4", "seed=5",
                                "router.pipeline.route=0", "name=no"});
  CHECK(c.section("topology").integer("nodes") == 5);
  CHECK(c.seed() == 5);
  CHECK(c.section("router").integer("pipeline.route") == 0);
  CHECK(c.name() == "no");
  CHECK(problems("topology: 3", {"topology.kind=ring"}).empty());
}

TEST_CASE("problems with overrides show their text as the place", "[config]") {
  CHECK(problems(kRing, {"router.buffer_depth=x"}) ==
        "--set router.buffer_depth=x: router.buffer_depth: \"x\" is not an integer; "
        "write an integer from 1 to 64");
  CHECK(problems(kRing, {"router.bufer_depth=4"}) ==
        "--set router.bufer_depth=4: router.bufer_depth: unknown key; did you mean "
        "router.buffer_depth?");
  CHECK(problems(kRing, {"seed="}) ==
        "--set seed=: seed: has no value; write an integer, at least 0");
  CHECK(problems(kRing, {"seed"}) ==
        "--set seed: is not an assignment; write --set section.key=value");
  CHECK(problems(kRing, {"a..b=1"}).find("is not an assignment") != std::string::npos);
  CHECK(problems(kRing, {"router=[1"}).find("--set router=[1: ") == 0);
}

TEST_CASE("what is no map of sections is refused as a whole", "[config]") {
  CHECK(problems("").find("net.yaml: is empty; ") == 0);
  CHECK(problems("# nothing\n").find("net.yaml: is empty; ") == 0);
  CHECK(problems("- 1\n") ==
        "net.yaml:1:1: is not a map of sections; write `section: {key: value}`");
  CHECK(problems(kRing + "router:\n").find("net.yaml:2:1: router: has no keys; ") == 0);
}

TEST_CASE("a section that is no map is one problem, although its keys are missing", "[config]") {
  CHECK(problems("topology:\n") ==
        "net.yaml:1:1: topology: has no keys; write `{key: value}` or remove it");
  CHECK(problems("topology: 3") ==
        "net.yaml:1:1: topology: is not a map; write `{key: value}` or remove it");
}

TEST_CASE("a file that cannot be read is a problem with its path", "[config]") {
  const auto message = [](const std::string& path) -> std::string {
    try {
      validate(read_document(path), schema());
      return {};
    } catch (const ConfigError& error) {
      return error.what();
    }
  };
  CHECK(message("no/such.yaml") ==
        "no/such.yaml: cannot be read; name a YAML file that exists and is readable");
  CHECK(message("/") == "/: is a directory; name a YAML file");
}

TEST_CASE("the file's stem is the name where there is none", "[config]") {
  std::ofstream("stem_of.test.yaml") << kRing;
  CHECK(validate(read_document("stem_of.test.yaml"), schema()).name() == "stem_of.test");
  CHECK(validate(read_document("stem_of.test.yaml", {"name=x"}), schema()).name() == "x");
  std::remove("stem_of.test.yaml");
}
