// SPDX-License-Identifier: Apache-2.0
#include "clos/multistage_admission.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "clos/state/history.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

// Has few middle switches, so that every level blocks sometimes.
MultistageStructure three_levels() {
  return {{Structure::symmetric(4, 2, 8), Structure::symmetric(3, 2, 4),
           Structure::symmetric(2, 2, 2)}};
}

std::unique_ptr<Strategy> s1(const Structure& structure, unsigned) {
  return find(strategies(), "S1")->make({structure, 0, 1});
}

StrategyFactory scatter() {
  auto seed = std::make_shared<std::uint64_t>(0);
  return [seed](const Structure&, unsigned) { return std::make_unique<Scatter>(++*seed); };
}

/// The lowest candidates take one output switch each. Reports a given number of passes, and ten
/// times as many clocks.
class OneEach : public Strategy {
 public:
  explicit OneEach(std::size_t passes) : passes_(passes) {}

  void select(const SelectionRequest& request, Selection& selection) override {
    selection.clear();
    request.wanted.for_each([&](std::size_t k) {
      selection.add(MiddleId{static_cast<std::uint32_t>(request.candidates.nth(selection.size()))},
                    k);
    });
    selection.set_passes(passes_);
    selection.set_clocks(10 * passes_);
  }

 private:
  std::size_t passes_;
};

/// The states of all networks, level by level.
std::vector<NetworkState> all_states(const MultistageAdmission& control) {
  std::vector<NetworkState> states;
  for (std::size_t level = 0; level < control.structure().levels.size(); ++level) {
    for (std::size_t q = 0; q < control.structure().networks(level); ++q) {
      states.push_back(control.state(level, q));
    }
  }
  return states;
}

/// The crossbars of a multistage network, wired as its structure defines, independent of the
/// controls: connects inputs of the network to outputs.
class Wires {
 public:
  explicit Wires(const MultistageStructure& structure) : levels_(structure.levels) {}

  /// Sets every crossbar on a path; a port of a crossbar that two connections use is an error.
  void set(const std::vector<SwitchSetting>& path) {
    for (const SwitchSetting& setting : path) {
      std::vector<std::uint32_t>& driven = drives_[key(setting, setting.input)];
      REQUIRE(driven.empty());
      driven = setting.outputs;
      for (const std::uint32_t output : setting.outputs) {
        REQUIRE(drivers_.insert(key(setting, output)).second);
      }
    }
  }

  std::vector<OutputId> reached_from(InputId input) const {
    std::vector<OutputId> outputs;
    for (const std::uint32_t output : cross({}, index(input))) outputs.push_back(OutputId{output});
    std::sort(outputs.begin(), outputs.end());
    return outputs;
  }

 private:
  using Stage = SwitchSetting::Stage;
  using Key =
      // The enclosing middle switches, stage, switch, port.
      std::tuple<std::vector<MiddleId>, Stage, std::uint32_t, std::uint32_t>;

  static Key key(const SwitchSetting& setting, std::uint32_t port) {
    return {setting.inside, setting.stage, setting.number, port};
  }

  std::vector<std::uint32_t> driven(const Key& key) const {
    const auto found = drives_.find(key);
    return found == drives_.end() ? std::vector<std::uint32_t>{} : found->second;
  }

  // The outputs of the network inside these middle switches that its input reaches.
  std::vector<std::uint32_t> cross(const std::vector<MiddleId>& inside, std::uint32_t input) const {
    const Structure& shape = levels_[inside.size()];
    const std::uint32_t i = input / shape.n1;
    std::vector<std::uint32_t> outputs;
    for (const std::uint32_t j : driven({inside, Stage::kInput, i, input % shape.n1})) {
      for (const std::uint32_t k : cross_middle(inside, j, i)) {
        for (const std::uint32_t port : driven({inside, Stage::kOutput, k, j})) {
          outputs.push_back(k * shape.n2 + port);
        }
      }
    }
    return outputs;
  }

  std::vector<std::uint32_t> cross_middle(std::vector<MiddleId> inside, std::uint32_t j,
                                          std::uint32_t i) const {
    if (inside.size() + 1 == levels_.size()) return driven({inside, Stage::kMiddle, j, i});
    inside.push_back(MiddleId{j});
    return cross(inside, i);
  }

  std::vector<Structure> levels_;
  std::map<Key, std::vector<std::uint32_t>> drives_;
  std::set<Key> drivers_;
};

/// Checks that the paths of all live connections, set in the crossbars, join exactly the connected
/// ports.
void check_paths(const MultistageAdmission& control) {
  Wires wires(control.structure());
  const std::uint32_t inputs = control.structure().levels[0].inputs();
  for (std::uint32_t input = 0; input < inputs; ++input) wires.set(control.path(InputId{input}));
  for (std::uint32_t input = 0; input < inputs; ++input) {
    REQUIRE(wires.reached_from(InputId{input}) ==
            control.state().connection(InputId{input}).outputs);
  }
}

}  // namespace

TEST_CASE("random histories keep all levels in step, and blocked requests change none", "[clos]") {
  const std::vector<MultistageStructure> structures{
      {{Structure::symmetric(3, 2, 3)}},
      {{Structure::symmetric(4, 2, 4), Structure::symmetric(3, 2, 2)}},
      {{Structure{5, 2, 6, 3, 4}, Structure{4, 3, 2, 2, 2}}},
      {{Structure::symmetric(2, 1, 1), Structure::symmetric(2, 1, 1)}},
      {{Structure::symmetric(6, 2, 66), Structure::symmetric(70, 11, 6)}},
      three_levels()};
  for (const MultistageStructure& structure : structures) {
    MultistageAdmission control(structure, scatter());
    Dice dice(structure.levels[0], 8);
    std::vector<std::size_t> blocked(structure.levels.size(), 0);
    for (int event = 0; event < 300; ++event) {
      const InputId input = dice.input();
      if (!control.state().idle_inputs().test(index(input))) {
        control.disconnect(input);
      } else if (control.state().idle_outputs().any()) {
        const std::vector<NetworkState> before = all_states(control);
        const MultistageVerdict verdict =
            control.connect(input, dice.idle_outputs(control.state()));
        REQUIRE(verdict.passes.size() == structure.levels.size());
        REQUIRE(verdict.blocked == (all_states(control) == before));
        if (verdict.blocked) ++blocked[verdict.levels - 1];
      }
      control.verify();
      if (event % 10 == 0) check_paths(control);
    }
    if (structure.levels.size() == 3) {
      CHECK(blocked[0] > 0);
      CHECK(blocked[1] > 0);
      CHECK(blocked[2] > 0);
    }
  }
}

TEST_CASE("levels with the middle switches of Theorem 3 never block", "[clos]") {
  // N = 16 as the recursion plans it, (2, 8, 10)(2, 4, 6)(2, 2, 4), and some odd sizes.
  const std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> plans{
      {{2, 8}, {2, 4}, {2, 2}}, {{4, 4}, {2, 2}}, {{3, 9}, {3, 3}}, {{3, 5}, {5, 1}}};
  for (const auto& sizes : plans) {
    MultistageStructure structure;
    std::vector<AdmissionParams> params;
    for (const auto& [n, r] : sizes) {
      const Bound bound = theorem3(n, r);
      structure.levels.push_back(Structure::symmetric(static_cast<std::uint32_t>(bound.m), n, r));
      params.emplace_back().pass_limit = bound.x;
    }
    const auto limited = [&params](const Structure& shape, unsigned level) {
      return find(strategies(), "S1")->make({shape, params[level].pass_limit, 1});
    };
    MultistageAdmission control(structure, limited, params);
    Dice dice(structure.levels[0], 12);
    for (int event = 0; event < 300; ++event) {
      const InputId input = dice.input();
      if (!control.state().idle_inputs().test(index(input))) {
        control.disconnect(input);
      } else if (control.state().idle_outputs().any()) {
        const MultistageVerdict verdict =
            control.connect(input, dice.idle_outputs(control.state()));
        REQUIRE_FALSE(verdict.blocked);
        for (std::size_t level = 0; level < sizes.size(); ++level) {
          REQUIRE(verdict.passes[level] >= 1);
          REQUIRE(verdict.passes[level] <= params[level].pass_limit);
        }
      }
    }
    control.verify();
    check_paths(control);
  }
}

TEST_CASE("a connection's path is its way through five stages", "[clos]") {
  const MultistageStructure structure{
      {Structure::symmetric(4, 2, 4), Structure::symmetric(3, 2, 2)}};
  MultistageAdmission control(structure, s1);
  CHECK(control.path(InputId{5}).empty());
  const MultistageVerdict verdict = control.connect(InputId{5}, outputs({1, 6, 7}));
  CHECK_FALSE(verdict.blocked);
  CHECK(verdict.passes == std::vector<std::size_t>{1, 1});
  const std::vector<SwitchSetting> path = control.path(InputId{5});
  const auto check = [&path](std::size_t at, const std::vector<MiddleId>& inside,
                             SwitchSetting::Stage stage, std::uint32_t number, std::uint32_t input,
                             const std::vector<std::uint32_t>& driven) {
    INFO(at);
    CHECK(path[at].inside == inside);
    CHECK(path[at].stage == stage);
    CHECK(path[at].number == number);
    CHECK(path[at].input == input);
    CHECK(path[at].outputs == driven);
  };
  using Stage = SwitchSetting::Stage;
  const std::vector<MiddleId> inside{MiddleId{0}};
  REQUIRE(path.size() == 7);
  check(0, {}, Stage::kInput, 2, 1, {0});
  check(1, inside, Stage::kInput, 1, 0, {0});  // Input 2 of middle network 0.
  check(2, inside, Stage::kMiddle, 0, 1, {0, 1});
  check(3, inside, Stage::kOutput, 0, 0, {0});  // The path to output switch 0.
  check(4, inside, Stage::kOutput, 1, 0, {1});  // The path to output switch 3.
  check(5, {}, Stage::kOutput, 0, 0, {1});
  check(6, {}, Stage::kOutput, 3, 0, {0, 1});
  control.disconnect(InputId{5});
  CHECK(control.path(InputId{5}).empty());
  control.verify();
}

TEST_CASE("a level's passes and clocks are the most of those that work at the same time",
          "[clos]") {
  const MultistageStructure structure{
      {Structure::symmetric(3, 1, 2), Structure::symmetric(2, 2, 1)}};
  // Passes of the outer control, and of those of its middle switches.
  const std::vector<std::size_t> passes{4, 7, 3, 9};
  std::size_t made = 0;
  MultistageAdmission control(structure, [&](const Structure&, unsigned) {
    return std::make_unique<OneEach>(passes[made++]);
  });
  const MultistageVerdict verdict = control.connect(InputId{0}, outputs({0, 1}));
  CHECK(verdict.levels == 2);
  // Middle switch 2, with 9 passes, takes no part.
  CHECK(verdict.passes == std::vector<std::size_t>{4, 7});
  CHECK(verdict.clocks == std::vector<std::uint64_t>{40, 70});
}

TEST_CASE("invalid requests change no level", "[clos]") {
  MultistageAdmission control(three_levels(), s1);
  control.connect(InputId{3}, outputs({0, 9}));
  const std::vector<NetworkState> before = all_states(control);
  CHECK_THROWS_AS(control.connect(InputId{3}, outputs({1})), InvalidRequest);
  CHECK_THROWS_AS(control.connect(InputId{4}, outputs({1, 9})), InvalidRequest);
  CHECK_THROWS_AS(control.disconnect(InputId{4}), InvalidRequest);
  CHECK_THROWS_AS(control.disconnect(InputId{16}), InvalidRequest);
  CHECK(all_states(control) == before);
  CHECK_THROWS_AS(MultistageAdmission(three_levels(), s1, {AdmissionParams{}}),
                  std::invalid_argument);
}

TEST_CASE("levels that do not fit into each other are refused", "[clos]") {
  const auto refused = [](const MultistageStructure& structure) {
    try {
      MultistageAdmission(structure, s1);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const Structure outer = Structure::symmetric(13, 4, 4);
  CHECK(refused({}) == "the network has no level; name at least one");
  CHECK(refused({{outer, Structure::symmetric(4, 2, 2)}}).empty());
  CHECK(refused({{Structure{5, 2, 3, 7, 4}, Structure{2, 3, 1, 2, 2}}}).empty());
  CHECK(refused({{outer, Structure::symmetric(4, 2, 3)}}) ==
        "level 1 has 6 inputs and 6 outputs, but level 0 has 4 input and 4 output switches; make "
        "them equal");
  CHECK(refused({{outer, Structure{2, 2, 2, 2, 3}}}) ==
        "level 1 has 4 inputs and 6 outputs, but level 0 has 4 input and 4 output switches; make "
        "them equal");
  CHECK(refused({{Structure::symmetric(0, 2, 2)}}) == "m is 0; take at least 1");
}

TEST_CASE("the crossbars of a path are wired to each other, stage by stage", "[clos]") {
  const Clos topology = GENERATE(Clos({{6, 5, 3}}, 2, 4), Clos({{2, 3}, {3, 4}}, 2),
                                 Clos({{2, 3}, {2, 4}, {2, 5}}, 2));
  const std::size_t levels = topology.structure().levels.size();
  MultistageAdmission control(topology.structure(), s1);
  std::vector<OutputId> outputs;
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    outputs.push_back(OutputId{node});
  }
  const InputId input{static_cast<std::uint32_t>(topology.node_count() - 1)};
  REQUIRE(!control.connect(input, outputs).blocked);
  std::map<RouterId, SwitchSetting> path;
  for (const SwitchSetting& setting : control.path(input)) {
    REQUIRE(path.emplace(setting.router(topology), setting).second);
  }
  std::size_t reached = 1;
  for (const Channel& channel : topology.channels()) {
    const auto from = path.find(channel.from.router);
    if (from == path.end()) continue;
    const std::vector<std::uint32_t>& driven = from->second.outputs;
    if (std::count(driven.begin(), driven.end(), index(channel.from.port)) == 0) continue;
    REQUIRE(path.count(channel.to.router) == 1);
    const SwitchSetting& to = path.at(channel.to.router);
    CHECK(to.input == index(channel.to.port));
    CHECK(to.whole_stage(levels) == from->second.whole_stage(levels) + 1);
    ++reached;
  }
  CHECK(reached == path.size());
  const Endpoint entry = topology.attachment(NodeId{index(input)}).injection;
  REQUIRE(path.count(entry.router) == 1);
  CHECK(path.at(entry.router).input == index(entry.port));
  CHECK(path.at(entry.router).whole_stage(levels) == 0);
  for (const OutputId output : outputs) {
    const Endpoint exit = topology.attachment(NodeId{index(output)}).ejection;
    REQUIRE(path.count(exit.router) == 1);
    const SwitchSetting& last = path.at(exit.router);
    CHECK(std::count(last.outputs.begin(), last.outputs.end(), index(exit.port)) == 1);
    CHECK(last.whole_stage(levels) == 2 * levels);
  }
}
