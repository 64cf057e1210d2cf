// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "network/circuit/timed_admission.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

std::vector<clos::StrategyContext> made;

std::unique_ptr<clos::Strategy> remember(const clos::StrategyContext& context) {
  made.push_back(context);
  return find(clos::strategies(), "S1")->make(context);
}

}  // namespace

TEST_CASE("every network of a nested control draws from a seed of its own", "[network]") {
  made.clear();
  const clos::MultistageStructure structure{
      {clos::Structure::symmetric(5, 2, 4), clos::Structure::symmetric(4, 2, 2)}};
  std::vector<clos::AdmissionParams> params(2);
  params[0].pass_limit = 3;
  params[1].pass_limit = 2;
  const clos::MultistageAdmission control(structure, strategy_factory(remember, params, 7), params);
  REQUIRE(made.size() == 6);  // The outermost level and 5 middle networks.
  CHECK(made.front().seed == 7);
  std::set<std::uint64_t> seeds;
  for (const clos::StrategyContext& context : made) {
    seeds.insert(context.seed);
    CHECK(context.pass_limit == (context.structure.r1 == 4 ? 3 : 2));
  }
  CHECK(seeds.size() == made.size());
}
