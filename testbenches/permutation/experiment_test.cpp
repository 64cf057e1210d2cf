// SPDX-License-Identifier: Apache-2.0
#include "permutation/experiment.h"

#include <cmath>
#include <string>

#include "routes.h"
#include "support/test_catch.h"

using namespace flitcast;

// Both values are from tables of binomial confidence limits.
TEST_CASE("limits on a probability are those of Clopper and Pearson", "[permutation]") {
  CHECK(clopper_pearson_limit(0, 400) == Approx(1 - std::pow(0.05, 1.0 / 400)));
  CHECK(clopper_pearson_limit(0, 1) == Approx(0.95));
  CHECK(clopper_pearson_limit(1, 10) == Approx(0.3942).margin(0.0001));
  CHECK(clopper_pearson_limit(3, 20) == Approx(0.3437).margin(0.0001));
  CHECK(clopper_pearson_limit(10, 10) == 1);
}

TEST_CASE("repetitions draw anew, and the first is the run itself", "[permutation]") {
  const PaperCase paper("hypercube, dimension: 6", "e_cube",
                        "permutation: transpose, algorithm: two_phase");
  const RepeatedFigures one = repeat_on_steps(paper.context, 1);
  CHECK(one.steps.mean == static_cast<double>(paper.play().steps));
  CHECK(one.steps.half_width == 0);
  const RepeatedFigures two = repeat_on_steps(paper.context, 2);
  const double distance = static_cast<double>(two.steps.most) - two.steps.mean;
  REQUIRE(distance > 0);
  CHECK(two.steps.half_width == Approx(1.96 * distance));
  const RepeatedFigures many = repeat_on_steps(paper.context, 200);
  CHECK(many.runs == 200);
  // 400 runs of another simulator gave this mean.
  CHECK(many.steps.mean == Approx(12.26).margin(0.35));
  CHECK(many.steps.half_width > 0.05);
  CHECK(many.steps.half_width < 0.2);
  REQUIRE(many.claims.size() == 2);
  CHECK(many.claims[1].exceeded == 0);
  CHECK(many.claims[1].upper_limit == Approx(1 - std::pow(0.05, 1.0 / 200)));
}

TEST_CASE("a claim that does not hold is counted", "[permutation]") {
  const PaperCase paper("mesh, sizes: [4, 4, 4]", "dimension_order",
                        "permutation: worst_dimension_order, algorithm: dimension_order");
  const RepeatedFigures figures = repeat_on_steps(paper.context, 3);
  REQUIRE(figures.claims.size() == 1);
  CHECK(figures.claims[0].claim.at_most == 9);
  CHECK(figures.claims[0].exceeded == 3);
  CHECK(figures.steps.most == 11);
}

TEST_CASE("delays are counted by their length", "[permutation]") {
  const StepFigures figures =
      figures_of("mesh, sizes: [4]", "dimension_order",
                 "permutation: {pairs: [0, 1, 0, 1, 0, 1, 3, 2]}, algorithm: greedy");
  CHECK(figures.delays == std::vector<std::uint64_t>{2, 1, 1});
  CHECK(figures.mean_delay() == Approx(0.75));
  CHECK(figures.share_of_delays(1) == Approx(0.5));
  CHECK(figures.share_of_delays(2) == Approx(0.25));
}

TEST_CASE("the order of queues is what the user says, the routers have, or the theorem wants",
          "[permutation]") {
  const auto discipline = [](const char* asked, const char* routers) {
    PaperCase paper("mesh, sizes: [4, 4]", "dimension_order",
                    std::string("permutation: transpose, algorithm: dimension_order") + asked);
    paper.context.router_priority = routers;
    return make_route(paper.context).discipline;
  };
  CHECK(discipline("", "") == "farthest_first");
  CHECK(discipline("", "lifo") == "lifo");
  CHECK(discipline(", discipline: random", "") == "random");
  CHECK(discipline(", discipline: fifo", "fifo") == "fifo");
  CHECK_THROWS_AS(discipline(", discipline: fifo", "lifo"), ConfigError);
}
