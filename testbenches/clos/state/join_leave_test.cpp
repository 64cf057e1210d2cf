// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "clos/blocking.h"
#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "clos/connection_admission.h"
#include "clos/state/history.h"
#include "clos/state/recount.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

AdmissionParams joining(JoinPolicy join, std::size_t pass_limit) {
  AdmissionParams params;
  params.join = join;
  params.pass_limit = pass_limit;
  return params;
}

ConnectionAdmission s1_control(const Structure& structure, JoinPolicy join,
                               std::size_t pass_limit = 0) {
  return {structure, find(strategies(), "S1")->make({structure, 0, 1}), joining(join, pass_limit)};
}

ConnectionAdmission scattering_control(const Structure& structure, JoinPolicy join,
                                       std::size_t pass_limit) {
  return {structure, std::make_unique<Scatter>(5), joining(join, pass_limit)};
}

/// Random events on a control, each checked against the rules in their simplest form.
class History {
 public:
  History(ConnectionAdmission control, JoinPolicy policy, std::size_t pass_limit)
      : control_(std::move(control)),
        policy_(policy),
        pass_limit_(pass_limit),
        dice_(control_.state().structure(), 3) {}

  void run(int events) {
    for (int event = 0; event < events; ++event) {
      const BitSet& idle = state().idle_outputs();
      const bool any = idle.none() || dice_.below(8) == 0;
      step(dice_.input(), any ? dice_.output() : dice_.member<OutputId>(idle));
      require_recounted(control_.state());
      control_.state().verify();
    }
  }

  std::set<Join> joins;
  std::set<Leave> leaves;

 private:
  const NetworkState& state() const { return control_.state(); }

  void step(InputId input, OutputId output) {
    const bool live = !state().idle_inputs().test(index(input));
    const std::uint32_t kind = dice_.below(8);
    if (!live && state().idle_outputs().any()) return connect(input);
    if (!live || kind == 0) return disconnect(input);
    if (kind < 5) return join(input, output);
    const auto& outputs = state().connection(input).outputs;
    leave(input, outputs[dice_.below(static_cast<std::uint32_t>(outputs.size()))]);
  }

  void connect(InputId input) {
    const NetworkState before = state();
    if (control_.connect(input, dice_.idle_outputs(before)).blocked()) {
      REQUIRE(state() == before);
    } else {
      REQUIRE(state() != before);
    }
  }

  void disconnect(InputId input) {
    const NetworkState before = state();
    if (before.idle_inputs().test(index(input))) {
      CHECK_THROWS_AS(control_.disconnect(input), InvalidRequest);
      REQUIRE(state() == before);
    } else {
      control_.disconnect(input);
    }
  }

  void leave(InputId input, OutputId output) {
    const std::vector<OutputId> before = state().connection(input).outputs;
    const auto neighbours = std::count_if(before.begin(), before.end(), [&](OutputId other) {
      return switch_of(other) == switch_of(output);
    });
    const Leave expected = before.size() == 1 ? Leave::kClosed
                           : neighbours == 1  ? Leave::kLinkFreed
                                              : Leave::kKeptLink;
    REQUIRE(control_.leave(input, output) == expected);
    REQUIRE_FALSE(state().owner(output));
    REQUIRE(state().connection(input).outputs.size() == before.size() - 1);
    leaves.insert(expected);
  }

  void join(InputId input, OutputId output) {
    const NetworkState before = state();
    if (!before.idle_outputs().test(index(output))) {
      CHECK_THROWS_AS(control_.join(input, output), InvalidRequest);
      REQUIRE(state() == before);
      return;
    }
    const Join outcome = control_.join(input, output);
    joins.insert(outcome);
    if (outcome == Join::kBlocked) {
      REQUIRE(state() == before);
    } else {
      REQUIRE(state().owner(output) == input);
    }
    if (reaches(before, input, output)) {
      REQUIRE(outcome == Join::kLocal);
    } else if (policy_ == JoinPolicy::kReroute) {
      REQUIRE((outcome == Join::kRerouted || outcome == Join::kBlocked));
    } else {
      check_extension(before, input, output, outcome);
    }
  }

  void check_extension(const NetworkState& before, InputId input, OutputId output, Join outcome) {
    const std::uint32_t k = switch_of(output);
    const Route& route = before.connection(input).route;
    const Route& now = state().connection(input).route;
    for (std::size_t leg = 0; leg < route.size(); ++leg) {
      if (before.destination_sets().test(index(route.middle(leg)), k)) continue;
      REQUIRE(outcome == Join::kReuse);
      REQUIRE(now.leg_to(k) == leg);
      return;
    }
    std::uint32_t lowest = 0;
    while (lowest < before.structure().m &&
           (!before.available(before.structure().input_switch(input)).test(lowest) ||
            before.destination_sets().test(lowest, k))) {
      ++lowest;
    }
    const bool full = policy_ == JoinPolicy::kBounded && route.size() >= pass_limit_;
    if (full || lowest == before.structure().m) {
      REQUIRE(outcome == Join::kBlocked);
    } else {
      REQUIRE(outcome == Join::kNew);
      REQUIRE(now.size() == route.size() + 1);
      REQUIRE(now.leg_to(k) == route.size());
      REQUIRE(now.middle(route.size()) == MiddleId{lowest});
    }
  }

  std::uint32_t switch_of(OutputId output) const {
    return state().structure().output_switch(output);
  }
  bool reaches(const NetworkState& state, InputId input, OutputId output) const {
    const auto& outputs = state.connection(input).outputs;
    return std::any_of(outputs.begin(), outputs.end(),
                       [&](OutputId other) { return switch_of(other) == switch_of(output); });
  }

  ConnectionAdmission control_;
  JoinPolicy policy_;
  std::size_t pass_limit_;
  Dice dice_;
};

}  // namespace

TEST_CASE("histories of all events keep the invariants and follow their policy", "[clos]") {
  const JoinPolicy policy =
      GENERATE(JoinPolicy::kIncremental, JoinPolicy::kBounded, JoinPolicy::kReroute);
  std::set<Join> joins;
  std::set<Leave> leaves;
  for (const Structure& shape : all_shapes()) {
    INFO(to_text(shape));
    const auto run = [&](History history) {
      history.run(shape.m > 60 || shape.r2 > 60 ? 150 : 400);
      joins.insert(history.joins.begin(), history.joins.end());
      leaves.insert(history.leaves.begin(), history.leaves.end());
    };
    run(History(s1_control(shape, policy, 2), policy, 2));
    run(History(scattering_control(shape, policy, 3), policy, 3));
  }
  CHECK(leaves.size() == 3);
  const bool reroutes = policy == JoinPolicy::kReroute;
  CHECK(joins == (reroutes ? std::set{Join::kLocal, Join::kRerouted, Join::kBlocked}
                           : std::set{Join::kLocal, Join::kReuse, Join::kNew, Join::kBlocked}));
}

TEST_CASE("only an incremental join goes beyond the limit on middle switches", "[clos]") {
  const Structure structure = Structure::symmetric(6, 2, 4);
  for (const JoinPolicy policy : {JoinPolicy::kIncremental, JoinPolicy::kBounded}) {
    ConnectionAdmission control = s1_control(structure, policy, 1);
    control.connect(InputId{0}, outputs({0}));
    control.connect(InputId{2}, outputs({2}));  // Middle switch 0 serves output switches 0 and 1.
    if (policy == JoinPolicy::kIncremental) {
      CHECK(control.join(InputId{0}, OutputId{3}) == Join::kNew);
      CHECK(control.state().connection(InputId{0}).route.size() == 2);
    } else {
      const NetworkState before = control.state();
      CHECK(control.join(InputId{0}, OutputId{3}) == Join::kBlocked);
      CHECK(control.state() == before);
    }
    CHECK(control.join(InputId{0}, OutputId{4}) == Join::kReuse);
    control.state().verify();
  }
}

namespace {

/// The result of joins and leaves on a network with m and x of Theorem 3, up to the first blocked
/// request.
struct Course {
  std::size_t most_middles = 0;  ///< The most middle switches of a connection.
  bool blocked = false;
};

Course join_and_leave(std::uint32_t n, std::uint32_t r, JoinPolicy policy) {
  const Bound bound = theorem3(n, r);
  const auto structure = Structure::symmetric(static_cast<std::uint32_t>(bound.m), n, r);
  ConnectionAdmission control(structure, find(strategies(), "S1")->make({structure, bound.x, 1}),
                              joining(policy, bound.x));
  const NetworkState& state = control.state();
  Dice dice(structure, 2);
  Course course;
  for (int event = 0; event < 6000 && !course.blocked; ++event) {
    const InputId input = dice.input();
    const auto& own = state.connection(input).outputs;
    if (!own.empty() && (state.idle_outputs().none() || dice.below(3) == 0)) {
      control.leave(input, own[dice.below(static_cast<std::uint32_t>(own.size()))]);
    } else if (state.idle_outputs().any()) {
      const OutputId output = dice.member<OutputId>(state.idle_outputs());
      course.blocked = own.empty() ? control.connect(input, {output}).blocked()
                                   : control.join(input, output) == Join::kBlocked;
    }
    course.most_middles = std::max(course.most_middles, state.connection(input).route.size());
  }
  require_recounted(state);
  return course;
}

}  // namespace

TEST_CASE("rerouted joins keep the guarantee of Theorem 3, leaves included", "[clos]") {
  for (const auto& [n, r] : {std::pair{2U, 5U}, {4U, 4U}, {4U, 8U}, {6U, 16U}}) {
    const Course course = join_and_leave(n, r, JoinPolicy::kReroute);
    CHECK_FALSE(course.blocked);
    CHECK(course.most_middles <= theorem3(n, r).x);
    CHECK(join_and_leave(n, r, JoinPolicy::kIncremental).most_middles > theorem3(n, r).x);
  }
}

TEST_CASE("a rerouted connection gets the route of a new request, or keeps its own", "[clos]") {
  const Structure structure{2, 2, 3, 3, 3};
  ConnectionAdmission control = s1_control(structure, JoinPolicy::kReroute);
  control.connect(InputId{0}, outputs({0}));
  control.connect(InputId{2}, outputs({3}));
  CHECK(control.join(InputId{0}, OutputId{4}) == Join::kRerouted);
  Route moved(3);  // Middle switch 0 serves switch 1 already: middle switch 1 takes both at once.
  moved.add(MiddleId{1}, from_hex("3", 3).words());
  CHECK(control.state().connection(InputId{0}).route == moved);

  control.connect(InputId{4}, outputs({6}));
  control.connect(InputId{5}, outputs({7}));  // Both middle switches serve switch 2 now.
  const NetworkState before = control.state();
  CHECK(control.join(InputId{0}, OutputId{8}) == Join::kBlocked);
  CHECK(control.state() == before);
}

TEST_CASE("S1 reroutes a join exactly if some route exists", "[clos]") {
  const Structure structure = Structure::symmetric(3, 3, 4);
  ConnectionAdmission control = s1_control(structure, JoinPolicy::kReroute);
  const NetworkState& state = control.state();
  Dice dice(structure, 9);
  int blocked = 0;
  for (int event = 0; event < 3000; ++event) {
    const InputId input = dice.input();
    const bool live = !state.idle_inputs().test(index(input));
    if (live && (state.idle_outputs().none() || dice.below(3) == 0)) {
      control.disconnect(input);
    } else if (state.idle_outputs().any()) {
      const OutputId output = dice.member<OutputId>(state.idle_outputs());
      if (!live) {
        control.connect(input, {output});
        continue;
      }
      NetworkState released = state;
      released.disconnect(input);
      std::vector<OutputId> wanted = state.connection(input).outputs;
      wanted.push_back(output);
      const bool routable = std::none_of(wanted.begin(), wanted.end(), [&](OutputId port) {
        return unusable(released, structure.input_switch(input), structure.output_switch(port)) ==
               structure.m;
      });
      const bool served = control.join(input, output) != Join::kBlocked;
      REQUIRE(served == routable);
      if (!served) ++blocked;
    }
  }
  CHECK(blocked > 10);
}
