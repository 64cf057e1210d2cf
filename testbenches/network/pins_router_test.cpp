// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <systemc>

#include "network/pins/wormhole_router.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Node d is at output d.
class ToPort : public Routing {
 public:
  explicit ToPort(std::size_t virtual_channels) : all_(vc_range(0, virtual_channels)) {}
  Route route(const RouteRequest& request) const override {
    return {PortId{static_cast<std::uint16_t>(index(request.destination))}, all_};
  }
  VcSet injection_vcs(NodeId, NodeId) const override { return all_; }

 private:
  VcSet all_;
};

/// The router on signals, which a test sets in the second half of a cycle.
class Bench {
 public:
  static constexpr unsigned kPorts = 3;
  template <class T>
  using Signals = sc_core::sc_vector<sc_core::sc_signal<T>>;

  explicit Bench(const RouterParams& params)
      : routing_(params.virtual_channels),
        router("router", {RouterId{0}, kPorts, kPorts, params, {}, {}}, routing_) {
    router.clk_i(clk);
    router.rst_ni(rst_n);
    router.in_valid_i(in_valid);
    router.in_vc_i(in_vc);
    router.in_flit_i(in_flit);
    router.in_credit_valid_o(in_credit_valid);
    router.in_credit_vc_o(in_credit_vc);
    router.out_valid_o(out_valid);
    router.out_vc_o(out_vc);
    router.out_flit_o(out_flit);
    router.out_credit_valid_i(out_credit_valid);
    router.out_credit_vc_i(out_credit_vc);
    rst_n = true;
  }

  /// The inputs settle while the clock is low, the edge samples them; then they fall back to idle.
  void cycle() {
    half(false);
    half(true);
    for (auto& valid : in_valid) valid = false;
    for (auto& valid : out_credit_valid) valid = false;
  }
  void half(bool level) {
    clk = level;
    sc_core::sc_start(0.5, sc_core::SC_NS);
  }
  void put(unsigned input, unsigned vc, const Flit& flit) {
    in_valid[input] = true;
    in_vc[input] = vc;
    in_flit[input] = flit;
  }
  /// Cycles, the one of the next edge being 0, until `signal` is high; 100 if it stays low.
  template <class Signal>
  unsigned cycles_until(const Signal& signal) {
    for (unsigned c = 0; c < 100; ++c) {
      cycle();
      if (signal.read()) return c;
    }
    return 100;
  }

  ToPort routing_;
  sc_core::sc_signal<bool> clk{"clk"};
  sc_core::sc_signal<bool> rst_n{"rst_n"};
  Signals<bool> in_valid{"in_valid", kPorts};
  Signals<unsigned> in_vc{"in_vc", kPorts};
  Signals<Flit> in_flit{"in_flit", kPorts};
  Signals<bool> in_credit_valid{"in_credit_valid", kPorts};
  Signals<unsigned> in_credit_vc{"in_credit_vc", kPorts};
  Signals<bool> out_valid{"out_valid", kPorts};
  Signals<unsigned> out_vc{"out_vc", kPorts};
  Signals<Flit> out_flit{"out_flit", kPorts};
  Signals<bool> out_credit_valid{"out_credit_valid", kPorts};
  Signals<unsigned> out_credit_vc{"out_credit_vc", kPorts};
  pins::WormholeRouter router;
};

Flit flit_to(unsigned output, unsigned remaining = 0, bool head = true) {
  Flit flit;
  flit.destination = NodeId{output};
  flit.packet = PacketSlot{77};
  flit.remaining = static_cast<std::uint16_t>(remaining);
  flit.head = head;
  return flit;
}

RouterParams params_of(const Pipeline& pipeline = {}) {
  RouterParams params;
  params.virtual_channels = 2;
  params.buffer_depth = 4;
  params.pipeline = pipeline;
  return params;
}

}  // namespace

TEST_CASE("a head is on the output R + V + S + T - 1 cycles after it was sampled", "[network]") {
  const Pipeline pipeline = GENERATE(Pipeline{}, Pipeline{0, 1, 1, 1}, Pipeline{0, 0, 1, 0},
                                     Pipeline{3, 2, 1, 0}, Pipeline{1, 1, 4, 3});
  Bench bench(params_of(pipeline));
  bench.put(0, 1, flit_to(2));
  CHECK(bench.cycles_until(bench.out_valid[2]) == pipeline.route + pipeline.vc_allocation +
                                                      pipeline.switch_allocation +
                                                      pipeline.traversal - 1);
  CHECK(bench.out_flit[2].read().packet == PacketSlot{77});
  CHECK(bench.out_vc[2].read() == 0);
  CHECK_FALSE(bench.out_valid[0].read());
  bench.cycle();
  CHECK_FALSE(bench.out_valid[2].read());
}

TEST_CASE("the credit of a slot is on its wires in the cycle of the grant", "[network]") {
  const Pipeline pipeline = GENERATE(Pipeline{}, Pipeline{0, 0, 1, 0}, Pipeline{2, 1, 4, 3});
  Bench bench(params_of(pipeline));
  bench.put(1, 1, flit_to(2));
  CHECK(bench.cycles_until(bench.in_credit_valid[1]) == pipeline.route + pipeline.vc_allocation);
  CHECK(bench.in_credit_vc[1].read() == 1);
  bench.cycle();
  CHECK_FALSE(bench.in_credit_valid[1].read());
}

TEST_CASE("outputs change at rising edges only", "[network]") {
  Bench bench(params_of({0, 0, 1, 0}));  // The fastest router answers with the very next edge.
  bench.cycle();
  bench.put(0, 0, flit_to(1));
  bench.half(false);
  CHECK_FALSE(bench.out_valid[1].read());
  bench.half(true);
  CHECK(bench.out_valid[1].read());
  bench.in_valid[0] = false;
  bench.half(false);
  CHECK(bench.out_valid[1].read());
}

TEST_CASE("without credits the router sends its neighbour's depth and no more", "[network]") {
  Bench bench(params_of());
  unsigned sent = 0;
  for (unsigned f = 0; f < 8; ++f) {
    bench.put(0, 0, flit_to(1, 9 - f, f == 0));
    bench.cycle();
    sent += bench.out_valid[1].read() ? 1 : 0;
  }
  for (int c = 0; c < 20; ++c) {
    bench.cycle();
    sent += bench.out_valid[1].read() ? 1 : 0;
  }
  CHECK(sent == 4);
  bench.out_credit_valid[1] = true;
  bench.out_credit_vc[1] = 0;
  CHECK(bench.cycles_until(bench.out_valid[1]) == 1);  // Granted at once, one cycle of traversal.
  CHECK(bench.out_flit[1].read().remaining == 5);
}

TEST_CASE("reset empties the router and restores its credits", "[network]") {
  Bench bench(params_of());
  for (unsigned f = 0; f < 6; ++f) {
    bench.put(0, 0, flit_to(1, 5 - f, f == 0));
    bench.cycle();
  }
  bench.rst_n = false;
  bench.cycle();
  for (unsigned port = 0; port < Bench::kPorts; ++port) {
    CHECK_FALSE(bench.out_valid[port].read());
    CHECK_FALSE(bench.in_credit_valid[port].read());
  }
  bench.rst_n = true;
  CHECK(bench.cycles_until(bench.out_valid[1]) == 100);
  for (unsigned f = 0; f < 4; ++f) {  // A whole buffer of credits, on the first VC again.
    bench.put(0, 0, flit_to(1, 3 - f, f == 0));
    bench.cycle();
  }
  unsigned sent = bench.out_valid[1].read() ? 1 : 0;
  for (int c = 0; c < 20; ++c) {
    bench.cycle();
    sent += bench.out_valid[1].read() ? 1 : 0;
  }
  CHECK(sent == 4);
  CHECK(bench.out_vc[1].read() == 0);
}

TEST_CASE("more than 64 virtual channels a side are refused", "[network]") {
  RouterParams params = params_of();
  params.virtual_channels = 17;  // 32 with spare bits, for each of 3 ports.
  CHECK_THROWS_AS(Bench(params), std::invalid_argument);
}

TEST_CASE("the pins can be traced into a VCD file", "[network]") {
  namespace fs = std::filesystem;
  const fs::path stem = fs::temp_directory_path() / ("flitcast_pins_" + std::to_string(getpid()));
  const fs::path file = stem.string() + ".vcd";
  {
    Bench bench(params_of());
    sc_core::sc_trace_file* trace = sc_core::sc_create_vcd_trace_file(stem.c_str());
    sc_core::sc_trace(trace, bench.clk, "clk");
    sc_core::sc_trace(trace, bench.out_valid[2], "out_valid");
    sc_core::sc_trace(trace, bench.out_flit[2], "out_flit");
    bench.put(0, 0, flit_to(2));
    for (int c = 0; c < 10; ++c) bench.cycle();
    sc_core::sc_close_vcd_trace_file(trace);
  }
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  fs::remove(file);
  CHECK(text.str().find("out_valid") != std::string::npos);
  CHECK(text.str().find("packet") != std::string::npos);   // Of out_flit, a scope of its own.
  CHECK(text.str().find("1001101") != std::string::npos);  // Packet 77.
}
