// SPDX-License-Identifier: Apache-2.0
#include <Vclos_controllers_13_4.h>
#include <Vclos_controllers_1_1.h>
#include <Vclos_controllers_2_2.h>
#include <Vclos_controllers_3_3.h>
#include <Vclos_controllers_7_5.h>

#include <cstdlib>
#include <random>

#include "rtl/clos_lock_step.h"

using namespace flitcast;

namespace {

constexpr clos::ControllerParams k13x4{13, 4, 3};
constexpr clos::ControllerParams k7x5{7, 5, 0};
constexpr clos::ControllerParams k3x3{3, 3, 2, false};
constexpr clos::ControllerParams k2x2{2, 2, 2};
constexpr clos::ControllerParams k1x1{1, 1, 1};
// The rows per clock are those of CMakeLists.txt.
using Bench13x4 = ClosLockStep<Vclos_controllers_13_4, 5>;
using Bench7x5 = ClosLockStep<Vclos_controllers_7_5, 7>;
using Bench3x3 = ClosLockStep<Vclos_controllers_3_3, 2>;
using Bench2x2 = ClosLockStep<Vclos_controllers_2_2, 2>;
using Bench1x1 = ClosLockStep<Vclos_controllers_1_1, 1>;

BitSet random_set(std::size_t size, unsigned percent, std::mt19937& random) {
  BitSet set(size);
  for (std::size_t member = 0; member < size; ++member) {
    if (random() % 100 < percent) set.set(member);
  }
  return set;
}

/// Draws a percentage from 0 to 100, both included.
unsigned random_percent(std::mt19937& random) { return static_cast<unsigned>(random() % 6) * 20; }

BitMatrix random_store(const clos::ControllerParams& params, unsigned percent,
                       std::mt19937& random) {
  BitMatrix store(params.m, params.r);
  for (std::size_t j = 0; j < params.m; ++j) {
    store.assign(j, random_set(params.r, percent, random));
  }
  return store;
}

/// Draws a new request in every cycle: a controller may use only the values that are present at
/// LOAD.
template <class Bench>
void run_at_random(Bench& lock_step, const clos::ControllerParams& params, std::mt19937& random) {
  const unsigned wanted = random_percent(random);
  const unsigned available = random_percent(random);
  const unsigned valid = random_percent(random);
  const unsigned ready = random_percent(random);
  const auto design_bits = [&](unsigned percent) {
    return static_cast<unsigned>(*random_set(Bench::designs().size(), percent, random).words());
  };
  for (auto edges = random() % 200; edges > 0; --edges) {
    lock_step.edge({random_set(params.r, wanted, random), random_set(params.m, available, random),
                    design_bits(valid), design_bits(ready)});
  }
}

template <class Bench>
void check_lock_step(const clos::ControllerParams& params) {
  std::mt19937 random(1);
  Bench lock_step(params);
  for (int trial = 0; trial < 300; ++trial) {
    lock_step.set_store(random_store(params, random_percent(random), random));
    run_at_random(lock_step, params, random);
    if (random() % 4 == 0) lock_step.reset();
    lock_step.drain();
  }
  CHECK(lock_step.served() > 1000);
  CHECK(lock_step.blocked() > 1000);
}

/// Serves a request in one design and checks that the last beat comes after 1 + P c edges, or with
/// pruning after no more than that.
template <class Bench>
void check_clocks(Bench& lock_step, const clos::ControllerParams& params, std::size_t design,
                  ClosCycle cycle) {
  cycle.valid = 1U << design;
  std::uint64_t passes = 0;
  std::uint64_t edges = 0;
  ClosOutputs outputs;
  do {
    lock_step.edge(cycle);
    cycle.valid = 0;
    outputs = lock_step.outputs(design);
    passes += outputs.valid ? 1 : 0;
    ++edges;
  } while (!outputs.last);
  const ClosDesign& verified = Bench::designs()[design];
  const std::uint64_t bound =
      clos::clocks_streamed(passes, verified.model.pass_clocks(params.m, params.r));
  const bool pruned = verified.name == "seq_counter_pruned";
  if (edges == bound || (pruned && edges < bound)) return;
  FAIL(verified.name << ": " << edges << " clocks for " << passes << " passes");
}

/// Checks every combination of store, request and availability.
template <class Bench>
void check_all(const clos::ControllerParams& params, std::size_t design) {
  Bench lock_step(params);
  const std::uint64_t row = (std::uint64_t{1} << params.r) - 1;
  for (std::uint64_t word = 0; word < std::uint64_t{1} << params.m * params.r; ++word) {
    BitMatrix store(params.m, params.r);
    for (std::size_t j = 0; j < params.m; ++j) *store.row(j) = word >> j * params.r & row;
    lock_step.drain();
    lock_step.set_store(store);
    for (std::uint64_t wanted = 0; wanted <= row; ++wanted) {
      for (std::uint64_t available = 0; available < std::uint64_t{1} << params.m; ++available) {
        check_clocks(lock_step, params, design, {{params.r, &wanted}, {params.m, &available}});
      }
    }
  }
  CHECK(lock_step.served() > 0);
  CHECK(lock_step.blocked() > 0);
}

/// Returns the number of requests: FLITCAST_RTL_REQUESTS from the environment, or else 10,000.
int requests() {
  const char* given = std::getenv("FLITCAST_RTL_REQUESTS");
  return given == nullptr ? 10'000 : std::atoi(given);
}

/// Sends each request to all designs; the sinks are ready at three edges of four.
template <class Bench>
void check_requests(const clos::ControllerParams& params, unsigned density) {
  std::mt19937 random(density);
  Bench lock_step(params);
  for (int request = 0; request < requests(); ++request) {
    lock_step.set_store(random_store(params, density, random));
    lock_step.serve({random_set(params.r, 70, random), random_set(params.m, 80, random)},
                    [&] { return static_cast<unsigned>(random() | random()); });
  }
  CHECK(lock_step.served() > 0);
  CHECK(lock_step.blocked() > 0);
}

std::size_t any_design() { return GENERATE(range(std::size_t{0}, Bench2x2::designs().size())); }

}  // namespace

TEST_CASE("the designs in RTL are those of the models, in one order", "[rtl]") {
  std::string names;
  for (const auto& entry : clos::controllers()) names += entry.name + ' ';
  CHECK(names == FLITCAST_CLOS_DESIGNS);
}

TEST_CASE("the controllers in RTL equal their models in every clock, stalled and reset", "[rtl]") {
  SECTION("13 middle and 4 output switches") { check_lock_step<Bench13x4>(k13x4); }
  SECTION("odd sizes, as many passes as it takes") { check_lock_step<Bench7x5>(k7x5); }
  SECTION("without a test of progress") { check_lock_step<Bench3x3>(k3x3); }
  SECTION("as small as can be") { check_lock_step<Bench1x1>(k1x1); }
}

TEST_CASE("the controllers in RTL serve requests of any density as their models do", "[rtl]") {
  check_requests<Bench7x5>(k7x5, GENERATE(40U, 60U, 80U));
}

TEST_CASE("a controller in RTL takes 1 + P c clocks for every request", "[rtl]") {
  const std::size_t design = any_design();
  SECTION("of two by two") { check_all<Bench2x2>(k2x2, design); }
  SECTION("of three by three") { check_all<Bench3x3>(k3x3, design); }
}
