// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/sweep.h"

#include <algorithm>
#include <set>

#include "support/test_catch.h"

using namespace flitcast;

namespace {

const std::string kBase =
    "topology: {kind: mesh, sizes: [4, 4]}\n"
    "routing: {kind: dimension_order}\n"
    "workload: {kind: traffic, load: 0.2}\n";

Sweep sweep(const std::string& line, const std::vector<std::string>& overrides = {}) {
  Document document = parse_document(kBase + line, "s.yaml");
  apply_overrides(document, overrides);
  return Sweep(std::move(document), experiment_schema());
}

std::vector<std::string> values(const Sweep& points) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < points.size(); ++i) {
    all.push_back(points.values(i, points.point(i)).dump());
  }
  return all;
}

std::string problems(const std::string& line) {
  try {
    sweep(line).check();
    return {};
  } catch (const ConfigError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a file without a sweep is one point", "[sim]") {
  const Sweep points = sweep("");
  CHECK_FALSE(points.swept());
  CHECK(points.size() == 1);
  CHECK(points.point(0).section("workload").number("load") == 0.2);
  CHECK(values(points) == std::vector<std::string>{"{}"});
}

TEST_CASE("points are the cartesian product in file order, the first key slowest", "[sim]") {
  const Sweep points =
      sweep("sweep: {router.pipeline.route: [0, 1], topology.sizes: [[2, 3], 8], seed: [7]}");
  CHECK(points.keys() ==
        std::vector<std::string>{"router.pipeline.route", "topology.sizes", "seed"});
  CHECK(values(points) ==
        std::vector<std::string>{R"({"router.pipeline.route":0,"topology.sizes":[2,3],"seed":7})",
                                 R"({"router.pipeline.route":0,"topology.sizes":[8],"seed":7})",
                                 R"({"router.pipeline.route":1,"topology.sizes":[2,3],"seed":7})",
                                 R"({"router.pipeline.route":1,"topology.sizes":[8],"seed":7})"});
}

TEST_CASE("zipped keys change together, the first value with the first", "[sim]") {
  const Sweep points = sweep(
      "sweep: {seed: [7, 8], zip: {router.buffer_depth: {from: 2, to: 4, step: 2}, "
      "workload.load: [0.1, 0.2]}}");
  CHECK(points.keys() == std::vector<std::string>{"seed", "router.buffer_depth", "workload.load"});
  CHECK(values(points) ==
        std::vector<std::string>{R"({"seed":7,"router.buffer_depth":2,"workload.load":0.1})",
                                 R"({"seed":7,"router.buffer_depth":4,"workload.load":0.2})",
                                 R"({"seed":8,"router.buffer_depth":2,"workload.load":0.1})",
                                 R"({"seed":8,"router.buffer_depth":4,"workload.load":0.2})"});
  CHECK(sweep("sweep: {zip: [{seed: [1, 2]}, {workload.load: [0.1, 0.2], link.latency: [1, 2]}]}")
            .size() == 4);
}

TEST_CASE("zipped keys with fewer values, or with more, than the first are refused", "[sim]") {
  for (const char* loads : {"[0.1]", "[0.1, 0.2, 0.3]"}) {
    CHECK(problems("sweep: {zip: {seed: [1, 2], workload.load: " + std::string(loads) + "}}")
              .find(" values beside 2 of seed") != std::string::npos);
  }
}

TEST_CASE("keys of an item of a list are swept by its number", "[sim]") {
  const std::string classes = "sweep: {\"workload.classes[1].priority\": [0, 2]}";
  const auto with_classes = [&](const std::string& line) {
    return sweep(line, {"workload={kind: traffic, classes: [{name: a, load: 0.1}, {name: b, load: "
                        "0.2}]}"});
  };
  const Sweep points = with_classes(classes);
  CHECK(values(points) == std::vector<std::string>{R"({"workload.classes[1].priority":0})",
                                                   R"({"workload.classes[1].priority":2})"});
  CHECK(points.point(1).section("workload").sections("classes")[1].count("priority") == 2);
  CHECK(points.point(1).section("workload").sections("classes")[0].count("priority") == 0);
  const auto said = [&](const std::string& key) -> std::string {
    try {
      with_classes("sweep: {\"" + key + "\": [0, 2]}").check();
      return {};
    } catch (const ConfigError& error) {
      return error.what();
    }
  };
  CHECK(said("workload.classes[2].priority").find("classes[2]") != std::string::npos);
  CHECK(said("workload.classes[1].none").find("unknown key") != std::string::npos);
  for (const char* key : {"classes.priority", "classes[x].priority", "classes[].priority",
                          "classes[-1].priority", "classes[0.priority", "classes[0]x.priority"}) {
    INFO(key);
    const std::string refused = said(std::string("workload.") + key);
    CHECK(refused.find(std::string("sweep.workload.") + key + ": unknown key") !=
          std::string::npos);
    CHECK(refused.find('\n') == std::string::npos);
  }
}

TEST_CASE("repetitions are points with the seeds that follow the file's, the fastest", "[sim]") {
  const Sweep points = sweep("sweep: {workload.load: [0.1, 0.2]}\nrepeat: 2\nseed: 5");
  CHECK(points.repetitions() == 2);
  CHECK(values(points) == std::vector<std::string>{R"({"workload.load":0.1,"seed":5})",
                                                   R"({"workload.load":0.1,"seed":6})",
                                                   R"({"workload.load":0.2,"seed":5})",
                                                   R"({"workload.load":0.2,"seed":6})"});
  CHECK(points.point(1).id() == sweep("seed: 6", {"workload.load=0.1"}).point(0).id());
  CHECK(sweep("", {"repeat=3", "seed=9"}).size() == 3);
  CHECK_FALSE(sweep("repeat: 1").explores());
  CHECK(sweep("repeat: 2").explores());
}

TEST_CASE("the values of a section replace that of the file, and are called by their labels",
          "[sim]") {
  const Sweep points = sweep(
      "sweep: {topology: [{kind: mesh, sizes: [2, 4], label: flat}, {kind: fat_tree, arity: 2, "
      "levels: 3}], workload.load: [0.1, 0.3]}",
      {"routing={kind: up_down}"});
  CHECK(points.keys() == std::vector<std::string>{"topology", "workload.load"});
  CHECK(values(points) == std::vector<std::string>{
                              R"({"topology":"flat","workload.load":0.1})",
                              R"({"topology":"flat","workload.load":0.3})",
                              R"({"topology":"fat_tree, arity 2, levels 3","workload.load":0.1})",
                              R"({"topology":"fat_tree, arity 2, levels 3","workload.load":0.3})"});
  CHECK(points.point(1).id() ==
        sweep("", {"topology.sizes=[2, 4]", "routing={kind: up_down}", "workload.load=0.3"})
            .point(0)
            .id());
  CHECK(points.point(2).id() == sweep("", {"topology={kind: fat_tree, arity: 2, levels: 3}",
                                           "routing={kind: up_down}", "workload.load=0.1"})
                                    .point(0)
                                    .id());
}

TEST_CASE("sections that belong together change together", "[sim]") {
  const Sweep points = sweep(
      "sweep: {zip: {topology: [{kind: mesh, sizes: 8}, {kind: torus, sizes: 8}], "
      "routing: [{kind: dimension_order}, {kind: dimension_order, vc_classes: dateline}], "
      "workload.load: [0.1, 0.2]}}");
  CHECK(
      values(points) ==
      std::vector<std::string>{
          R"({"topology":"mesh, sizes 8","routing":"dimension_order","workload.load":0.1})",
          R"({"topology":"torus, sizes 8","routing":"dimension_order, vc_classes dateline","workload.load":0.2})"});
  CHECK(points.point(1).section("routing").text("vc_classes") == "dateline");
}

TEST_CASE("keys of a swept section that no value sets are swept in it", "[sim]") {
  const Sweep points =
      sweep("sweep: {workload.load: [0.1, 0.2], workload: [{kind: traffic, pattern: transpose}]}");
  CHECK(points.size() == 2);
  CHECK(points.point(1).section("workload").number("load") == 0.2);
  CHECK(points.point(1).section("workload").text("pattern") == "transpose");
}

TEST_CASE("values of a section that cannot be used are refused, all at once", "[sim]") {
  const std::string text = problems(
      "sweep: {workload: [{kind: traffic, load: 0.1}, 7], link: [{latency: 1}, {latency: 1}], "
      "router.buffer_depth: [4], router: [{virtual_channels: 2, buffer_depth: 4}], "
      "node: {startup: 1}, measure: [], routing: [{kind: dimension_order, label: [1]}]}");
  CHECK(text.find("sweep.workload: has a value that is no map of keys; write `section: ") !=
        std::string::npos);
  CHECK(text.find("sweep.link: has two values with the label \"latency 1\"") != std::string::npos);
  CHECK(text.find("router.buffer_depth: is swept, and set by a section that is swept") !=
        std::string::npos);
  CHECK(text.find("sweep.node: is not a list of values; write `section: ") != std::string::npos);
  CHECK(text.find("sweep.measure: is an empty list") != std::string::npos);
  CHECK(text.find("sweep.routing.label: is not a text") != std::string::npos);
  CHECK(problems("sweep: {topology: [{kind: mesh, sizes: [4, x]}]}").find("s.yaml:4:") !=
        std::string::npos);
}

TEST_CASE("a part of a swept section cannot be set as well", "[sim]") {
  CHECK_THROWS_WITH(
      sweep("sweep: {topology: [{kind: ring, sizes: 4}]}", {"topology.sizes=[8]"}).check(),
      "--set topology.sizes=[8]: topology: is swept, so that every point sets it; "
      "choose a value by --point, or give others: --set 'sweep={...}'");
}

TEST_CASE("a search is a point with the lowest value, and its runs are plain experiments",
          "[sim]") {
  const Sweep points =
      sweep("search: {find: saturation, from: 0.05}\nsweep: {search.rule: [latency, accepted]}");
  CHECK(points.explores());
  CHECK(points.size() == 2);
  CHECK(points.point(0).section("workload").number("load") == 0.05);
  CHECK(points.point(0).id() != points.point(1).id());
  const Sweep alone =
      sweep("", {"workload.load=0.125", "measure.warmup=50", "measure.window=500", "seed=7"});
  CHECK(points.trial(0, {0.125, 500, 7, 50}).id() == alone.point(0).id());
  CHECK(points.trial(1, {0.125, 500, 7, 50}).id() == alone.point(0).id());
  const Sweep precise = sweep("search: {find: saturation}", {"measure.precision=0.1"});
  CHECK(precise.trial(0, {0.125, 500, 7, 50}).id() == alone.point(0).id());
  CHECK_FALSE(sweep("search: {find: none}").explores());
  CHECK(sweep("search: {find: none}").point(0).id() == sweep("").point(0).id());
}

TEST_CASE("steps reach their end and are the decimals that a user would write", "[sim]") {
  const Sweep points = sweep("sweep: {workload.load: {from: 0.05, to: 0.5, step: 0.05}}");
  std::string all;
  for (const std::string& value : values(points)) all += value;
  CHECK(points.size() == 10);
  CHECK(all ==
        R"({"workload.load":0.05}{"workload.load":0.1}{"workload.load":0.15}{"workload.load":0.2})"
        R"({"workload.load":0.25}{"workload.load":0.3}{"workload.load":0.35}{"workload.load":0.4})"
        R"({"workload.load":0.45}{"workload.load":0.5})");
  CHECK(sweep("sweep: {workload.load: {from: 0.1, to: 0.35, step: 0.1}}").size() == 3);
  CHECK(sweep("sweep: {router.buffer_depth: {from: 8, to: 2, step: -2}}").size() == 4);
  CHECK(sweep("sweep: {router.buffer_depth: {from: 8.0, to: 8, step: 1}}").size() == 1);
}

TEST_CASE("points have ids of their own, the same as the configuration written out", "[sim]") {
  const Sweep points = sweep("sweep: {workload.load: {from: 0.05, to: 0.5, step: 0.05}}");
  std::set<std::string> ids;
  for (std::size_t i = 0; i < points.size(); ++i) ids.insert(points.point(i).id());
  CHECK(ids.size() == 10);
  CHECK(points.point(3).id() == sweep("").point(0).id());
  const std::string more = "sweep: {workload.load: [0.9, 0.15]}";
  CHECK(sweep(more).point(1).id() == points.point(2).id());
}

TEST_CASE("sweeps are overridden like other keys", "[sim]") {
  CHECK(sweep("sweep: {seed: [1, 2]}", {"sweep={seed: [3, 4, 5]}", "link.latency=2"}).size() == 3);
}

TEST_CASE("a swept key cannot be set as well, for no point would have that value", "[sim]") {
  CHECK_THROWS_WITH(
      sweep("sweep: {workload.load: [0.1, 0.2]}", {"workload.load=0.3"}).check(),
      "--set workload.load=0.3: workload.load: is swept, so that every point sets it; "
      "choose a value by --point, or give others: --set 'sweep={...}'");
}

TEST_CASE("an empty list of values is called empty", "[sim]") {
  CHECK(
      problems("sweep: {seed: []}") ==
      "s.yaml:4:9: sweep.seed: is an empty list; write `section.key: [value, value]` or `{from: A, "
      "to: B, step: S}`");
}

TEST_CASE("a range with units is refused with the forms that a sweep takes", "[sim]") {
  CHECK(problems("sweep: {workload.load: {from: 1 GB/s, to: 2, step: 1}}") ==
        "s.yaml:4:25: sweep.workload.load: `from` is not a decimal number; write {from: A, to: B, "
        "step: S} without units, or a list");
}

TEST_CASE("problems of the sweep and of all its values come at once", "[sim]") {
  CHECK(
      problems("sweep:\n"
               "  workload.laod: [1]\n"
               "  routing.kind: [dimension_order, magic]\n"
               "  router.buffer_depth: [4, x]\n"
               "  workload.load: 0.3\n"
               "  topology: [mesh]\n") ==
      "s.yaml:5:3: sweep.workload.laod: unknown key; did you mean workload.load?\n"
      "s.yaml:6:35: routing.kind: \"magic\" is not a choice; write one of " +
          [] {
            std::string list;
            for (const auto& choice :
                 experiment_schema().find("routing")->variants("kind").at(0)->choices) {
              list += (list.empty() ? "" : ", ") + choice;
            }
            return list;
          }() +
          "\ns.yaml:7:28: router.buffer_depth: \"x\" is not an integer; write an integer from 1 to "
          "65535\n"
          "s.yaml:8:3: sweep.workload.load: is not a list of values; write `section.key: [value, "
          "value]` or `{from: A, to: B, step: S}`\n"
          "s.yaml:9:14: sweep.topology: has a value that is no map of keys; write `section: "
          "[{key: value, ...}, {key: value, ...}]`");
}

TEST_CASE("a key that some points cannot use is a problem, told once", "[sim]") {
  CHECK(
      problems("sweep: {topology.kind: [mesh, ring], seed: [1, 2]}") ==
      "s.yaml:1:1: topology.nodes: is missing; write an integer from 1 to 16777216\n"
      "s.yaml:1:24: topology.sizes: does not apply while topology.kind is ring; remove it, or set "
      "topology.kind to mesh or cmesh or flattened_butterfly or hyperx or torus");
  CHECK(problems("sweep: {topology.kind: [ring], topology.nodes: [4], topology.sizes: [3]}")
            .find("s.yaml:4:70: topology.sizes: does not apply") == 0);
}

TEST_CASE("steps that lead nowhere, or too far, are refused", "[sim]") {
  const auto refused = [](const std::string& steps) {
    return problems("sweep: {seed: " + steps + "}").find("sweep.seed: ") != std::string::npos;
  };
  CHECK(refused("{from: 1, to: 3, step: 0}"));
  CHECK(refused("{from: 1, to: 3, step: -1}"));
  CHECK(refused("{from: 3, to: 1, step: 1}"));
  CHECK(refused("{from: 1, to: 3}"));
  CHECK(refused("{from: 1, to: x, step: 1}"));
  CHECK(refused("{from: 1, to: 3, step: 1, by: 2}"));
  CHECK(refused("{from: 1, to: 1000001, step: 1}"));
  CHECK(refused("[]"));
}

TEST_CASE("a sweep of too many points is refused without making them", "[sim]") {
  const std::string thousand = "{from: 1, to: 1001, step: 1}";
  CHECK(problems("sweep: {seed: " + thousand + ", measure.window: " + thousand + "}") ==
        "s.yaml:4:1: sweep: more than 1000000 points; sweep fewer keys or values");
}

TEST_CASE("points that are the same are refused", "[sim]") {
  CHECK(problems("sweep: {workload.load: [0.1, 0.2, 0.10]}") ==
        "s.yaml:4:1: sweep: points 0 and 2 are the same; remove the value that comes twice");
  CHECK(problems("sweep: {run.threads: [1, 2]}").find("does not change results") !=
        std::string::npos);
  CHECK(problems("sweep: {name: [a, b]}").find("does not change results") != std::string::npos);
}

TEST_CASE("a point that there is not is a problem", "[sim]") {
  CHECK_THROWS_AS(sweep("sweep: {seed: [1, 2]}").point(2), ConfigError);
}

TEST_CASE("the check of a sweep ends at the first fifty problems", "[sim]") {
  const std::string all = problems("sweep: {measure.window: {from: -5000, to: -1, step: 1}}");
  CHECK(std::count(all.begin(), all.end(), '\n') == 49);
  CHECK(
      all.find("s.yaml:4:1: sweep: the check has ended after 49 of 5000 points; correct these ") !=
      std::string::npos);
}

TEST_CASE("an interface is told by sweeps, and by configurations unless it is the usual one",
          "[sim]") {
  const Sweep points = sweep("sweep: {workload.interface: [native, tlm]}");
  CHECK(values(points) == std::vector<std::string>{R"({"workload.interface":"native"})",
                                                   R"({"workload.interface":"tlm"})"});
  const Configuration usual = sweep("").point(0);
  CHECK(points.point(0).id() == usual.id());
  CHECK(points.point(0).effective() == usual.effective());
  CHECK(points.point(1).id() != usual.id());
  CHECK(points.point(1).effective()["workload"]["interface"] == "tlm");
}
