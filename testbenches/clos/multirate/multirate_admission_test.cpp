// SPDX-License-Identifier: Apache-2.0
#include "clos/multirate/multirate_admission.h"

#include <map>

#include "clos/bounds/bounds.h"
#include "clos/connection_admission.h"
#include "clos/experiments/random_split.h"
#include "clos/multirate/multirate_traffic.h"
#include "clos/strategies/named.h"
#include "clos/traffic.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

MultirateAdmission control_of(const Structure& structure, const WeightRange& weights,
                              const AdmissionParams& params = {}) {
  return {structure, weights,
          std::make_unique<Named>("S1", structure.m, structure.r2, params.pass_limit), params};
}

}  // namespace

TEST_CASE("the golden multirate traffic comes out exactly", "[clos]") {
  const Structure tight = Structure::symmetric(3, 3, 3);
  MultirateAdmission few = control_of(tight, {4, 1});
  MultirateRequestGenerator some(tight, {4, 1}, {{7, 0, 75}, 4});
  const TrafficCounts blocked = run_multirate_traffic(few, some, 2000);
  CHECK(blocked.requests == 1194);
  CHECK(blocked.blocked == 377);
  CHECK(blocked.most_passes == 2);
  CHECK(few.state().loads().output_link_sum() == 21);

  const Structure ample = Structure::symmetric(17, 3, 4);
  MultirateAdmission many = control_of(ample, {4, 2});
  MultirateRequestGenerator more(ample, {4, 2}, {{7, 0, 75}, 4});
  const TrafficCounts served = run_multirate_traffic(many, more, 5000);
  CHECK(served.requests == 2504);
  CHECK(served.blocked == 0);
  CHECK(served.most_passes == 1);
  CHECK(many.state().loads().output_link_sum() == 28);
}

TEST_CASE("no request is blocked at the multirate bound", "[clos]") {
  struct Case {
    std::uint32_t n;
    std::uint32_t r;
    WeightRange weights;
  };
  const auto [n, r, weights] = GENERATE(values<Case>({{2, 3, {2, 1}},
                                                      {3, 4, {4, 2}},
                                                      {3, 5, {10, 3}},
                                                      {2, 4, {1000, 1000}},
                                                      {1, 4, {3, 1}},
                                                      {2, 70, {7, 2}},
                                                      {4, 8, {5, 1}}}));
  const auto candidates = GENERATE(Candidates::kAll, Candidates::kFirst);
  const Bound bound = multirate(n, r, {weights.least, weights.capacity});
  const auto structure = Structure::symmetric(static_cast<std::uint32_t>(bound.m), n, r);
  INFO(to_text(structure) << ", weights " << weights.least << " to " << weights.capacity
                          << ", first only: " << (candidates == Candidates::kFirst));
  // A background on as many middle switches as the theorem allows, see RandomSplit.
  MultirateAdmission control(
      structure, weights,
      std::make_unique<RandomSplit>(std::make_unique<Named>("S1", structure.m, r, bound.x), bound.x,
                                    6),
      {bound.x, candidates});
  MultirateRequestGenerator generator(structure, weights, {{5, 0, 75}, 0});
  const TrafficCounts counts = run_multirate_traffic(control, generator, 2000);
  CHECK(counts.requests >= 1000);
  CHECK(counts.blocked == 0);
  CHECK(counts.most_passes <= bound.x);
  control.state().verify();
}

// Both controls receive every request of the single-rate traffic.
TEST_CASE("with weights above one half, multirate control is single-rate control", "[clos]") {
  const Structure structure =
      GENERATE(Structure{3, 2, 3, 2, 3}, Structure{5, 4, 4, 4, 4}, Structure{66, 33, 2, 3, 65});
  const auto candidates = GENERATE(Candidates::kAll, Candidates::kFirst);
  ConnectionAdmission single(structure, std::make_unique<Named>("S1", structure.m, structure.r2, 2),
                             {2, candidates});
  MultirateAdmission shared = control_of(structure, {10, 6}, {2, candidates});
  RequestGenerator generator(structure, {11, 0, 75});
  std::map<InputId, ConnectionId> ids;
  for (int event = 0; event < 1000; ++event) {
    const Proposal proposal = generator.next(single.state());
    if (!proposal.connects) {
      single.disconnect(proposal.input);
      shared.disconnect(ids.at(proposal.input));
      continue;
    }
    const Selection& selection = single.connect(proposal.input, proposal.outputs);
    const Weight weight = 6 + static_cast<Weight>(event) % 5;
    const auto id = shared.connect({proposal.input, proposal.outputs, weight});
    REQUIRE(id.has_value() != selection.blocked());
    REQUIRE(static_cast<const Route&>(shared.selection()) == selection);
    if (id) ids[proposal.input] = *id;
  }
}

TEST_CASE("a blocked request and an invalid one change nothing", "[clos]") {
  const Structure structure = Structure::symmetric(1, 2, 2);
  MultirateAdmission control = control_of(structure, {4, 1});
  REQUIRE(control.connect({InputId{0}, {OutputId{0}}, 3}).has_value());
  const MultirateState before = control.state();
  CHECK_FALSE(control.connect({InputId{1}, {OutputId{2}}, 2}).has_value());
  CHECK(control.state().loads() == before.loads());
  CHECK(control.state().connections().size() == 1);
  CHECK_THROWS_AS(control.connect({InputId{0}, {OutputId{1}}, 2}), InvalidRequest);
  CHECK(control.state().loads() == before.loads());
  CHECK(control.state().connections().size() == 1);
  CHECK(control.connect({InputId{1}, {OutputId{2}}, 1}) == ConnectionId{1});
}

TEST_CASE("traffic keeps the range of its weights, and meets all of it", "[clos]") {
  const Structure structure = Structure::symmetric(30, 2, 3);
  MultirateAdmission control = control_of(structure, {9, 3});
  MultirateRequestGenerator generator(structure, {9, 3}, {{2, 2, 60}, 7});
  std::size_t seen[10] = {};
  for (int event = 0; event < 2000; ++event) {
    const MultirateProposal proposal = generator.next(control.state());
    if (proposal.connects) {
      ++seen[proposal.request.weight];
      CHECK(proposal.request.outputs.size() <= 2);
      static_cast<void>(control.connect(proposal.request));
    } else {
      control.disconnect(proposal.ending);
    }
  }
  for (const std::size_t weight : {3, 4, 5, 6, 7}) CHECK(seen[weight] > 100);
  CHECK(seen[0] + seen[1] + seen[2] + seen[8] + seen[9] == 0);
}

TEST_CASE("multirate control and traffic refuse what they cannot work with", "[clos]") {
  const Structure structure = Structure::symmetric(2, 2, 2);
  CHECK_THROWS_AS(control_of(structure, {4, 1}, {0, Candidates::kFirst}), std::invalid_argument);
  CHECK_THROWS_AS(MultirateAdmission(structure, {4, 1}, nullptr), std::invalid_argument);
  CHECK_THROWS_AS(MultirateRequestGenerator(structure, {4, 2}, {{1, 0, 101}, 4}),
                  std::invalid_argument);
  CHECK_THROWS_AS(MultirateRequestGenerator(structure, {4, 2}, {{1, 0, 75}, 5}),
                  std::invalid_argument);
  CHECK_THROWS_AS(MultirateRequestGenerator(structure, {4, 2}, {{1, 0, 75}, 1}),
                  std::invalid_argument);
}
