// SPDX-License-Identifier: Apache-2.0
#include "clos/connection_admission.h"

#include <stdexcept>

#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "clos/state/history.h"
#include "clos/state/recount.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

std::unique_ptr<Strategy> strategy_s1(const Structure& structure, std::size_t pass_limit = 0) {
  return find(strategies(), "S1")->make({structure, pass_limit, 1});
}

/// Records its requests and behaves as S1.
class Witness : public Strategy {
 public:
  Witness(const Structure& structure, BitSet& candidates)
      : strategy_(strategy_s1(structure)), candidates_(candidates) {}

  void select(const SelectionRequest& request, Selection& selection) override {
    candidates_ = request.candidates;
    strategy_->select(request, selection);
  }

 private:
  std::unique_ptr<Strategy> strategy_;
  BitSet& candidates_;
};

}  // namespace

TEST_CASE("control refuses to start without what it needs", "[clos]") {
  const Structure structure = Structure::symmetric(4, 2, 3);
  CHECK_THROWS_AS(ConnectionAdmission(structure, nullptr), std::invalid_argument);
  CHECK_THROWS_AS(ConnectionAdmission({0, 1, 1, 1, 1}, strategy_s1(structure)),
                  std::invalid_argument);
  AdmissionParams params;
  params.candidates = Candidates::kFirst;
  CHECK_THROWS_AS(ConnectionAdmission(structure, strategy_s1(structure), params),
                  std::invalid_argument);
  params = {};
  params.join = JoinPolicy::kBounded;
  CHECK_THROWS_AS(ConnectionAdmission(structure, strategy_s1(structure), params),
                  std::invalid_argument);
  params.pass_limit = 1;
  CHECK_NOTHROW(ConnectionAdmission(structure, strategy_s1(structure), params));
}

// The example of the CS838 lecture notes (1999), ports from 0, in the order of its inputs.
TEST_CASE("S1 routes the lecture's example through one middle switch each", "[clos]") {
  ConnectionAdmission control(Structure::symmetric(5, 3, 4),
                              strategy_s1(Structure::symmetric(5, 3, 4)));
  const std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> requests{
      {0, {0, 1}}, {1, {0, 3}}, {4, {1, 3}}, {5, {1, 3}}, {7, {2}}, {8, {2}}, {10, {2}}, {11, {0}}};
  std::vector<std::uint32_t> middles;
  for (const auto& [input, switches] : requests) {
    std::vector<OutputId> ports;
    for (const std::uint32_t k : switches) ports.push_back(control.state().lowest_idle(k));
    const Selection& selection = control.connect(InputId{input}, ports);
    REQUIRE(selection.size() == 1);
    middles.push_back(index(selection.middle(0)));
    require_recounted(control.state());
  }
  CHECK(middles == std::vector<std::uint32_t>{0, 1, 2, 3, 0, 1, 2, 3});
  std::string sets;
  for (std::size_t j = 0; j < 5; ++j) {
    sets += to_hex(control.state().destination_sets().set_of(j)) + " ";
  }
  CHECK(sets == "7 d e b 0 ");
}

TEST_CASE("a blocked request and an invalid one leave every bit as it was", "[clos]") {
  // The shortest sequence that blocks S1 at n = 2, r = 3, m = 3, found by exhaustive search.
  const Structure structure = Structure::symmetric(3, 2, 3);
  ConnectionAdmission control(structure, strategy_s1(structure));
  control.connect(InputId{0}, outputs({0}));
  control.connect(InputId{2}, outputs({2, 4}));
  control.connect(InputId{4}, outputs({3}));
  control.connect(InputId{5}, outputs({5}));
  control.disconnect(InputId{2});
  control.connect(InputId{1}, outputs({2, 4}));
  control.disconnect(InputId{0});
  control.connect(InputId{2}, outputs({0}));
  const NetworkState before = control.state();
  CHECK(control.connect(InputId{0}, outputs({1})).blocked());
  CHECK(control.state() == before);
  CHECK_THROWS_AS(control.connect(InputId{0}, outputs({1, 2})), InvalidRequest);
  CHECK_THROWS_AS(control.connect(InputId{1}, outputs({1})), InvalidRequest);
  CHECK_THROWS_AS(control.disconnect(InputId{0}), InvalidRequest);
  CHECK(control.state() == before);
}

TEST_CASE("candidates `first` are the first R(n2 - 1, r', x) + 1 available ones", "[clos]") {
  const Structure structure{70, 4, 64, 9, 64};
  AdmissionParams params;
  params.candidates = Candidates::kFirst;
  params.pass_limit = 2;
  BitSet seen;
  ConnectionAdmission control(structure, std::make_unique<Witness>(structure, seen), params);
  control.connect(InputId{0}, outputs({0}));
  CHECK(seen.count() == 9);  // floor(8 sqrt(1)) + 1.
  CHECK(seen.test(8));
  control.connect(InputId{1}, outputs({9, 10, 18, 27, 36}));
  CHECK(seen.count() == 17);  // Four output switches: floor(8 sqrt(4)) + 1.
  CHECK_FALSE(seen.test(0));  // Input 0 occupies it.
  CHECK(seen.test(17));
  std::vector<OutputId> everywhere;
  for (std::uint32_t k = 0; k < 64; ++k) everywhere.push_back(control.state().lowest_idle(k));
  control.connect(InputId{2}, everywhere);
  CHECK(seen.count() == 65);  // floor(8 sqrt(64)) + 1, of 68 available.
  CHECK(seen.test(66));
  CHECK_FALSE(seen.test(67));
  control.state().verify();
}

TEST_CASE("at the bound of Theorem 3 no request is blocked, with all or the first candidates",
          "[clos]") {
  const Candidates candidates = GENERATE(Candidates::kAll, Candidates::kFirst);
  for (const auto& [n, r] :
       {std::pair{1U, 5U}, {2U, 2U}, {2U, 9U}, {3U, 4U}, {4U, 4U}, {5U, 70U}}) {
    const Bound bound = theorem3(n, r);
    const auto structure = Structure::symmetric(static_cast<std::uint32_t>(bound.m), n, r);
    AdmissionParams params;
    params.pass_limit = bound.x;
    params.candidates = candidates;
    ConnectionAdmission control(structure, strategy_s1(structure, bound.x), params);
    Dice dice(structure, 11);
    const NetworkState& state = control.state();
    for (int event = 0; event < 400; ++event) {
      const InputId input = dice.input();
      if (!state.idle_inputs().test(index(input))) {
        if (dice.below(2) == 0) control.disconnect(input);
      } else if (state.idle_outputs().any()) {
        const Selection& selection = control.connect(input, dice.idle_outputs(state));
        REQUIRE_FALSE(selection.blocked());
        REQUIRE(selection.passes() <= bound.x);
      }
      if (event % 10 == 0) require_recounted(state);
      if (event % 10 == 5) state.verify();
    }
  }
}
