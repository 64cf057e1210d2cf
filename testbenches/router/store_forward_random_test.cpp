// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <utility>

#include "router/store_forward_reference.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

StoreForwardRun run_of(unsigned seed) {
  StoreForwardRun run;
  run.seed = seed;
  run.params.virtual_channels = 1 + seed % 5;
  run.params.buffer_depth = 1 + seed / 2 % 4;
  run.params.pipeline = {seed % 3, seed / 3 % 3, 1 + seed % 2, 1 + seed / 2 % 2};
  run.params.flit_time = 1 + seed / 5 % 3;
  run.params.multicast = seed % 4 != 0;
  run.inputs = 1 + seed % 7;
  run.outputs = 1 + seed / 7 % 7;
  run.node_inputs = seed / 3 % (run.inputs + 1);
  run.node_outputs = seed / 11 % (run.outputs + 1);
  run.latency = 1 + seed % 4;
  run.packets_per_vc = 1 + 40 / (run.inputs * run.params.virtual_channels);
  run.willing_percent = 20 + seed % 9 * 10;
  return run;
}

// Checks that there is one copy per branch, in order and complete, with one flit at a time on a VC
// that the branch allows.
class StoreReferee {
 public:
  explicit StoreReferee(const StoreForwardLog& log) : log_(log) {}

  void see(const CopyDeparture& flit) {
    const auto [last, first_flit] = last_.emplace(flit.output, flit);
    const bool inside = !first_flit && last->second.remaining > 0;
    if (!first_flit) REQUIRE(last->second.cycle < flit.cycle);
    REQUIRE(flit.head != inside);
    if (inside) {
      REQUIRE(flit.packet == last->second.packet);
      REQUIRE(flit.remaining == last->second.remaining - 1);
      REQUIRE(flit.vc == last->second.vc);
    } else {
      start(flit);
    }
    last->second = flit;
  }

  std::size_t copies() const { return seen_.size(); }

 private:
  void start(const CopyDeparture& flit) {
    REQUIRE(seen_.insert({flit.packet, flit.output}).second);
    const std::vector<Branch>& branches = log_.plans.at(flit.packet).branches;
    const auto branch = std::find_if(branches.begin(), branches.end(), [&](const Branch& b) {
      return index(b.output) == flit.output;
    });
    REQUIRE(branch != branches.end());
    REQUIRE((branch->vcs >> flit.vc & 1) == 1);
    REQUIRE(branch->route_field == flit.route_field);
  }

  const StoreForwardLog& log_;
  std::map<unsigned, CopyDeparture> last_;  // Indexed by output.
  std::set<std::pair<unsigned, unsigned>> seen_;
};

std::size_t branches_of(const StoreForwardLog& log) {
  std::size_t branches = 0;
  for (const auto& [number, plan] : log.plans) branches += plan.branches.size();
  return branches;
}

std::size_t flits_of(const StoreForwardLog& log) {
  std::size_t flits = 0;
  for (const Arrival& arrival : log.arrivals) {
    flits += log.plans.at(index(arrival.flit.packet)).branches.size();
  }
  return flits;
}

template <int kWords>
void require_same(const StoreForwardLog& log, const StoreForwardRun& run) {
  const StoreForwardLog wide = play<kWords>(run);
  REQUIRE(wide.departures == log.departures);
  REQUIRE(wide.freed == log.freed);
}

}  // namespace

TEST_CASE("random stalls lose, duplicate and reorder no flit of a stored packet", "[router]") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const StoreForwardLog log = play(run_of(seed));
    StoreReferee referee(log);
    for (const CopyDeparture& flit : log.departures) referee.see(flit);
    REQUIRE(referee.copies() == branches_of(log));
    REQUIRE(log.departures.size() == flits_of(log));
    REQUIRE(log.freed.size() == log.plans.size());
    REQUIRE(log.empty);
  }
}

TEST_CASE("a store-and-forward core follows its rules in every cycle", "[router]") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const StoreForwardRun run = run_of(seed);
    const StoreForwardLog log = play(run);
    const StoreForwardReference reference(run, log);
    REQUIRE(log.departures == reference.departures);
    REQUIRE(log.freed == reference.freed);
    REQUIRE(log.max_queue == reference.max_queue);
    REQUIRE(log.max_held == reference.max_held);
  }
}

TEST_CASE("a store-and-forward tick without work changes nothing that follows", "[router]") {
  std::uint64_t eager_ticks = 0;
  std::uint64_t lazy_ticks = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    StoreForwardRun run = run_of(seed);
    run.willing_percent = 5;
    const StoreForwardLog eager = play(run);
    run.lazy = true;
    const StoreForwardLog lazy = play(run);
    REQUIRE(lazy.departures == eager.departures);
    REQUIRE(lazy.freed == eager.freed);
    eager_ticks += eager.ticks;
    lazy_ticks += lazy.ticks;
  }
  CHECK(2 * lazy_ticks < eager_ticks);
}

TEST_CASE("store-and-forward cores of one word and of several behave alike", "[router]") {
  for (unsigned seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    const StoreForwardRun narrow = run_of(seed);
    const StoreForwardLog log = play(narrow);
    require_same<2>(log, narrow);
    require_same<4>(log, narrow);
    StoreForwardRun wide = narrow;
    wide.inputs = 9 + seed;  // 8 VCs need more than one word; from 17 inputs on more than two.
    wide.outputs = 20 - seed;
    wide.params.virtual_channels = 8;
    require_same<8>(play<4>(wide), wide);
  }
}
