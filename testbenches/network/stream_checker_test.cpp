// SPDX-License-Identifier: Apache-2.0
// Faults of AXI4-Stream, at the checker and at the pins of a StreamTerminal.
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "network/stream_bench.h"
#include "support/collected_errors.h"
#include "support/test_catch.h"

using namespace flitcast;
using Catch::Contains;
using flitcast::testing::CollectedErrors;
using flitcast::testing::Silenced;

namespace {

constexpr unsigned kMaxBeats = 6;

/// A checker beside a stream of random packets with a receiver that stalls.
class Bench {
 public:
  Bench() {
    checker_.clk_i(clock_);
    checker_.rst_ni(reset_n);
    checker_.tvalid_i(valid);
    checker_.tready_i(ready);
    checker_.tdata_i(data);
    checker_.tlast_i(last);
    checker_.tdest_i(dest);
    reset();
    edge();  // tvalid is low at the first edge out of reset.
  }

  void reset() {
    reset_n.write(false);
    valid.write(false);
    edge();
    reset_n.write(true);
  }
  void edge() {
    for (const bool level : {true, false}) {
      clock_.write(level);
      sc_core::sc_start(1, sc_core::SC_NS);
    }
  }
  /// Runs a cycle of the stream; `spoil` may change the signals before the edge.
  void cycle(const std::function<void()>& spoil = [] {}) {
    stream.offer({4, kMaxBeats, 16}, random_, 1, true);
    valid.write(stream.valid);
    data.write(stream.data);
    last.write(stream.last());
    dest.write(stream.dest);
    ready.write(random_() % 2 == 0);
    spoil();
    if (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
    waits = valid && !ready;
    if (stream.valid && valid && ready) stream.accepted();
    edge();
  }
  /// Runs cycles until this holds before one.
  void run_until(const std::function<bool()>& holds) {
    do {
      cycle();
    } while (!holds());
  }

  sc_core::sc_signal<bool> reset_n{"reset_n"}, valid{"valid"}, ready{"ready"}, last{"last"};
  sc_core::sc_signal<sc_dt::sc_bv<16>> data{"data"};
  sc_core::sc_signal<unsigned> dest{"dest"};
  RandomStream stream;
  bool waits = false;  ///< The last beat was offered and not accepted.

 private:
  sc_core::sc_signal<bool> clock_{"clock"};
  pins::StreamChecker<16> checker_{"checker", kMaxBeats};
  std::mt19937 random_{9};
};

/// The text of the only error that a cycle with this fault causes; then the stream is legal again.
std::string error_of(Bench& bench, const std::function<void()>& spoil) {
  CollectedErrors::texts().clear();
  bench.cycle(spoil);
  const std::vector<std::string> errors = CollectedErrors::texts();
  REQUIRE(errors.size() == 1);
  return errors.front();
}

}  // namespace

TEST_CASE("a checker of streams reports nothing of a legal stream", "[network]") {
  const CollectedErrors errors;
  Bench bench;
  for (int cycle = 0; cycle < 20'000; ++cycle) {
    if (cycle % 1'000 == 999) {
      bench.stream = {};
      bench.reset();
      bench.edge();
    }
    bench.cycle();
  }
  CHECK(CollectedErrors::texts() == std::vector<std::string>{});
}

TEST_CASE("a checker of streams reports what changes while a beat waits", "[network]") {
  const CollectedErrors errors;
  Bench bench;
  const auto waits = [&] { return bench.waits; };
  for (int repeat = 0; repeat < 20; ++repeat) {
    bench.run_until(waits);
    CHECK(CollectedErrors::texts() == std::vector<std::string>{});
    CHECK_THAT(error_of(bench, [&] { bench.valid.write(false); }),
               Contains("checker: tvalid dropped before tready, cycle"));
    // The beat that was dropped is offered again: each fault is reported once.
    const auto changed = [&](const char* text, const std::function<void()>& change) {
      bench.run_until(waits);
      CHECK_THAT(error_of(bench, change), Contains(text));
      CollectedErrors::texts().clear();
      if (bench.waits) bench.cycle();
      CollectedErrors::texts().clear();
    };
    changed("tdata changed while it waited",
            [&] { bench.data.write(bench.stream.data ^ 0x8000U); });
    changed("tdest changed while it waited", [&] { bench.dest.write(bench.stream.dest ^ 1U); });
    bench.run_until([&] { return bench.waits && bench.stream.left > 1; });
    CollectedErrors::texts().clear();
    bench.cycle([&] { bench.last.write(true); });
    REQUIRE_FALSE(CollectedErrors::texts().empty());
    CHECK_THAT(CollectedErrors::texts().front(), Contains("tlast changed while it waited"));
    bench.stream = {};
    bench.reset();
    bench.edge();
    CollectedErrors::texts().clear();
  }
}

TEST_CASE("a checker of streams reports another tdest in a packet", "[network]") {
  const CollectedErrors errors;
  Bench bench;
  bench.run_until([&] { return !bench.stream.valid && bench.stream.left > 2; });
  CHECK(CollectedErrors::texts() == std::vector<std::string>{});
  bench.stream.dest ^= 1U;
  bench.run_until([&] { return !CollectedErrors::texts().empty() || bench.stream.left == 0; });
  REQUIRE(CollectedErrors::texts().size() == 1);
  CHECK_THAT(CollectedErrors::texts().front(), Contains("tdest changed in a packet"));
}

TEST_CASE("a checker of streams reports a lost tlast", "[network]") {
  const CollectedErrors errors;
  Bench bench;
  bench.run_until([&] { return bench.stream.left == 0; });
  // From now on no tlast.
  std::string texts;
  for (int cycle = 0; cycle < 100; ++cycle) bench.cycle([&] { bench.last.write(false); });
  for (const std::string& text : CollectedErrors::texts()) texts += text + '\n';
  CHECK_THAT(texts, Contains("a packet has more than 6 beats"));
  CHECK_THAT(texts, Contains("tdest changed in a packet"));
}

TEST_CASE("a checker of streams reports a tvalid that is high at the first edge out of reset",
          "[network]") {
  const CollectedErrors errors;
  Bench bench;
  bench.reset();
  CHECK_THAT(error_of(bench, [&] { bench.valid.write(true); }),
             Contains("tvalid is high at the first edge out of reset"));
}

TEST_CASE("each rule of a stream has an id of its own", "[network]") {
  const Silenced valid("/flitcast/stream/valid"), data("/flitcast/stream/data");
  Bench bench;
  bench.run_until([&] { return bench.waits; });
  bench.cycle([&] { bench.data.write(bench.stream.data ^ 1U); });
  CHECK(data.count() == 1);
  CHECK(valid.count() == 0);
}
