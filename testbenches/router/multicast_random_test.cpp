// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "router/multicast_neighbours.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Pair = std::pair<unsigned, unsigned>;

/// Checks all departures of a router, copy by copy in order of time.
template <int kWords>
class CopyReferee {
 public:
  CopyReferee(const MulticastNeighbours<kWords>& network, const RouterParams& params)
      : network_(network), params_(params) {}

  void see_all() {
    for (std::size_t d = 0; d < network_.bench.departures.size(); ++d) {
      see(network_.bench.departures[d], network_.bench.flits[d]);
    }
    std::vector<Freed> expected;  // A slot is freed with the last copy of its flit.
    for (const auto& [flit, cycles] : cycles_of_) {
      const auto& sent = network_.packets[flit.first];
      expected.push_back({*cycles.rbegin(), sent.input, sent.vc});
      REQUIRE((!params_.synchronous_copies || cycles.size() == 1));
    }
    CHECK(sorted(expected) == sorted(network_.bench.freed));
  }

 private:
  void see(const Departure& departure, const Flit& flit) {
    const Pair output_vc{departure.output, departure.vc};
    // At most one flit per channel and cycle.
    REQUIRE(taken_.insert({departure.cycle, departure.output}).second);
    check_branch(departure, flit);
    check_link(departure, output_vc);
    check_front(departure);
  }

  // Checks that it is the only copy for this output, and later than that of the previous packet.
  void check_branch(const Departure& departure, const Flit& flit) {
    const std::vector<Branch>& branches = network_.bench.sets[departure.packet];
    const auto branch = std::find_if(
        branches.begin(), branches.end(),
        [&](const Branch& candidate) { return index(candidate.output) == departure.output; });
    REQUIRE(branch != branches.end());
    REQUIRE((branch->vcs >> departure.vc & 1) == 1);
    if (flit.head) REQUIRE(flit.route_field == 100 + departure.output);
    REQUIRE(flit.hops == (flit.head ? 1 : 0));
    const auto& sent = network_.packets[departure.packet];
    REQUIRE(flit.head == (departure.remaining + 1 == sent.length));
    auto& last = last_copy_[{sent.input, sent.vc, departure.output}];
    const Pair copy{departure.packet, sent.length - departure.remaining};
    REQUIRE(last < copy);  // Packets of an input VC are numbered in order.
    last = copy;
  }

  // Checks that an output VC carries one packet from head to tail.
  void check_link(const Departure& departure, const Pair& output_vc) {
    const auto open = open_.find(output_vc);
    const unsigned length = network_.packets[departure.packet].length;
    if (open == open_.end()) {
      REQUIRE(departure.remaining + 1 == length);
      REQUIRE(departure.slot == packets_at_[output_vc]++ % ring_slots(params_));
    } else {
      REQUIRE(open->second == Pair{departure.packet, departure.remaining + 1});
    }
    open_[output_vc] = {departure.packet, departure.remaining};
    if (departure.remaining == 0) open_.erase(output_vc);
  }

  // Checks that all copies of a cycle from one input port are of one flit, and that no copy of the
  // next flit leaves before the last copy of this one.
  void check_front(const Departure& departure) {
    const auto& sent = network_.packets[departure.packet];
    const Pair flit{departure.packet, sent.length - departure.remaining};
    auto& cycles = cycles_of_[flit];
    cycles.insert(departure.cycle);
    const auto from_port = flit_from_.insert({{departure.cycle, sent.input}, flit});
    REQUIRE(from_port.first->second == flit);
    if (++copies_[flit] == 1 && front_.count({sent.input, sent.vc}) == 1) {
      const Pair before = front_[{sent.input, sent.vc}];
      REQUIRE(copies_[before] == network_.bench.sets[before.first].size());
      REQUIRE(*cycles_of_[before].rbegin() < departure.cycle);
    }
    front_[{sent.input, sent.vc}] = flit;
  }

  static std::multiset<std::tuple<std::uint64_t, unsigned, unsigned>> sorted(
      const std::vector<Freed>& freed) {
    std::multiset<std::tuple<std::uint64_t, unsigned, unsigned>> result;
    for (const Freed& slot : freed) result.insert({slot.cycle, slot.input, slot.vc});
    return result;
  }

  const MulticastNeighbours<kWords>& network_;
  const RouterParams params_;
  std::map<Pair, unsigned> packets_at_;
  std::map<Pair, Pair> open_;  // Per output VC: packet and `remaining` of its last flit.
  std::set<std::pair<std::uint64_t, unsigned>> taken_;
  std::map<std::tuple<unsigned, unsigned, unsigned>, Pair> last_copy_;
  // Per packet and flit, counted from 1: the cycles in which it was copied.
  std::map<Pair, std::set<std::uint64_t>> cycles_of_;
  std::map<Pair, std::size_t> copies_;
  std::map<std::pair<std::uint64_t, unsigned>, Pair> flit_from_;
  std::map<Pair, Pair> front_;
};

template <int kWords>
void require_rest(const MulticastCore<kWords>& core) {
  for (unsigned i = 0; i < core.vc_index(core.input_ports, 0); ++i) {
    REQUIRE(core.inputs[i].count == 0);
    REQUIRE(core.inputs[i].output == InputVc::kNone);
    REQUIRE(core.inputs[i].route_vcs == 0);
  }
  for (unsigned output = 0; output < core.output_ports; ++output) {
    for (unsigned vc = 0; vc < core.virtual_channels; ++vc) {
      REQUIRE(core.outputs[core.vc_index(output, vc)].credits == core.depth);
      REQUIRE(core.outputs[core.vc_index(output, vc)].owner == OutputVc::kNone);
    }
  }
}

template <int kWords>
void check(const MulticastRun& run) {
  const MulticastNeighbours<kWords> network = run.play<kWords>();
  REQUIRE(network.bench.departures.size() == network.copies_sent);
  CopyReferee<kWords>(network, run.params).see_all();
  REQUIRE(network.drained());
  require_rest(network.bench.core);
  CHECK(network.bench.core.copies == network.copies_sent - network.flits_sent);
}

MulticastRun run_of(unsigned virtual_channels, unsigned seed) {
  MulticastRun run;
  run.seed = seed;
  run.params.virtual_channels = virtual_channels;
  run.params.buffer_depth = 1 + seed % 5;
  run.params.pipeline.route = seed % 3;
  run.params.pipeline.vc_allocation = seed / 2 % 3;
  run.inputs = 1 + seed % 5;
  run.outputs = 2 + seed % 7;
  run.packets_per_vc = 5;
  run.slow_period = 1 + seed % 4 / 3 * 2;
  return run;
}

}  // namespace

TEST_CASE("every copy leaves by its output once, in order, on a link held from head to tail",
          "[router]") {
  const unsigned virtual_channels = GENERATE(1U, 2U, 3U, 5U);
  for (unsigned seed = 0; seed < 20; ++seed) {
    for (const bool synchronous : {false, true}) {
      MulticastRun run = run_of(virtual_channels, seed);
      run.params.synchronous_copies = synchronous;
      CAPTURE(seed, synchronous, run.inputs, run.outputs, run.params.buffer_depth);
      check<1>(run);
    }
  }
}

TEST_CASE("branching packets cut through once every branch has space for the whole packet",
          "[router]") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    MulticastRun run = run_of(1 + seed % 4, seed);
    run.params.whole_packet_credit = true;
    run.params.synchronous_copies = seed % 2 == 1;
    run.longest = run.params.buffer_depth;
    CAPTURE(seed);
    check<1>(run);
  }
}

TEST_CASE("single flits may branch from every input to every output when copied one by one",
          "[router]") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    MulticastRun run = run_of(1 + seed % 3, seed);
    run.longest = 1;
    run.all_branch = true;
    CAPTURE(seed);
    check<1>(run);
  }
}

TEST_CASE("copies do not depend on the number of mask words", "[router]") {
  for (unsigned seed = 0; seed < 12; ++seed) {
    MulticastRun run = run_of(3, seed);
    run.params.synchronous_copies = seed % 2 == 1;
    const MulticastNeighbours<1> narrow = run.play<1>();
    const MulticastNeighbours<4> wide = run.play<4>();
    REQUIRE(narrow.drained());
    CHECK(narrow.bench.departures == wide.bench.departures);
    CHECK(narrow.bench.freed == wide.bench.freed);
  }
}

TEST_CASE("copies are made in routers of several words", "[router]") {
  for (unsigned seed = 0; seed < 4; ++seed) {
    MulticastRun run = run_of(8, seed);
    run.inputs = 9 + seed;
    run.outputs = 40 + seed;
    run.packets_per_vc = 2;
    run.params.synchronous_copies = seed % 2 == 1;
    check<8>(run);
  }
}

// A lazy bench ticks only when something has arrived or the last tick reported work.
TEST_CASE("a tick without work changes nothing that follows, with copies, too", "[router]") {
  for (unsigned seed = 0; seed < 24; ++seed) {
    MulticastRun run = run_of(1 + seed % 3, seed);
    run.params.synchronous_copies = seed / 2 % 2 == 1;
    run.params.whole_packet_credit = seed % 3 == 0;
    if (run.params.whole_packet_credit) run.longest = run.params.buffer_depth;
    run.willing_percent = 15;
    const MulticastNeighbours<> eager = run.play<1>();
    run.lazy = true;
    const MulticastNeighbours<> lazy = run.play<1>();
    CAPTURE(seed);
    REQUIRE(eager.drained());
    CHECK(lazy.bench.departures == eager.bench.departures);
    CHECK(lazy.bench.freed == eager.bench.freed);
    CHECK(lazy.bench.ticks < eager.bench.ticks);
  }
}
