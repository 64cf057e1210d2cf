// SPDX-License-Identifier: Apache-2.0
// Misuse is reported with the module, the time and the rule.
#include <functional>
#include <string>
#include <vector>

#include "support/collected_errors.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"
#include "tlm/bench.h"

using namespace flitcast::testing;
using flitcast::NodeId;
using flitcast::tlm::InterconnectParams;
using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using namespace ::tlm;
using Catch::Contains;

namespace {

struct Told {
  std::string id;
  std::string module;
  std::string text;
};

/// The error that the action reports.
Told told(const std::function<void()>& action) {
  try {
    action();
  } catch (const sc_core::sc_report& report) {
    const std::string text = report.get_msg();
    return {report.get_msg_type(), text.substr(0, text.find(": ")), text};
  }
  return {};
}

/// Parameters without checkers, so only the network interface detects misuse.
InterconnectParams unchecked() {
  InterconnectParams params = params_for(1, 1, 2);
  params.check_protocol = false;
  return params;
}

tlm_sync_enum forward(AtInitiator& initiator, Payload& payload, tlm_phase phase) {
  sc_time delay = SC_ZERO_TIME;
  return initiator.socket->nb_transport_fw(payload, phase, delay);
}

}  // namespace

TEST_CASE("the network interface reports misuse by an initiator", "[tlm]") {
  Pair pair(unchecked());
  AtInitiator initiator("initiator", EndStyle::kCall);
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start(3, SC_NS);
  std::string rule;
  Told seen;
  SECTION("send a payload without a memory manager by nb_transport") {
    rule = "memory manager";
    Payload payload;
    seen = told([&] { forward(initiator, payload, BEGIN_REQ); });
  }
  SECTION("begin a request before the last one has ended") {
    rule = "request exclusion";
    forward(initiator, pair.payloads.make(TLM_READ_COMMAND, 0, 4), BEGIN_REQ);
    seen = told([&] { forward(initiator, pair.payloads.make(TLM_READ_COMMAND, 0, 4), BEGIN_REQ); });
  }
  SECTION("end a response that has not begun") {
    rule = "phase order";
    seen = told([&] { forward(initiator, pair.payloads.make(TLM_READ_COMMAND, 0, 4), END_RESP); });
  }
  SECTION("send a target's phase") {
    rule = "phase order";
    seen =
        told([&] { forward(initiator, pair.payloads.make(TLM_READ_COMMAND, 0, 4), BEGIN_RESP); });
  }
  SECTION("send a payload again that is in use") {
    rule = "payload life";
    Payload& payload = pair.payloads.make(TLM_READ_COMMAND, 0, 4);
    forward(initiator, payload, BEGIN_REQ);
    seen = told([&] { forward(initiator, payload, BEGIN_REQ); });
  }
  CHECK(seen.module == "net.initiator_0");
  CHECK(seen.id == id_of_rule(rule));
  CHECK_THAT(seen.text, Contains("net.initiator_0: at 3 ns: rule \"" + rule + "\""));
}

TEST_CASE("misuse is reported once where checkers and network interfaces see it", "[tlm]") {
  Pair pair;
  AtInitiator initiator("initiator", EndStyle::kCall);
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start(3, SC_NS);
  const CollectedErrors errors;
  const auto back = [&](Payload& payload, tlm_phase phase) {
    sc_time delay = SC_ZERO_TIME;
    pair.memory.socket->nb_transport_bw(payload, phase, delay);
  };
  Payload& payload = pair.payloads.make(TLM_READ_COMMAND, 0, 4);
  SECTION("no memory manager") {
    Payload bare;
    bare.set_streaming_width(4);
    forward(initiator, bare, BEGIN_REQ);
  }
  SECTION("a second request") {
    forward(initiator, payload, BEGIN_REQ);
    forward(initiator, pair.payloads.make(TLM_READ_COMMAND, 4, 4), BEGIN_REQ);
  }
  SECTION("the end of no response") { forward(initiator, payload, END_RESP); }
  SECTION("a phase of targets") { forward(initiator, payload, BEGIN_RESP); }
  SECTION("the response of no request") { back(payload, BEGIN_RESP); }
  SECTION("a phase of initiators") { back(payload, END_RESP); }
  REQUIRE(errors.texts().size() == 1);
  CHECK_THAT(errors.texts()[0], Contains("net.") && Contains(": at 3 ns: rule"));
}

TEST_CASE("a payload that is sent again before its response ends is reported, checkers or not",
          "[tlm]") {
  InterconnectParams params = params_for(1, 1, 2);
  params.check_protocol = GENERATE(false, true);
  Pair pair(params);
  AtInitiator initiator("initiator", EndStyle::kUpdated, sc_time(10, SC_NS));
  initiator.socket.bind(pair.net.target_socket[0]);
  Payload& payload = pair.payloads.make(TLM_READ_COMMAND, 0, 4);
  initiator.send(payload);
  while (initiator.answers.empty()) sc_core::sc_start(1, SC_NS);
  const CollectedErrors errors;
  const int before = sc_core::sc_report_handler::get_count("/flitcast/tlm/payload_life");
  payload.set_response_status(TLM_INCOMPLETE_RESPONSE);
  forward(initiator, payload, BEGIN_REQ);
  CHECK(sc_core::sc_report_handler::get_count("/flitcast/tlm/payload_life") == before + 1);
}

TEST_CASE("violations are counted by rule, and a silenced rule leaves the others", "[tlm]") {
  Pair pair;
  AtInitiator initiator("initiator", EndStyle::kCall);
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start(3, SC_NS);
  const Silenced status("/flitcast/tlm/response_status");
  Payload& answered = pair.payloads.make(TLM_READ_COMMAND, 0, 4);
  answered.set_response_status(TLM_OK_RESPONSE);
  CHECK(told([&] { forward(initiator, answered, BEGIN_REQ); }).text.empty());
  CHECK(status.count() == 1);
  Payload& hinted = pair.payloads.make(TLM_READ_COMMAND, 0, 4);
  hinted.set_dmi_allowed(true);
  CHECK(told([&] { forward(initiator, hinted, BEGIN_REQ); }).id == "/flitcast/tlm/dmi_hint");
  CHECK(status.count() == 1);
}

TEST_CASE("the network interface reports misuse by a target", "[tlm]") {
  Pair pair(unchecked());
  AtInitiator initiator("initiator", EndStyle::kCall);
  initiator.socket.bind(pair.net.target_socket[0]);
  sc_core::sc_start(3, SC_NS);
  Payload& payload = pair.payloads.make(TLM_READ_COMMAND, 0, 4);
  const tlm_phase phase = GENERATE(as<tlm_phase>{}, BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP);
  const Told seen = told([&] {
    tlm_phase out = phase;
    sc_time delay = SC_ZERO_TIME;
    pair.memory.socket->nb_transport_bw(payload, out, delay);
  });
  CHECK(seen.module == "net.target_0");
  CHECK_THAT(seen.text, Contains("at 3 ns: rule \"phase order\""));
}

TEST_CASE("with checkers, a target that breaks a rule is reported at its socket", "[tlm]") {
  Pair pair;
  AtInitiator initiator("initiator", EndStyle::kCall);
  initiator.socket.bind(pair.net.target_socket[0]);
  pair.memory.silent = true;
  initiator.send(pair.payloads.make(TLM_READ_COMMAND, 0, 4));
  sc_core::sc_start(100, SC_NS);
  const Told seen = told([&] {
    tlm_phase phase = BEGIN_RESP;
    sc_time delay = SC_ZERO_TIME;
    pair.memory.socket->nb_transport_bw(*pair.memory.accesses.at(0).payload, phase, delay);
  });
  CHECK(seen.module == "net.target_0");
  CHECK_THAT(seen.text, Contains("at 100 ns: rule \"response status\""));
}

TEST_CASE(
    "a target that never answers is reported after the time-out, with all waiting transactions",
    "[tlm]") {
  InterconnectParams params = unchecked();
  params.timeout = sc_time(500, SC_NS);
  Pair pair(params);
  AtInitiator initiator("initiator", EndStyle::kCall);
  initiator.socket.bind(pair.net.target_socket[0]);
  pair.memory.silent = true;
  initiator.send(pair.payloads.make(TLM_READ_COMMAND, 0x10, 4));
  initiator.send(pair.payloads.make(TLM_WRITE_COMMAND, 0x20, 8));
  sc_core::sc_start(450, SC_NS);
  const Told seen = told([&] { sc_core::sc_start(1000, SC_NS); });
  CHECK(seen.module == "net.ledger");
  CHECK(seen.id == "/flitcast/tlm/time_out");
  CHECK_THAT(seen.text,
             Contains("rule \"time-out\"") &&
                 Contains("initiator 0: read of 4 bytes at 0x10, begun at 0 s: not answered by "
                          "target 0 since") &&
                 Contains("initiator 0: write of 8 bytes at 0x20") &&
                 Contains("waiting at target 0 since"));
}

TEST_CASE("without answers, each time-out is reported once, the first one first, and time ends",
          "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  InterconnectParams params = params_for(2, 2, 9);
  params.check_protocol = false;
  params.timeout = sc_time(500, SC_NS);
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params);
  Memory silent("silent", kWindow, PhaseStyle::kTwoPhases);
  Memory sound("sound", kWindow, PhaseStyle::kTwoPhases);
  silent.silent = true;
  net.initiator_socket[0].bind(silent.socket);
  net.initiator_socket[1].bind(sound.socket);
  // The later transaction gets the record that the first read has used.
  LtInitiator second("second", [](LtInitiator& self) {
    self.read(kWindow, 4);
    sc_core::wait(300, SC_NS);
    self.write(0x20, Bytes(8));
  });
  LtInitiator first("first", [](LtInitiator& self) { self.read(0, 4); });
  second.socket.bind(net.target_socket[0]);
  first.socket.bind(net.target_socket[1]);
  const CollectedErrors errors;
  sc_core::sc_start(sc_time(50, sc_core::SC_US));
  REQUIRE(!errors.texts().empty());
  std::string all;
  for (const std::string& text : errors.texts()) all += text + "\n";
  INFO(all);
  const auto count = [&](const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = all.find(part); at != std::string::npos; at = all.find(part, at + 1)) {
      ++found;
    }
    return found;
  };
  CHECK(count("read of 4 bytes at 0x0,") == 1);
  CHECK(count("write of 8 bytes at 0x20,") == 1);
  CHECK(all.find("read of 4") < all.find("write of 8"));
  CHECK(CollectedErrors::texts().size() <= 2);
  CHECK_FALSE(sc_core::sc_pending_activity());
}

TEST_CASE("the time-out of an early request that arrives late is named last", "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({8});
  InterconnectParams params = params_for(2, 1, 8);
  params.placement.initiators = {NodeId{0}, NodeId{6}};
  params.timeout = sc_time(500, SC_NS);
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params);
  Memory memory("memory", kWindow, PhaseStyle::kTwoPhases);
  memory.silent = true;
  net.initiator_socket[0].bind(memory.socket);
  LtInitiator far("far", [](LtInitiator& self) { self.read(0, 4); });
  LtInitiator near("near", [](LtInitiator& self) {
    sc_core::wait(5, SC_NS);
    self.read(8, 4);
  });
  far.socket.bind(net.target_socket[0]);
  near.socket.bind(net.target_socket[1]);
  const std::string text = told([] { sc_core::sc_start(); }).text;
  REQUIRE_THAT(text, Contains("initiator 0: ") && Contains("initiator 1: "));
  CHECK(text.find("initiator 1: ") < text.find("initiator 0: "));
}

TEST_CASE("a time-out is reported beside others that have been", "[tlm]") {
  InterconnectParams params = unchecked();
  params.timeout = sc_time(500, SC_NS);
  Pair pair(params);
  AtInitiator initiator("initiator", EndStyle::kCall);
  initiator.socket.bind(pair.net.target_socket[0]);
  pair.memory.silent = true;
  const CollectedErrors errors;
  initiator.send(pair.payloads.make(TLM_READ_COMMAND, 0x10, 4));
  sc_core::sc_start(5, sc_core::SC_US);
  REQUIRE(errors.texts().size() == 1);
  initiator.send(pair.payloads.make(TLM_WRITE_COMMAND, 0x20, 8));
  sc_core::sc_start(5, sc_core::SC_US);
  REQUIRE(errors.texts().size() == 2);
  CHECK_THAT(errors.texts()[1], Contains("write of 8") && !Contains("read of 4"));
}

TEST_CASE("a transaction with progress in time is no time-out", "[tlm]") {
  InterconnectParams params = unchecked();
  params.timeout = sc_time(100, SC_NS);
  Pair pair(params);
  LtInitiator initiator("initiator", [](LtInitiator& self) {
    for (unsigned k = 0; k < 20; ++k) self.read(4 * k, 4);
  });
  initiator.socket.bind(pair.net.target_socket[0]);
  CHECK(told([&] { sc_core::sc_start(2000, SC_NS); }).text.empty());
  CHECK(initiator.done);
}

TEST_CASE("an unbound socket is reported by its name", "[tlm]") {
  Pair pair;
  const Told seen = told([&] { sc_core::sc_start(1, SC_NS); });
  CHECK_THAT(seen.text, Contains("port not bound") && Contains("net.target_socket_0"));
}

TEST_CASE("a socket that an interconnect does not have is reported with its name and their number",
          "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({3, 3});
  flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                  params_for(2, 1, 9));
  AtInitiator initiator("initiator", EndStyle::kCall);
  Memory memory("memory", kWindow, PhaseStyle::kTwoPhases);
  const auto text = [&](auto&& bind) { return told(bind).text; };
  CHECK_THAT(text([&] { initiator.socket.bind(net.target_socket[2]); }),
             Contains("net.target_socket[2] >= size() = 2"));
  CHECK_THAT(text([&] { net.initiator_socket[1].bind(memory.socket); }),
             Contains("net.initiator_socket[1] >= size() = 1"));
}

TEST_CASE("a time resolution coarser than a cycle is an error with its hint", "[tlm]") {
  install_fresh_kernel();
  const bool microsecond = GENERATE(false, true);
  sc_core::sc_set_time_resolution(microsecond ? 1 : 10, microsecond ? sc_core::SC_US : SC_NS);
  const Told seen = told([] { Pair pair(unchecked()); });
  CHECK(seen.module == "net");
  CHECK_THAT(seen.text, Contains(microsecond ? "1 us" : "10 ns") &&
                            Contains("sc_set_time_resolution(1, SC_NS)"));
}

TEST_CASE("a time resolution of one cycle changes no latency", "[tlm]") {
  const auto nanoseconds = [](int resolution_ps) {
    install_fresh_kernel();
    sc_core::sc_set_time_resolution(resolution_ps, sc_core::SC_PS);
    Pair pair(unchecked());
    AtInitiator initiator("initiator", EndStyle::kCall);
    initiator.socket.bind(pair.net.target_socket[0]);
    for (unsigned k = 0; k < 4; ++k) initiator.send(pair.payloads.make(TLM_READ_COMMAND, 4 * k, 4));
    sc_core::sc_start(1000, SC_NS);
    std::vector<double> times;
    for (const auto& answer : initiator.answers) {
      times.push_back(answer.answered.to_seconds() * 1e9);
    }
    pair.net.audit();
    return times;
  };
  const std::vector<double> fine = nanoseconds(1);
  REQUIRE(fine.size() == 4);
  CHECK(nanoseconds(1000) == fine);
}

TEST_CASE("every problem of an interconnect is in one report", "[tlm]") {
  const flitcast::RoutedNetwork network = flitcast::mesh_network({2}, 4);
  InterconnectParams params = params_for(1, 2, 2);
  params.windows = {{0x0, 0x100, 0, 0}, {0x80, 0x100, 1, 0}};
  params.placement.initiators = {NodeId{7}};
  params.limits.outstanding = 0;
  params.limits.burst_bytes = 1 << 20;
  const Told seen = told([&] {
    flitcast::tlm::Interconnect net("net", *network.topology, *network.routing, network_params(),
                                    params);
  });
  CHECK(seen.module == "net");
  CHECK_THAT(seen.text, Contains("windows 0x0 to 0xff (target 0) and 0x80 to 0x17f (target 1) "
                                 "overlap") &&
                            Contains("initiator 0 is at node 7; nodes are 0 to 1") &&
                            Contains("the routing has 1 message classes") &&
                            Contains("no transaction outstanding") &&
                            Contains("a burst of 1048576 bytes is a packet of 262146 flits"));
}

TEST_CASE("bursts of any length need routers that take packets of any length", "[tlm]") {
  const flitcast::RoutedNetwork network = mesh_network({2});
  flitcast::NetworkParams whole = network_params();
  whole.router.whole_packet_credit = true;
  whole.router.buffer_depth = 6;
  const auto refused = [&](unsigned burst_bytes, const flitcast::NetworkParams& routers) {
    InterconnectParams params = params_for(1, 1, 2);
    params.limits.burst_bytes = burst_bytes;
    return flitcast::mapped(
        flitcast::tlm::problems_of(params, *network.topology, *network.routing, routers),
        &flitcast::Problem::text);
  };
  const std::uint32_t carried = params_for(1, 1, 2).format.flit_bytes * 4;
  CHECK(refused(0, network_params()).empty());
  CHECK(refused(carried, whole).empty());
  CHECK(refused(0, whole) ==
        std::vector<std::string>{
            "burst_bytes: bursts have any length, and the routers take packets of 6 flits; "
            "set burst_bytes"});
}

TEST_CASE("an audit before the end names what is outstanding and what is in flight", "[tlm]") {
  Pair pair;
  AtInitiator initiator("initiator", EndStyle::kCall);
  initiator.socket.bind(pair.net.target_socket[0]);
  initiator.send(pair.payloads.make(TLM_READ_COMMAND, 0, 4));
  sc_core::sc_start(3, SC_NS);
  const Told early = told([&] { pair.net.audit(); });
  CHECK_THAT(early.text, Contains("outstanding") && Contains("1 packets are in flight"));
  sc_core::sc_start(200, SC_NS);
  CHECK(told([&] { pair.net.audit(); }).text.empty());
}
