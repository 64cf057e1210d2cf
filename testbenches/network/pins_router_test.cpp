// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <systemc>

#include "network/pins/core_router.h"
#include "network/pins_bench.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

class WormholeBench : private ToPort, public PinsBench<pins::WormholeRouter> {
 public:
  explicit WormholeBench(const RouterParams& params)
      : ToPort(params.virtual_channels), PinsBench({RouterId{0}, 0, 0, params}, *this) {}
};

RouterParams wormhole_params(const Pipeline& pipeline = {}) {
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
  WormholeBench bench(wormhole_params(pipeline));
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
  WormholeBench bench(wormhole_params(pipeline));
  bench.put(1, 1, flit_to(2));
  CHECK(bench.cycles_until(bench.in_credit_valid[1]) == pipeline.route + pipeline.vc_allocation);
  CHECK(bench.in_credit_vc[1].read() == 1);
  bench.cycle();
  CHECK_FALSE(bench.in_credit_valid[1].read());
}

TEST_CASE("outputs change at rising edges only", "[network]") {
  WormholeBench bench(
      wormhole_params({0, 0, 1, 0}));  // The fastest router forwards at the very next edge.
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
  WormholeBench bench(wormhole_params());
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
  bench.give_credit(1, 0);
  CHECK(bench.cycles_until(bench.out_valid[1]) == 1);  // Granted at once, one cycle of traversal.
  CHECK(bench.out_flit[1].read().remaining == 5);
}

TEST_CASE("reset empties the router and restores its credits", "[network]") {
  WormholeBench bench(wormhole_params());
  for (unsigned f = 0; f < 6; ++f) {
    bench.put(0, 0, flit_to(1, 5 - f, f == 0));
    bench.cycle();
  }
  bench.rst_n = false;
  bench.cycle();
  for (unsigned port = 0; port < WormholeBench::kPorts; ++port) {
    CHECK_FALSE(bench.out_valid[port].read());
    CHECK_FALSE(bench.in_credit_valid[port].read());
  }
  bench.rst_n = true;
  CHECK(bench.cycles_until(bench.out_valid[1]) == 100);
  for (unsigned f = 0; f < 4; ++f) {  // All credits of a buffer, on the first VC again.
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

TEST_CASE("more than 64 virtual channels a side are reported", "[network]") {
  RouterParams params = wormhole_params();
  params.virtual_channels = 17;  // 32 with spare bits, for each of 3 ports.
  CHECK_THROWS_AS(WormholeBench(params), sc_core::sc_report);
}

TEST_CASE("the pins can be traced into a VCD file", "[network]") {
  namespace fs = std::filesystem;
  const fs::path stem = fs::temp_directory_path() / ("flitcast_pins_" + std::to_string(getpid()));
  const fs::path file = stem.string() + ".vcd";
  {
    WormholeBench bench(wormhole_params());
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
  CHECK(text.str().find("packet") != std::string::npos);   // Variable of the scope out_flit.
  CHECK(text.str().find("1001101") != std::string::npos);  // Packet 77.
}
