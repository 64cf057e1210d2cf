// SPDX-License-Identifier: Apache-2.0
#include <Vclos_network_2_2.h>

#include "cosim/port_bits.h"
#include "rtl/verilated_bench.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

constexpr unsigned kAll = 0xf;  // All four outputs.

/// RTL network v(2, 2, 2, 2, 2) with a connection from input 0 to all outputs.
class Connected {
 public:
  Connected() {
    rtl_->contextp()->fatalOnError(false);  // A failed assertion is recorded and does not abort.
    rtl_->in_valid_i = 0;
    rtl_->req_valid_i = 0;
    rtl_.reset();
    rtl_.edge();  // Raises ready.
    request(0, kAll);
    while (!rtl_->done_o) rtl_.edge();
    rtl_.edge();
  }

  void ignore_assertions() { rtl_->contextp()->assertOn(false); }
  bool refused() { return rtl_->contextp()->gotError(); }

  /// Waits until a disconnect is accepted; returns the number of clocks until its answer, which
  /// must be done.
  unsigned disconnect(unsigned input) {
    request(input, 0);
    unsigned clocks = 1;
    for (; !rtl_->req_ready_o && clocks < 100; ++clocks) {
      CHECK_FALSE(rtl_->done_o);
      rtl_.edge();
    }
    CHECK(rtl_->done_o);
    CHECK_FALSE(rtl_->blocked_o);
    return clocks;
  }

  /// Sends a flit from input 0; returns the outputs that show it three clocks later.
  unsigned outputs_of(std::uint32_t flit) {
    rtl_->in_valid_i = 1;
    set_port_word(rtl_->in_flit_i, 0, flit);
    rtl_.settle();
    rtl_.edge();
    rtl_->in_valid_i = 0;
    rtl_.edge();
    rtl_.edge();
    unsigned outputs = 0;
    for (unsigned output = 0; output < 4; ++output) {
      const bool shows = port_bit(rtl_->out_valid_o, output);
      if (shows && port_word(rtl_->out_flit_o, output) == flit) outputs |= 1U << output;
    }
    return outputs;
  }

 private:
  /// Requests a connection; an empty set of outputs requests a disconnect.
  void request(unsigned input, unsigned outputs) {
    REQUIRE(rtl_->req_ready_o);
    rtl_->req_valid_i = 1;
    rtl_->req_connect_i = outputs != 0;
    rtl_->req_switch_i = input / 2 != 0;
    rtl_->req_port_i = input % 2 != 0;
    rtl_->req_outputs_i = outputs & kAll;
    rtl_.settle();
    rtl_.edge();
    rtl_->req_valid_i = 0;
    rtl_.settle();
  }

  VerilatedBench<Vclos_network_2_2> rtl_;
};

}  // namespace

TEST_CASE("a Clos network in RTL refuses to end a connection that there is not", "[rtl]") {
  Connected network;
  CHECK_FALSE(network.refused());
  network.disconnect(GENERATE(1U, 2U, 3U));
  CHECK(network.refused());
}

TEST_CASE("a disconnect of an idle input is done after two clocks and frees nothing", "[rtl]") {
  Connected network;
  network.ignore_assertions();
  CHECK(network.disconnect(GENERATE(1U, 2U, 3U)) == 2);
  CHECK(network.outputs_of(0x12345678) == kAll);
  CHECK(network.disconnect(0) == 2);  // 1 + P, with one middle switch in its route.
  CHECK(network.outputs_of(0x12345678) == 0);
}
