// SPDX-License-Identifier: Apache-2.0
// Every rule of the base protocol has a test that breaks it.
#include "tlm/protocol_checker.h"

#include <functional>
#include <string>

#include "support/fresh_kernel.h"
#include "support/test_catch.h"
#include "tlm/payloads.h"

using flitcast::testing::Payloads;
using flitcast::tlm::ProtocolChecker;
using flitcast::tlm::Rule;
using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using namespace ::tlm;

namespace {

using Payload = tlm_generic_payload;
using Transport = std::function<tlm_sync_enum(Payload&, tlm_phase&, sc_time&)>;

/// A scripted initiator and a scripted target with a checker between them. By default both accept
/// every call.
class Wiring : public sc_core::sc_module,
               public tlm_fw_transport_if<>,
               public tlm_bw_transport_if<> {
 public:
  explicit Wiring(const sc_core::sc_module_name& module_name) : sc_module(module_name) {
    memory.bind(static_cast<tlm_fw_transport_if<>&>(*this));
    socket.bind(static_cast<tlm_bw_transport_if<>&>(*this));
    socket.bind(checker.target_socket);
    checker.initiator_socket.bind(memory);
    SC_HAS_PROCESS(Wiring);
    SC_THREAD(run_blocking);
  }

  ProtocolChecker<> checker{"checker"};
  tlm_initiator_socket<> socket{"socket"};
  tlm_target_socket<> memory{"memory"};
  Payloads payloads;

  Transport at_target = accept;
  Transport at_initiator = accept;
  std::function<void(Payload&, sc_time&)> blocking = [](Payload& payload, sc_time&) {
    payload.set_response_status(TLM_OK_RESPONSE);
  };
  std::function<bool(Payload&, tlm_dmi&)> direct = [](Payload&, tlm_dmi&) { return false; };
  unsigned debugged = 0;
  std::function<void()> thread_body;

  Payload& read(std::uint64_t address = 0x10) {
    return payloads.make(TLM_READ_COMMAND, address, 4);
  }
  tlm_sync_enum forward(Payload& payload, tlm_phase phase, sc_time delay = SC_ZERO_TIME) {
    return socket->nb_transport_fw(payload, phase, delay);
  }
  tlm_sync_enum backward(Payload& payload, tlm_phase phase, sc_time delay = SC_ZERO_TIME) {
    if (phase == BEGIN_RESP) payload.set_response_status(TLM_OK_RESPONSE);
    return memory->nb_transport_bw(payload, phase, delay);
  }
  void run(double ns) { sc_core::sc_start(ns, SC_NS); }
  /// Runs in a thread process.
  void in_thread(std::function<void()> body) {
    thread_body = std::move(body);
    begin_.notify(SC_ZERO_TIME);
    run(100);
  }

  static tlm_sync_enum accept(Payload&, tlm_phase&, sc_time&) { return TLM_ACCEPTED; }

  tlm_sync_enum nb_transport_fw(Payload& p, tlm_phase& phase, sc_time& t) override {
    return at_target(p, phase, t);
  }
  tlm_sync_enum nb_transport_bw(Payload& p, tlm_phase& phase, sc_time& t) override {
    return at_initiator(p, phase, t);
  }
  void b_transport(Payload& p, sc_time& t) override { blocking(p, t); }
  bool get_direct_mem_ptr(Payload& p, tlm_dmi& region) override { return direct(p, region); }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  unsigned int transport_dbg(Payload&) override { return debugged; }

 private:
  void run_blocking() {
    while (true) {
      wait(begin_);
      thread_body();
    }
  }

  sc_core::sc_event begin_{"begin"};
};

/// A wiring that is elaborated, so that calls are routed.
class Bench : public Wiring {
 public:
  Bench() : Wiring("bench") { sc_core::sc_start(SC_ZERO_TIME); }
};

/// The rule that the action breaks according to the report; "" if none. Reports that do not name
/// the module and the time do not count.
std::string broken(const std::function<void()>& action) {
  try {
    action();
  } catch (const sc_core::sc_report& report) {
    flitcast::testing::forget_unwound_frames();
    const std::string text = report.get_msg();
    const std::size_t rule = text.find("rule \"");
    if (text.rfind("bench.checker: at ", 0) != 0 || rule == std::string::npos) {
      return "unclear: " + text;
    }
    std::string name = text.substr(rule + 6, text.find('"', rule + 6) - rule - 6);
    if (report.get_msg_type() != flitcast::testing::id_of_rule(name)) {
      return std::string("unclear: ") + report.get_msg_type();
    }
    return name;
  }
  return "";
}

/// The next return of a target or initiator, used once.
Transport returns(tlm_sync_enum status, tlm_phase phase, sc_time delay) {
  return [=](Payload& payload, tlm_phase& out_phase, sc_time& out_delay) {
    if (status == TLM_COMPLETED) payload.set_response_status(TLM_OK_RESPONSE);
    out_phase = phase;
    out_delay = delay;
    return status;
  };
}

}  // namespace

TEST_CASE("behaviour that the standard allows is not reported, in any number of phases", "[tlm]") {
  Bench bench;
  CHECK(broken([&] {
          Payload& four = bench.read();
          bench.forward(four, BEGIN_REQ);
          bench.backward(four, END_REQ);
          bench.forward(bench.read(), BEGIN_REQ);  // Two transactions are in progress.
          bench.run(5);
          bench.backward(four, BEGIN_RESP);
          bench.forward(four, END_RESP);
        }) == "");
  CHECK(broken([&] {
          Payload& two = bench.read();
          bench.backward(*&two, static_cast<unsigned>(END_RESP) + 7);  // The phase is ignorable.
        }) == "");
  CHECK(bench.checker.link().in_progress() == 1);
  CHECK(bench.checker.link().completed() == 1);
}

TEST_CASE("transactions of one, two and three phases complete without a report", "[tlm]") {
  Bench bench;
  bench.at_target = returns(TLM_COMPLETED, BEGIN_REQ, sc_time(3, SC_NS));
  CHECK(broken([&] { bench.forward(bench.read(), BEGIN_REQ); }) == "");
  CHECK(bench.checker.link().completed() == 1);

  Payload& two = bench.read();
  bench.at_target = returns(TLM_UPDATED, END_REQ, SC_ZERO_TIME);
  bench.at_initiator = returns(TLM_COMPLETED, END_RESP, sc_time(1, SC_NS));
  CHECK(broken([&] {
          bench.forward(two, BEGIN_REQ);
          bench.backward(two, BEGIN_RESP);
        }) == "");
  CHECK(bench.checker.link().completed() == 2);

  Payload& three = bench.read();
  bench.at_target = [](Payload& payload, tlm_phase& phase, sc_time&) {
    payload.set_response_status(TLM_OK_RESPONSE);
    if (phase == END_RESP) return TLM_COMPLETED;
    phase = BEGIN_RESP;
    return TLM_UPDATED;
  };
  CHECK(broken([&] {
          bench.forward(three, BEGIN_REQ);
          bench.forward(three, END_RESP);
        }) == "");
  CHECK(bench.checker.link().completed() == 3);
  CHECK(bench.checker.link().in_progress() == 0);
}

TEST_CASE("a second BEGIN_REQ before the end of the first is reported", "[tlm]") {
  Bench bench;
  bench.forward(bench.read(), BEGIN_REQ);
  CHECK(broken([&] { bench.forward(bench.read(), BEGIN_REQ); }) == "request exclusion");
}

TEST_CASE("a second BEGIN_RESP before the end of the first is reported", "[tlm]") {
  Bench bench;
  Payload& first = bench.read();
  Payload& second = bench.read();
  bench.at_target = returns(TLM_UPDATED, END_REQ, SC_ZERO_TIME);
  bench.forward(first, BEGIN_REQ);
  bench.forward(second, BEGIN_REQ);
  bench.backward(first, BEGIN_RESP);
  CHECK(broken([&] { bench.backward(second, BEGIN_RESP); }) == "response exclusion");
}

TEST_CASE("phases that are twice, too early, too late or on the wrong path are reported", "[tlm]") {
  Bench bench;
  Payload& payload = bench.read();
  CHECK(broken([&] { bench.forward(payload, END_RESP); }) == "phase order");
  CHECK(broken([&] { bench.forward(payload, BEGIN_RESP); }) == "phase order");
  CHECK(broken([&] { bench.backward(payload, BEGIN_REQ); }) == "phase order");
  bench.forward(payload, BEGIN_REQ);
  CHECK(broken([&] { bench.forward(payload, END_RESP); }) == "phase order");
  bench.backward(payload, END_REQ);
  CHECK(broken([&] { bench.backward(payload, END_REQ); }) == "phase order");
  bench.backward(payload, BEGIN_RESP);
  CHECK(broken([&] { bench.backward(payload, BEGIN_RESP); }) == "phase order");
  bench.forward(payload, END_RESP);
  CHECK(broken([&] { bench.forward(payload, END_RESP); }) == "phase order");
}

TEST_CASE("returns that no phase allows are reported", "[tlm]") {
  Bench bench;
  SECTION("TLM_UPDATED from the target with the initiator's phase") {
    bench.at_target = returns(TLM_UPDATED, END_RESP, SC_ZERO_TIME);
    CHECK(broken([&] { bench.forward(bench.read(), BEGIN_REQ); }) == "return value");
  }
  SECTION("TLM_UPDATED that updates nothing") {
    bench.at_target = returns(TLM_UPDATED, BEGIN_REQ, SC_ZERO_TIME);
    CHECK(broken([&] { bench.forward(bench.read(), BEGIN_REQ); }) == "return value");
  }
  SECTION("TLM_COMPLETED in answer to END_REQ") {
    Payload& payload = bench.read();
    bench.forward(payload, BEGIN_REQ);
    bench.at_initiator = returns(TLM_COMPLETED, END_REQ, SC_ZERO_TIME);
    CHECK(broken([&] { bench.backward(payload, END_REQ); }) == "return value");
  }
}

TEST_CASE("accepting and changing the phase is reported", "[tlm]") {
  Bench bench;
  bench.at_target = returns(TLM_ACCEPTED, END_REQ, SC_ZERO_TIME);
  CHECK(broken([&] { bench.forward(bench.read(), BEGIN_REQ); }) == "accepted unchanged");
}

TEST_CASE("accepting and changing the time is reported", "[tlm]") {
  Bench bench;
  bench.at_target = returns(TLM_ACCEPTED, BEGIN_REQ, sc_time(2, SC_NS));
  CHECK(broken([&] { bench.forward(bench.read(), BEGIN_REQ); }) == "accepted unchanged");
}

TEST_CASE("time that goes back is reported, over a call and between phases", "[tlm]") {
  Bench bench;
  SECTION("a non-blocking return") {
    bench.at_target = returns(TLM_UPDATED, END_REQ, SC_ZERO_TIME);
    CHECK(broken([&] { bench.forward(bench.read(), BEGIN_REQ, sc_time(2, SC_NS)); }) ==
          "time annotation");
  }
  SECTION("a phase that takes effect before the previous one") {
    Payload& payload = bench.read();
    bench.at_target = returns(TLM_UPDATED, END_REQ, sc_time(10, SC_NS));
    bench.forward(payload, BEGIN_REQ);
    bench.run(5);
    CHECK(broken([&] { bench.backward(payload, BEGIN_RESP); }) == "time annotation");
  }
  SECTION("a blocking return") {
    bench.blocking = [](Payload& payload, sc_time& delay) {
      payload.set_response_status(TLM_OK_RESPONSE);
      delay = SC_ZERO_TIME;
    };
    CHECK(broken([&] {
            bench.in_thread([&] {
              sc_time delay(3, SC_NS);
              bench.socket->b_transport(bench.read(), delay);
            });
          }) == "time annotation");
  }
}

TEST_CASE("fields that change between request and end are reported", "[tlm]") {
  Bench bench;
  const std::function<void(Payload&)> change = GENERATE(
      std::function<void(Payload&)>([](Payload& p) { p.set_command(TLM_WRITE_COMMAND); }),
      std::function<void(Payload&)>([](Payload& p) { p.set_data_length(8); }),
      std::function<void(Payload&)>([](Payload& p) { p.set_data_ptr(p.get_data_ptr() + 1); }),
      std::function<void(Payload&)>([](Payload& p) { p.set_streaming_width(2); }),
      std::function<void(Payload&)>([](Payload& p) { p.set_byte_enable_length(3); }),
      std::function<void(Payload&)>([](Payload& p) { p.set_byte_enable_ptr(p.get_data_ptr()); }));
  Payload& payload = bench.read();
  bench.forward(payload, BEGIN_REQ);
  change(payload);
  CHECK(broken([&] { bench.backward(payload, BEGIN_RESP); }) == "immutable fields");
}

TEST_CASE("an address may change between initiator and target", "[tlm]") {
  Bench bench;
  Payload& payload = bench.read();
  bench.forward(payload, BEGIN_REQ);
  payload.set_address(0);
  CHECK(broken([&] { bench.backward(payload, BEGIN_RESP); }) == "");
}

TEST_CASE("inconsistent payloads are reported", "[tlm]") {
  Bench bench;
  Payload& payload = bench.read();
  SECTION("no data pointer") { payload.set_data_ptr(nullptr); }
  SECTION("no streaming width") { payload.set_streaming_width(0); }
  SECTION("byte enables without a length") {
    payload.set_byte_enable_ptr(payload.get_data_ptr());
    payload.set_byte_enable_length(0);
  }
  CHECK(broken([&] { bench.forward(payload, BEGIN_REQ); }) == "attributes");
}

TEST_CASE("a payload without a memory manager is reported on the non-blocking path only", "[tlm]") {
  Bench bench;
  Payload payload;
  payload.set_streaming_width(1);
  CHECK(broken([&] { bench.forward(payload, BEGIN_REQ); }) == "memory manager");
  Payload other;
  other.set_streaming_width(1);
  CHECK(broken([&] {
          bench.in_thread([&] {
            sc_time delay;
            bench.socket->b_transport(other, delay);
          });
        }) == "");
}

TEST_CASE("a payload that is not acquired, or that is in use, is reported", "[tlm]") {
  Bench bench;
  SECTION("never acquired") {
    Payload payload(&bench.payloads);
    payload.set_streaming_width(1);
    CHECK(broken([&] { bench.forward(payload, BEGIN_REQ); }) == "payload life");
  }
  SECTION("released while in progress") {
    Payload& payload = bench.read();
    bench.forward(payload, BEGIN_REQ);
    payload.release();
    CHECK(broken([&] { bench.backward(payload, END_REQ); }) == "payload life");
  }
  SECTION("sent again while in progress") {
    Payload& payload = bench.read();
    bench.forward(payload, BEGIN_REQ);
    bench.backward(payload, END_REQ);
    CHECK(broken([&] { bench.forward(payload, BEGIN_REQ); }) == "payload life");
  }
}

TEST_CASE("a status that is set too early or not at all is reported", "[tlm]") {
  Bench bench;
  SECTION("before the request") {
    Payload& payload = bench.read();
    payload.set_response_status(TLM_OK_RESPONSE);
    CHECK(broken([&] { bench.forward(payload, BEGIN_REQ); }) == "response status");
  }
  SECTION("not for BEGIN_RESP") {
    bench.at_target = returns(TLM_UPDATED, BEGIN_RESP, SC_ZERO_TIME);
    CHECK(broken([&] { bench.forward(bench.read(), BEGIN_REQ); }) == "response status");
  }
  SECTION("not for TLM_COMPLETED") {
    bench.at_target = [](Payload&, tlm_phase&, sc_time&) { return TLM_COMPLETED; };
    CHECK(broken([&] { bench.forward(bench.read(), BEGIN_REQ); }) == "response status");
  }
  SECTION("not by b_transport") {
    bench.blocking = [](Payload&, sc_time&) {};
    CHECK(broken([&] {
            bench.in_thread([&] {
              sc_time delay;
              bench.socket->b_transport(bench.read(), delay);
            });
          }) == "response status");
  }
}

TEST_CASE("a DMI hint that the initiator leaves set is reported", "[tlm]") {
  Bench bench;
  Payload& payload = bench.read();
  payload.set_dmi_allowed(true);
  CHECK(broken([&] { bench.forward(payload, BEGIN_REQ); }) == "DMI hint");
}

TEST_CASE("a DMI region elsewhere, or one without memory, is reported", "[tlm]") {
  Bench bench;
  unsigned char memory[16];
  tlm_dmi region;
  const auto grant = [&](std::uint64_t start, std::uint64_t end, unsigned char* pointer) {
    bench.direct = [=](Payload&, tlm_dmi& granted) {
      granted.set_start_address(start);
      granted.set_end_address(end);
      granted.set_dmi_ptr(pointer);
      return true;
    };
    return broken([&] { bench.socket->get_direct_mem_ptr(bench.read(0x10), region); });
  };
  CHECK(grant(0x11, 0x20, memory) == "DMI range");
  CHECK(grant(0x0, 0xf, memory) == "DMI range");
  CHECK(grant(0x10, 0x10, nullptr) == "DMI range");
  CHECK(grant(0x10, 0x10, memory) == "");
  CHECK(broken([&] { bench.memory->invalidate_direct_mem_ptr(4, 3); }) == "DMI range");
}

TEST_CASE("a debug access of more bytes than were asked for is reported", "[tlm]") {
  Bench bench;
  bench.debugged = 5;
  CHECK(broken([&] { bench.socket->transport_dbg(bench.read()); }) == "debug count");
  bench.debugged = 4;
  CHECK(broken([&] { bench.socket->transport_dbg(bench.read()); }) == "");
}

TEST_CASE("b_transport from outside of a thread is reported", "[tlm]") {
  Bench bench;
  sc_time delay;
  CHECK(broken([&] { bench.socket->b_transport(bench.read(), delay); }) == "blocking process");
}
