// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "clos/experiments/blocking_curve.h"
#include "clos/experiments/controls.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

struct Counts {
  std::uint64_t blocked;
  std::uint64_t requests;
};

/// Points for m = n, n + 1, ..: seed 42, 40 000 events, three of four events request a connect.
struct Curve {
  std::uint32_t n;  ///< The value of r, too.
  std::uint32_t most_fan_out;
  const char* strategy;
  std::vector<Counts> points;
};

const std::vector<Curve> kCurves = {
    {4, 4, "S1", {{12789, 26402}, {2653, 21332}, {119, 20065}, {0, 20006}, {0, 20006}}},
    {4, 4, "S2", {{12802, 26405}, {2658, 21335}, {112, 20063}, {0, 20006}, {0, 20006}}},
    {4, 4, "S3", {{12872, 26440}, {2574, 21292}, {100, 20054}, {0, 20006}, {0, 20006}}},
    {4, 4, "FF", {{13659, 26833}, {3675, 21843}, {385, 20198}, {7, 20009}, {0, 20006}}},
    {4, 4, "RND", {{13991, 27000}, {3941, 21977}, {495, 20254}, {38, 20023}, {0, 20006}}},
    {8,
     8,
     "S1",
     {{18110, 29067}, {10174, 25109}, {3525, 21784}, {754, 20400}, {59, 20052}, {1, 20023}}},
    {8,
     8,
     "S2",
     {{18111, 29067}, {10161, 25098}, {3296, 21668}, {723, 20385}, {60, 20053}, {0, 20020}}},
    {8,
     8,
     "FF",
     {{19304, 29664}, {12533, 26284}, {5447, 22749}, {1823, 20936}, {457, 20250}, {72, 20057}}},
    {8,
     2,
     "S1",
     {{19586, 29815},
      {11815, 25930},
      {4090, 22072},
      {821, 20436},
      {85, 20068},
      {2, 20029},
      {0, 20026}}},
    {8,
     2,
     "RND",
     {{19936, 29989},
      {13172, 26609},
      {5778, 22915},
      {2000, 21026},
      {485, 20267},
      {87, 20068},
      {12, 20031}}},
};

}  // namespace

TEST_CASE("all blocking curves have their exact counts", "[clos]") {
  const Curve& curve = kCurves[GENERATE(range(std::size_t{0}, kCurves.size()))];
  INFO("v(m, " << curve.n << ", " << curve.n << "), fan-out to " << curve.most_fan_out << ", "
               << curve.strategy);
  const auto last = curve.n + static_cast<std::uint32_t>(curve.points.size()) - 1;
  const auto points =
      blocking_curve(Structure::symmetric(1, curve.n, curve.n), curve.n, last,
                     maker_of(curve.strategy), {42, curve.most_fan_out, 75}, 40'000);
  for (std::size_t t = 0; t < points.size(); ++t) {
    INFO("m = " << points[t].m);
    CHECK(points[t].counts.blocked == curve.points[t].blocked);
    CHECK(points[t].counts.requests == curve.points[t].requests);
  }
}
