// SPDX-License-Identifier: Apache-2.0
// The search for a Pareto set, on results that are made up.
#include <algorithm>
#include <set>
#include <vector>

#include "sim/sweep/optimise.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

ordered_json made_up(double a, double b, double c, const char* status = "ok") {
  return {{"status", status}, {"cycles", a}, {"hops_mean", b}, {"window_cycles", c}};
}

/// Small cycles, large hops_mean, and a window within a bound.
Goals goals(std::size_t budget, std::uint64_t seed = 1) {
  Goals goals;
  goals.objectives = {{"cycles", false}, {"hops_mean", true}};
  goals.constraints = {{"window_cycles", false, 60}};
  goals.budget = budget;
  goals.seed = seed;
  return goals;
}

bool none(std::size_t) { return false; }

/// Runs the search to its end; the points in the order in which they ran.
template <class ResultOf>
std::vector<std::size_t> finish(ParetoSearch& search, ResultOf result) {
  std::vector<std::size_t> order;
  for (std::vector<std::size_t> batch; !(batch = search.next()).empty();) {
    for (const std::size_t point : batch) {
      search.take(point, result(point));
      order.push_back(point);
    }
  }
  return order;
}

ordered_json scattered(std::size_t point) {
  Random random = Random::stream(7, point);
  const auto a = static_cast<double>(random.below(20));
  const auto b = static_cast<double>(random.below(20));
  return made_up(a, b, static_cast<double>(random.below(100)));
}

}  // namespace

TEST_CASE("on a grid within the budget the set is that of brute force over all points", "[sim]") {
  ParetoSearch search(goals(60), {4, 5, 3}, none);
  CHECK(finish(search, scattered).size() == 60);
  std::vector<std::pair<double, std::size_t>> expected;
  for (std::size_t p = 0; p < 60; ++p) {
    const ordered_json own = scattered(p);
    bool stays = own["window_cycles"] <= 60;
    for (std::size_t q = 0; q < 60; ++q) {
      const ordered_json other = scattered(q);
      if (other["window_cycles"] > 60) continue;
      if (other["cycles"] <= own["cycles"] && other["hops_mean"] >= own["hops_mean"] &&
          (other["cycles"] != own["cycles"] || other["hops_mean"] != own["hops_mean"])) {
        stays = false;
      }
    }
    if (stays) expected.emplace_back(own["cycles"].get<double>(), p);
  }
  std::sort(expected.begin(), expected.end());
  std::vector<std::size_t> points;
  for (const auto& [cycles, point] : expected) points.push_back(point);
  CHECK(points.size() > 2);
  CHECK(search.front() == points);
}

TEST_CASE("a larger grid is searched within the budget, the same way for the same seed", "[sim]") {
  // One valley: the best point is (12, 3) on axes of 20 and 30 values.
  const auto valley = [](std::size_t point) {
    const double x = static_cast<double>(point / 30) - 12;
    const double y = static_cast<double>(point % 30) - 3;
    return made_up(x * x + y * y, 1, 0);
  };
  ParetoSearch search(goals(120), {20, 30}, none);
  const std::vector<std::size_t> order = finish(search, valley);
  CHECK(order.size() == 120);
  CHECK(std::set<std::size_t>(order.begin(), order.end()).size() == 120);
  CHECK(search.front() == std::vector<std::size_t>{12 * 30 + 3});
  ParetoSearch again(goals(120), {20, 30}, none);
  CHECK(finish(again, valley) == order);
  ParetoSearch other(goals(120, 2), {20, 30}, none);
  CHECK(finish(other, valley) != order);
}

TEST_CASE("a search climbs down to the first point and up to the last one of all axes", "[sim]") {
  for (const std::size_t best : {0U, 599U}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      ParetoSearch search(goals(140, seed), {20, 30}, none);
      finish(search, [&](std::size_t point) {
        const double x = static_cast<double>(point / 30) - static_cast<double>(best / 30);
        const double y = static_cast<double>(point % 30) - static_cast<double>(best % 30);
        return made_up(x * x + y * y, 1, 0);
      });
      CHECK(search.front() == std::vector<std::size_t>{best});
    }
  }
}

TEST_CASE("a bound admits the value on it and none beyond, and a share is one of the best result",
          "[sim]") {
  Goals wanted = goals(3);
  ParetoSearch at_bound(wanted, {3}, none);
  const auto window = [](std::size_t point) {
    return made_up(1, 1, point == 0 ? 60 : point == 1 ? 60.001 : 59.999);
  };
  finish(at_bound, window);
  CHECK(at_bound.front() == std::vector<std::size_t>{0, 2});
  wanted.constraints = {{"window_cycles", true, 0.5, true}};
  ParetoSearch of_best(wanted, {3}, none);
  finish(of_best, [](std::size_t point) {
    return made_up(1, 1, point == 0 ? 40 : point == 1 ? 20 : 19.999);
  });
  CHECK(of_best.front() == std::vector<std::size_t>{0, 1});
  wanted.constraints = {{"window_cycles", false, 1.1, true}};
  ParetoSearch least(wanted, {3}, none);
  finish(least, [](std::size_t point) {
    return made_up(1, 1, point == 0 ? 10 : point == 1 ? 11 : 11.001);
  });
  CHECK(least.front() == std::vector<std::size_t>{0, 1});
}

TEST_CASE("points that fail, lack a figure, or saturate where that counts are not in the set",
          "[sim]") {
  const auto results = [](std::size_t point) -> ordered_json {
    if (point == 0) return nullptr;
    if (point == 1) return {{"status", "ok"}, {"cycles", 0}, {"window_cycles", 0}};
    return made_up(static_cast<double>(point), 1, 0, point == 2 ? "saturated" : "ok");
  };
  ParetoSearch all(goals(4), {4}, none);
  finish(all, results);
  CHECK(all.front() == std::vector<std::size_t>{2});
  Goals wanted = goals(4);
  wanted.unsaturated = true;
  ParetoSearch steady(wanted, {4}, none);
  finish(steady, results);
  CHECK(steady.front() == std::vector<std::size_t>{3});
}

TEST_CASE("points that the sieve refuses never run, and take nothing of the budget", "[sim]") {
  const auto odd = [](std::size_t point) { return point % 2 == 1; };
  ParetoSearch search(goals(10), {5, 8}, odd);
  const std::vector<std::size_t> order = finish(search, scattered);
  CHECK(order.size() == 10);
  CHECK(std::none_of(order.begin(), order.end(), odd));
  ParetoSearch refused(goals(10), {5, 8}, [](std::size_t) { return true; });
  CHECK(finish(refused, scattered).empty());
  CHECK(refused.sieved() == 40);
}
