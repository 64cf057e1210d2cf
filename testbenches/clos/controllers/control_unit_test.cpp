// SPDX-License-Identifier: Apache-2.0
#include "clos/controllers/control_unit.h"

#include "clos/controllers/controller_bench.h"
#include "clos/controllers/serve.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

ControlUnit unit_of(const ControllerDesign& design, const Situation& situation) {
  return {design, {situation.m(), situation.r()}, situation.store()};
}

const Situation kServedInPass3 = situation(4, "f", "f", {"3", "5", "6", "9"});
const Situation kBlockedInPass2 = situation(4, "f", "3", {"3", "5"});

}  // namespace

// One row per worked case: clocks of seq_counter, seq_adder, par_counter, par_adder and
// par_thermo.
TEST_CASE("requests take the clocks of the published table", "[clos]") {
  struct Row {
    Situation situation;
    std::size_t passes;
    std::vector<std::uint64_t> clocks;
  };
  const std::vector<Row> rows{
      {situation(4, "f", "f", {"3", "5", "6", "9"}), 3, {53, 17, 17, 5, 5}},
      {situation(4, "f", "d", {"3", "3", "c", "c"}), 2, {36, 12, 12, 4, 4}},
      {situation(4, "d", "1f", {"f", "e", "7", "b", "d"}), 3, {65, 20, 17, 5, 5}},
      {situation(8, "ff", "3e", {"0", "1f", "e3", "3c", "f1", "87"}), 3, {149, 23, 29, 5, 5}},
      {situation(4, "6", "7", {"6", "7", "e"}), 1, {14, 5, 6, 2, 2}},
      {situation(4, "6", "0", {"6", "7", "e"}), 1, {14, 5, 6, 2, 2}},
  };
  for (const Row& row : rows) {
    std::vector<std::uint64_t> clocks;
    for (const auto& entry : controllers()) {
      ControlUnit unit = unit_of(entry.make, row.situation);
      Selection selection(row.situation.r());
      clocks.push_back(serve(unit, {0, row.situation.wanted}, selection));
      CHECK(selection.passes() == row.passes);
    }
    CHECK(clocks == row.clocks);
  }
}

TEST_CASE("the route is in the store when done is high, and not before", "[clos]") {
  ControlUnit unit = unit_of(any_design().make, kServedInPass3);
  const ControlUnit::Request request{0, kServedInPass3.wanted};
  unit.edge(nullptr);
  for (unit.edge(&request); !unit.done(); unit.edge(nullptr)) {
    REQUIRE(unit.store().destination_sets() == kServedInPass3.sets);
    REQUIRE(unit.store().available().set_of(0) == kServedInPass3.available);
    REQUIRE_FALSE(unit.ready());
    REQUIRE_FALSE(unit.blocked());
  }
  CHECK(unit.ready());
  CHECK(unit.store().destination_sets() ==
        situation(4, "f", "f", {"f", "7", "7", "9"}).sets);  // The request adds 0:c 1:2 2:1.
  CHECK(unit.store().available().set_of(0) == from_hex("8", 4));
  unit.edge(nullptr);
  CHECK_FALSE(unit.done());
}

TEST_CASE("a blocked request leaves the store as it was, whatever it had selected", "[clos]") {
  ControlUnit unit = unit_of(any_design().make, kBlockedInPass2);
  Selection selection(4);
  serve(unit, {0, kBlockedInPass2.wanted}, selection);
  CHECK(selection.blocked());
  CHECK(selection.passes() == 3);
  CHECK(unit.ready());
  unit.edge(nullptr);
  CHECK_FALSE(unit.blocked());
  CHECK(unit.store().destination_sets() == kBlockedInPass2.sets);
  CHECK(unit.store().available().set_of(0) == kBlockedInPass2.available);
  // Middle switches held by the previous connection must not leak into the next route.
  serve(unit, {0, from_hex("4", 4)}, selection);
  CHECK_FALSE(selection.blocked());
  CHECK(unit.store().destination_sets() == situation(4, "f", "3", {"7", "5"}).sets);
}

TEST_CASE("a release is applied before a request of the same edge", "[clos]") {
  const Situation full = situation(2, "3", "0", {"3"});
  ControlUnit unit = unit_of(any_design().make, full);
  unit.edge(nullptr);
  const ControlUnit::Request request{0, full.wanted};
  const ControlUnit::Release release{{0, MiddleId{0}, full.wanted}};
  unit.edge(&request, &release);
  while (!unit.done() && !unit.blocked()) unit.edge(nullptr);
  CHECK(unit.done());
}

TEST_CASE("a release waits while a request is decided on", "[clos]") {
  const Situation full = situation(2, "3", "1", {"3"});
  ControlUnit unit = unit_of(any_design().make, full);
  unit.edge(nullptr);
  const ControlUnit::Request request{0, full.wanted};
  const ControlUnit::Release release{{0, MiddleId{0}, full.wanted}};
  for (unit.edge(&request); !unit.ready(); unit.edge(nullptr, &release)) {
    REQUIRE(unit.store().destination_sets() == full.sets);
  }
  CHECK(unit.blocked());
  unit.edge(nullptr, &release);
  CHECK(unit.store().destination_sets() == BitMatrix(1, 2));
}

TEST_CASE("a release can keep the link from the input switch", "[clos]") {
  ControlUnit unit(controllers()[0].make, {1, 2}, DestinationStore(1, 1, 2));
  Selection selection(2);
  serve(unit, {0, BitSet::full(2)}, selection);
  const BitSet one = from_hex("2", 2);
  const ControlUnit::Release part{{0, MiddleId{0}, one}, false};
  unit.edge(nullptr, &part);
  CHECK(unit.store().destination_sets().set_of(0) == from_hex("1", 2));
  CHECK(unit.store().available().set_of(0).none());
}

TEST_CASE("a reset at any moment frees all links and forgets the request", "[clos]") {
  const auto& entry = any_design();
  const ControlUnit::Request request{0, kServedInPass3.wanted};
  const std::uint64_t clocks = clocks_done(3, entry.make.pass_clocks(4, 4));
  for (std::uint64_t age = 0; age <= clocks; ++age) {
    ControlUnit unit = unit_of(entry.make, kServedInPass3);
    unit.edge(nullptr);
    unit.edge(&request);
    for (std::uint64_t edge = 0; edge < age; ++edge) unit.edge(nullptr);
    unit.reset();
    CHECK_FALSE(unit.ready());
    CHECK_FALSE(unit.done());
    Selection selection(4);
    CHECK(serve(unit, {0, BitSet::full(4)}, selection) ==
          clocks_done(1, entry.make.pass_clocks(4, 4)));
    CHECK(unit.store().destination_sets().set_of(0) == BitSet::full(4));
    CHECK(unit.store().destination_sets().set_of(1).none());
  }
}

TEST_CASE("requests one after another take the sum of their clocks", "[clos]") {
  const auto& entry = any_design();
  const std::uint64_t pass = entry.make.pass_clocks(2, 2);
  ControlUnit unit(entry.make, {2, 2}, DestinationStore(2, 1, 2));
  const BitSet all = BitSet::full(2);
  const ControlUnit::Request request{0, all};
  unit.edge(nullptr);
  std::vector<std::uint64_t> accepted;
  for (std::uint64_t edge = 0; accepted.size() < 4; ++edge) {
    if (unit.ready()) accepted.push_back(edge);
    unit.edge(&request);
  }
  const std::uint64_t done = clocks_done(1, pass);
  const std::uint64_t blocked = clocks_streamed(1, pass);  // Both links are used up by then.
  CHECK(accepted == std::vector<std::uint64_t>{0, done, 2 * done, 2 * done + blocked});
}

TEST_CASE("switches that do not exist cannot be requested, released or stored", "[clos]") {
  const ControllerDesign& design = controllers()[1].make;
  CHECK_THROWS_AS(ControlUnit(design, {3, 2}, DestinationStore(2, 1, 2)), std::invalid_argument);
  CHECK_THROWS_AS(DestinationStore(BitMatrix(2, 2), BitMatrix(1, 3)), std::invalid_argument);
  ControlUnit unit(design, {2, 2}, DestinationStore(2, 1, 2));
  unit.edge(nullptr);
  const BitSet set = BitSet::full(2);
  const ControlUnit::Request request{1, set};
  const ControlUnit::Release release{{0, MiddleId{2}, set}};
  CHECK_THROWS_AS(unit.edge(&request), std::invalid_argument);
  CHECK_THROWS_AS(unit.edge(nullptr, &release), std::invalid_argument);
  DestinationStore store(2, 1, 2);
  store.take({0, MiddleId{1}, set});
  CHECK_THROWS_AS(store.take({0, MiddleId{1}, set}), std::logic_error);
}

TEST_CASE("a join by a held middle switch takes no further link from the input switch", "[clos]") {
  ControlUnit unit(any_design().make, {2, 3}, DestinationStore(2, 1, 3));
  Selection selection(3);
  serve(unit, {0, from_hex("1", 3)}, selection);
  const BitSet held = from_hex("1", 2);
  serve(unit, {0, from_hex("6", 3), &held, false}, selection);
  CHECK(unit.store().destination_sets().set_of(0) == BitSet::full(3));
  CHECK(unit.store().available().set_of(0) == from_hex("2", 2));
}

TEST_CASE("a join without link is blocked when the held middle switches do not suffice", "[clos]") {
  const Situation half = situation(2, "3", "2", {"1", "0"});
  ControlUnit unit = unit_of(any_design().make, half);
  const BitSet held = from_hex("1", 2);
  Selection selection(2);
  serve(unit, {0, half.wanted, &held, false}, selection);
  CHECK(selection.blocked());
  CHECK(unit.store().destination_sets() == half.sets);
  serve(unit, {0, from_hex("1", 2), nullptr, false}, selection);  // No middle switch is allowed.
  CHECK(selection.blocked());
}

TEST_CASE("a join with link uses held and further middle switches in one route", "[clos]") {
  const Situation half = situation(3, "7", "2", {"1", "6"});
  ControlUnit unit = unit_of(any_design().make, half);
  const BitSet held = from_hex("1", 2);
  Selection selection(3);
  serve(unit, {0, half.wanted, &held}, selection);
  CHECK(unit.store().destination_sets() == situation(3, "7", "0", {"7", "7"}).sets);
  CHECK(unit.store().available().set_of(0).none());
}

TEST_CASE("a middle switch with a free link is not held", "[clos]") {
  ControlUnit unit(controllers()[1].make, {2, 2}, DestinationStore(2, 1, 2));
  unit.edge(nullptr);
  const BitSet wanted = BitSet::full(2);
  const BitSet held = from_hex("2", 2);
  const BitSet too_many(3);
  const ControlUnit::Request free_link{0, wanted, &held};
  const ControlUnit::Request other_size{0, wanted, &too_many};
  CHECK_THROWS_WITH(unit.edge(&free_link), Catch::Contains("middle switch 1"));
  CHECK_THROWS_AS(unit.edge(&other_size), std::invalid_argument);
  DestinationStore store(2, 1, 2);
  CHECK_THROWS_AS(store.take({0, MiddleId{1}, wanted}, false), std::logic_error);
}
