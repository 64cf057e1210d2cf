// SPDX-License-Identifier: Apache-2.0
// Tests of a link and its monitor alone: the flits that they pass and the errors that they report.
#include <random>
#include <string>

#include "network/pins/link.h"
#include "network/pins/link_monitor.h"
#include "network/pins_bench.h"
#include "support/collected_errors.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using pins::ChannelWires;
using pins::Link;
using pins::LinkMonitor;

/// Wires that a test drives in the second half of a cycle.
struct ClockedLink {
  void cycle() {
    for (const bool level : {false, true}) {
      clk = level;
      sc_core::sc_start(0.5, sc_core::SC_NS);
    }
  }
  sc_core::sc_signal<bool> clk{"clk"};
  sc_core::sc_signal<bool> rst_n{"rst_n", true};
};

void put(ChannelWires& wires, unsigned vc, const Flit& flit) {
  wires.valid = true;
  wires.vc = vc;
  wires.flit = flit;
}

struct LinkBench : ClockedLink {
  explicit LinkBench(const Link::Params& params) : link("link", params) {
    link.clk_i(clk);
    link.rst_ni(rst_n);
    link.in.bind(sent);
    link.out.bind(received);
  }
  /// Returns the number of edges until `signal` is high, at most 50.
  unsigned edges_until(const sc_core::sc_signal<bool>& signal) {
    unsigned edges = 0;
    do {
      cycle();
      sent.valid = false;
      received.credit_valid = false;
      ++edges;
    } while (!signal.read() && edges < 50);
    return edges;
  }

  ChannelWires sent{"sent"};
  ChannelWires received{"received"};
  Link link;
};

}  // namespace

TEST_CASE("a flit is on the other side of a link as many edges later as its latency", "[network]") {
  const std::uint32_t latency = GENERATE(1U, 2U, 7U);
  LinkBench bench({latency, 3, 1});
  put(bench.sent, 1, flit_to(2, 3));
  CHECK(bench.edges_until(bench.received.valid) == latency);
  CHECK(bench.received.vc.read() == 1);
  CHECK(bench.received.flit.read() == flit_to(2, 3));
  CHECK(bench.link.flits(1) == 1);
  CHECK(bench.link.flits(1, true) == 1);
  CHECK(bench.link.flits(0) == 0);
  bench.cycle();
  CHECK_FALSE(bench.received.valid.read());
  CHECK(bench.link.flits(1) == 0);
}

TEST_CASE("a credit takes the link's credit latency the other way", "[network]") {
  const std::uint32_t latency = GENERATE(1U, 2U, 7U);
  LinkBench bench({3, latency, 1});
  bench.received.credit_valid = true;
  bench.received.credit_vc = 2;
  CHECK(bench.edges_until(bench.sent.credit_valid) == latency);
  CHECK(bench.sent.credit_vc.read() == 2);
  CHECK(bench.link.credits(2) == 1);
}

TEST_CASE("reset empties a link", "[network]") {
  LinkBench bench({3, 3, 1});
  put(bench.sent, 0, flit_to(2));
  bench.cycle();
  bench.sent.valid = false;
  bench.rst_n = false;
  bench.cycle();
  bench.rst_n = true;
  CHECK(bench.edges_until(bench.received.valid) == 50);
}

TEST_CASE("a link without a register, or without time for a flit, is reported", "[network]") {
  CHECK_THROWS_AS(pins::Link("link", {0, 1, 1}), sc_core::sc_report);
  CHECK_THROWS_AS(pins::Link("link", {1, 0, 1}), sc_core::sc_report);
  CHECK_THROWS_AS(pins::Link("link", {1, 1, 0}), sc_core::sc_report);
}

namespace {

/// An error of a flit or a credit on the wires of a channel.
struct LinkBeat {
  unsigned cycle = 0;
  bool credit = false;
  unsigned vc = 0;
  Flit flit{};
};

struct Breach {
  std::string id;      ///< The id of the report, without "/flitcast/pins/".
  std::string report;  ///< Text of the report, without the module's name, VC and cycle.
  unsigned vc = 0;
  std::vector<LinkBeat> beats;  ///< The last one is wrong.
};

LinkBeat flit(unsigned cycle, unsigned vc, unsigned remaining, bool head, unsigned packet = 1) {
  return {cycle, false, vc, flit_to(0, remaining, head, PacketSlot{packet})};
}
LinkBeat credit(unsigned cycle, unsigned vc) { return {cycle, true, vc, {}}; }

/// Returns the errors on channels with 2 VCs of 2 credits and one flit in 2 cycles.
std::vector<Breach> breaches() {
  return {
      {"unknown_vc", "flit of no such virtual channel", 2, {flit(0, 2, 0, true)}},
      {"unknown_vc", "credit for no such virtual channel", 7, {flit(0, 0, 0, true), credit(2, 7)}},
      {"order", "flit without a head", 0, {flit(0, 0, 0, false)}},
      {"order", "flit without a head", 1, {flit(0, 1, 0, true), flit(2, 1, 0, false)}},
      {"order", "head inside a packet", 0, {flit(0, 0, 1, true), flit(2, 0, 0, true, 2)}},
      {"order", "flit out of its packet's order", 1, {flit(0, 1, 2, true), flit(2, 1, 0, false)}},
      {"order", "flit of another packet", 1, {flit(0, 1, 1, true), flit(2, 1, 0, false, 2)}},
      {"no_credit",
       "flit without a credit",
       1,
       {flit(0, 1, 0, true), flit(2, 1, 0, true), flit(4, 0, 0, true), flit(6, 1, 0, true)}},
      {"no_credit",
       "flit without a credit",
       0,
       {flit(0, 0, 0, true), flit(2, 0, 0, true), credit(4, 1 - 1), flit(5, 0, 0, true),
        flit(7, 0, 0, true)}},
      {"untaken_credit", "credit that no flit has taken", 0, {credit(3, 0)}},
      {"untaken_credit",
       "credit that no flit has taken",
       0,
       {flit(0, 0, 0, true), credit(1, 0), credit(2, 0)}},
      {"pace",
       "flit sooner than 2 cycles after the one before",
       1,
       {flit(0, 0, 0, true), flit(1, 1, 0, true)}},
  };
}

struct MonitorBench : ClockedLink {
  explicit MonitorBench(const LinkMonitor::Params& params = {2, 2, BufferUnit::kFlit, 2})
      : monitor("monitor", params) {
    monitor.clk_i(clk);
    monitor.rst_ni(rst_n);
    monitor.bind(wires);
  }

  /// Drives the beats, each in its cycle, and runs the edge that samples the last.
  void play(const std::vector<LinkBeat>& beats) {
    for (unsigned now = 0; now <= beats.back().cycle; ++now) {
      wires.valid = false;
      wires.credit_valid = false;
      for (const LinkBeat& beat : beats) {
        if (beat.cycle != now) continue;
        if (beat.credit) {
          wires.credit_valid = true;
          wires.credit_vc = beat.vc;
        } else {
          put(wires, beat.vc, beat.flit);
        }
      }
      cycle();
    }
  }
  /// Returns the text of the report that these beats cause, or "" if they cause none.
  std::string report_of(const std::vector<LinkBeat>& beats) {
    try {
      play(beats);
    } catch (const sc_core::sc_report& report) {
      return report.what();
    }
    return "";
  }

  ChannelWires wires{"wires"};
  LinkMonitor monitor;
};

}  // namespace

TEST_CASE("a monitor reports every breach of a link's rules, with its name, VC and cycle",
          "[network]") {
  for (const Breach& breach : breaches()) {
    testing::install_fresh_kernel();
    MonitorBench bench;
    const std::string report = bench.report_of(breach.beats);
    INFO(breach.report << ": " << report);
    CHECK(report.find("/flitcast/pins/" + breach.id + ": monitor: " + breach.report) !=
          std::string::npos);
    CHECK(report.find("VC " + std::to_string(breach.vc)) != std::string::npos);
    const std::string cycle = "cycle " + std::to_string(breach.beats.back().cycle);
    CHECK(report.find(cycle) != std::string::npos);
  }
}

TEST_CASE("breaches are counted by their ids, and those that are not silenced are reported",
          "[network]") {
  const testing::Silenced untaken("/flitcast/pins/untaken_credit");
  MonitorBench bench;
  CHECK(bench.report_of({credit(0, 0), credit(1, 1)}).empty());
  CHECK(untaken.count() == 2);
  const char* const order = "/flitcast/pins/order";
  const int before = sc_core::sc_report_handler::get_count(order);
  CHECK(bench.report_of({flit(0, 0, 0, false)}).find(order) != std::string::npos);
  CHECK(sc_core::sc_report_handler::get_count(order) == before + 1);
  CHECK(untaken.count() == 2);
}

TEST_CASE("a flit that is too soon on a connection is reported once", "[network]") {
  ClockedLink clock;
  pins::Connection connection("connection", {1, 1, 2}, {2, 2, BufferUnit::kFlit, 2}, clock.clk,
                              clock.rst_n);
  const testing::CollectedErrors errors;
  put(connection.sent, 0, flit_to(0));
  clock.cycle();
  CHECK(errors.texts().empty());
  clock.cycle();
  REQUIRE(errors.texts().size() == 1);
  CHECK(errors.texts()[0].find("connection.link: flit sooner than 2 cycles") == 0);
}

TEST_CASE("a monitor says nothing until the last flit or credit of a breach", "[network]") {
  for (const Breach& breach : breaches()) {
    std::vector<LinkBeat> sound = breach.beats;
    sound.pop_back();
    if (sound.empty()) continue;
    testing::install_fresh_kernel();
    MonitorBench bench;
    CHECK(bench.report_of(sound).empty());
  }
}

TEST_CASE("where credits stand for packets only heads take them", "[network]") {
  MonitorBench bench({2, 2, BufferUnit::kPacket, 1});
  bench.play({flit(0, 0, 3, true), flit(1, 0, 2, false), flit(2, 0, 1, false), flit(3, 0, 0, false),
              flit(4, 0, 1, true, 2), flit(5, 0, 0, false, 2), credit(6, 0)});
  CHECK(bench.monitor.flits() == 6);
  CHECK(bench.monitor.credits() == 1);
  CHECK_FALSE(bench.report_of({flit(0, 0, 0, true), flit(1, 0, 0, true)}).empty());
}

TEST_CASE("a monitor begins anew after a reset", "[network]") {
  MonitorBench bench;
  bench.play({flit(0, 0, 5, true), flit(2, 0, 4, false)});
  bench.wires.valid = false;
  bench.rst_n = false;
  bench.cycle();
  bench.rst_n = true;
  CHECK(bench.report_of({flit(0, 0, 1, true), flit(2, 0, 0, false)}).empty());
}

TEST_CASE("at the end of simulation a monitor reports the credits that have not returned",
          "[network]") {
  const unsigned missing = GENERATE(0U, 1U, 2U);
  MonitorBench bench({2, 2, BufferUnit::kFlit, 1});
  bench.play({flit(0, 1, 0, true), flit(1, 1, 0, true)});
  bench.wires.valid = false;
  for (unsigned k = missing; k < 2; ++k) {
    bench.wires.credit_valid = true;
    bench.wires.credit_vc = 1;
    bench.cycle();
  }
  bench.wires.credit_valid = false;
  SECTION("after a long rest") {
    for (int c = 0; c < 1000; ++c) bench.cycle();
    std::string report;
    try {
      sc_core::sc_stop();
    } catch (const sc_core::sc_report& error) {
      report = error.what();
    }
    INFO(report);
    const std::string text = std::to_string(missing) + " of 2 (VC 1)";
    CHECK((report.find("monitor: credits have not returned: " + text) != std::string::npos) ==
          (missing != 0));
    CHECK(report.find("VC 0") == std::string::npos);
  }
  SECTION("in traffic: the flits may wait behind the link") {
    for (int c = 0; c < 20; ++c) bench.cycle();
    CHECK_NOTHROW(sc_core::sc_stop());
  }
}

TEST_CASE("one report has the missing credits of all virtual channels", "[network]") {
  MonitorBench bench({2, 2, BufferUnit::kFlit, 1});
  bench.play({flit(0, 1, 0, true), flit(1, 1, 0, true), flit(2, 0, 0, true)});
  bench.wires.valid = false;
  for (int c = 0; c < 1000; ++c) bench.cycle();
  CHECK_THROWS_WITH(
      sc_core::sc_stop(),
      Catch::Contains("monitor: credits have not returned: 1 of 2 (VC 0), 2 of 2 (VC 1)"));
}
