// SPDX-License-Identifier: Apache-2.0
// The small pin-level blocks: flit buffers and arbiters.
#include <algorithm>
#include <functional>
#include <random>

#include "network/pins/allocators.h"
#include "network/pins/flit_buffer.h"
#include "network/pins_bench.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

struct Clocked {
  void cycle() {
    half(false);
    half(true);
  }
  void half(bool level) {
    clk = level;
    sc_core::sc_start(0.5, sc_core::SC_NS);
  }
  sc_core::sc_signal<bool> clk{"clk"};
  sc_core::sc_signal<bool> rst_n{"rst_n", true};
};

struct BufferBench : Clocked {
  explicit BufferBench(std::size_t depth) : buffer("buffer", depth) {
    buffer.clk_i(clk);
    buffer.rst_ni(rst_n);
    buffer.in_valid_i(in_valid);
    buffer.in_flit_i(in_flit);
    buffer.in_ready_o(in_ready);
    buffer.out_valid_o(out_valid);
    buffer.out_flit_o(out_flit);
    buffer.out_ready_i(out_ready);
    buffer.count_o(count);
    rst_n = false;
    cycle();
    rst_n = true;
  }

  /// Runs cycles in which the two sides are ready at random or always; returns the packets that
  /// came out.
  template <class Willing>
  std::vector<unsigned> run(int cycles, const Willing& source, const Willing& sink) {
    std::vector<unsigned> received;
    for (int c = 0; c < cycles; ++c) {
      in_valid = source();
      in_flit = flit_to(0, 0, true, PacketSlot{sent});
      out_ready = sink();
      half(false);
      if (in_valid && in_ready) ++sent;
      if (out_valid && out_ready) received.push_back(index(out_flit.read().packet));
      most = std::max(most, count.read());
      half(true);
    }
    return received;
  }

  unsigned sent = 0;
  unsigned most = 0;  ///< Maximum of flits stored at a time.
  sc_core::sc_signal<bool> in_valid{"in_valid"};
  sc_core::sc_signal<Flit> in_flit{"in_flit"};
  sc_core::sc_signal<bool> in_ready{"in_ready"};
  sc_core::sc_signal<bool> out_valid{"out_valid"};
  sc_core::sc_signal<Flit> out_flit{"out_flit"};
  sc_core::sc_signal<bool> out_ready{"out_ready"};
  sc_core::sc_signal<unsigned> count{"count"};
  pins::FlitBuffer buffer;
};

bool always() { return true; }
bool never() { return false; }

}  // namespace

TEST_CASE("flits leave a buffer in the order they came, whatever the stalls", "[network]") {
  const std::size_t depth = GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{5});
  BufferBench bench(depth);
  std::mt19937 random(7);
  const std::function<bool()> coin = [&random] { return random() % 2 == 0; };
  const std::vector<unsigned> received = bench.run(1000, coin, coin);
  CHECK(received.size() > 200);
  for (unsigned p = 0; p < received.size(); ++p) REQUIRE(received[p] == p);
  CHECK(bench.most == depth);
}

TEST_CASE("a buffer of two slots takes a flit in every cycle, one of one in every other",
          "[network]") {
  CHECK(BufferBench(2).run(100, always, always).size() == 99);  // Less one cycle of latency.
  testing::install_fresh_kernel();
  CHECK(BufferBench(1).run(100, always, always).size() == 50);
}

TEST_CASE("a blocked buffer takes its depth and no more, and reset empties it", "[network]") {
  BufferBench bench(4);
  CHECK(bench.run(20, always, never).empty());
  CHECK(bench.sent == 4);
  bench.rst_n = false;
  bench.in_valid = false;
  bench.cycle();
  bench.rst_n = true;
  CHECK(bench.run(20, never, always).empty());
  testing::install_fresh_kernel();
  CHECK_THROWS_AS(pins::FlitBuffer("buffer", 0), sc_core::sc_report);
}

namespace {

template <class Module>
struct ArbiterBench : Clocked {
  explicit ArbiterBench(unsigned requesters) : arbiter("arbiter", requesters) {
    arbiter.clk_i(clk);
    arbiter.rst_ni(rst_n);
    arbiter.req_i(req);
    arbiter.take_i(take);
    arbiter.gnt_o(gnt);
  }
  std::uint64_t grant(std::uint64_t requests, bool taken) {
    req = requests;
    take = taken;
    half(false);
    const std::uint64_t granted = gnt.read();
    half(true);
    return granted;
  }

  sc_core::sc_signal<std::uint64_t> req{"req"};
  sc_core::sc_signal<bool> take{"take"};
  sc_core::sc_signal<std::uint64_t> gnt{"gnt"};
  Module arbiter;
};

/// Reference for least recently served: compares the times of the last services.
struct LongestAgo {
  explicit LongestAgo(unsigned requesters) : served(requesters, 0) {}
  std::uint64_t grant(std::uint64_t requests) const {
    std::uint64_t chosen = 0;
    unsigned oldest = ~0U;
    for (unsigned r = 0; r < served.size(); ++r) {
      if ((requests >> r & 1) == 0 || served[r] >= oldest) continue;
      oldest = served[r];
      chosen = std::uint64_t{1} << r;
    }
    return chosen;
  }
  void serve(std::uint64_t grant) {
    served[static_cast<unsigned>(__builtin_ctzll(grant))] = ++services;
  }
  std::vector<unsigned> served;
  unsigned services = 0;
};

/// Reference for round-robin: grants the first requester, counting up from the one after the last
/// served.
struct NextInTurn {
  explicit NextInTurn(unsigned its_requesters)
      : requesters(its_requesters), last(its_requesters - 1) {}
  std::uint64_t grant(std::uint64_t requests) const {
    for (unsigned step = 1; step <= requesters; ++step) {
      const unsigned r = (last + step) % requesters;
      if ((requests >> r & 1) != 0) return std::uint64_t{1} << r;
    }
    return 0;
  }
  void serve(std::uint64_t grant) { last = static_cast<unsigned>(__builtin_ctzll(grant)); }
  unsigned requesters;
  unsigned last;
};

template <class Module, class Rule>
void check_arbiter(unsigned requesters) {
  INFO(requesters << " requesters");
  testing::install_fresh_kernel();
  ArbiterBench<Module> bench(requesters);
  Rule rule(requesters);
  std::mt19937_64 random(3);
  for (int cycle = 0; cycle < 2000; ++cycle) {
    const std::uint64_t requests =
        (random() & random()) &
        (requesters == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << requesters) - 1);
    const bool taken = random() % 2 == 0;
    const std::uint64_t granted = bench.grant(requests, taken);
    REQUIRE(granted == rule.grant(requests));
    if (taken && granted != 0) rule.serve(granted);
  }
  bench.rst_n = false;
  bench.grant(0, false);
  bench.rst_n = true;
  const std::uint64_t all =
      requesters == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << requesters) - 1;
  CHECK(bench.grant(all, false) == 1);
}

}  // namespace

TEST_CASE("arbiters with pins grant by their rules, and the order moves on with taken grants only",
          "[network]") {
  for (const unsigned requesters : {1U, 2U, 5U, 64U}) {
    check_arbiter<pins::RoundRobinArbiter, NextInTurn>(requesters);
    check_arbiter<pins::MatrixArbiter, LongestAgo>(requesters);
  }
}

TEST_CASE("an arbiter without requesters, and a request out of range, are reported", "[network]") {
  CHECK_THROWS_AS(pins::MatrixArbiter("arbiter", 0), sc_core::sc_report);
  testing::install_fresh_kernel();
  CHECK_THROWS_AS(pins::RoundRobinArbiter("arbiter", 65), sc_core::sc_report);
  testing::install_fresh_kernel();
  ArbiterBench<pins::RoundRobinArbiter> bench(3);
  CHECK_THROWS_AS(bench.grant(8, false), sc_core::sc_report);
}
