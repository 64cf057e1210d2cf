// SPDX-License-Identifier: Apache-2.0
#include "router/neighbours.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

constexpr unsigned kBusyOutput = 1;

RouterParams throughput_params(unsigned virtual_channels, unsigned depth) {
  RouterParams params;
  params.virtual_channels = virtual_channels;
  params.buffer_depth = depth;
  return params;
}

/// Keeps every VC of input 0 busy with packets of `length` flits for `flits` flits each.
void saturate(Neighbours<>& network, unsigned virtual_channels, unsigned length, unsigned flits) {
  for (unsigned sent = 0; sent < flits; sent += length) {
    for (unsigned vc = 0; vc < virtual_channels; ++vc) network.send(0, vc, kBusyOutput, length);
  }
}

}  // namespace

TEST_CASE("one VC carries L of L + route + vc_allocation cycles", "[router]") {
  const unsigned length = GENERATE(1U, 2U, 4U, 8U);
  const unsigned route = GENERATE(0U, 1U, 2U);  // Look-ahead: L / (L + 1); default: L / (L + 2).
  const unsigned vc_allocation = GENERATE(0U, 1U, 3U);
  RouterParams params = throughput_params(1, 32);
  params.pipeline.route = route;
  params.pipeline.vc_allocation = vc_allocation;
  Neighbours<> network(params, 2, 2);
  saturate(network, 1, length, 2000);
  const unsigned packet_time = length + route + vc_allocation;
  network.run(50);
  CHECK(network.count(100 * packet_time) == 100 * length);
}

// Flits of the two VCs alternate, so their tails leave in consecutive cycles, and for one cycle
// both VCs wait.
TEST_CASE("two VCs in step carry 2 L of 2 L + 1 cycles", "[router]") {
  const unsigned length = GENERATE(1U, 2U, 4U, 8U);  // 0.667, 0.80, 0.889, 0.941
  Neighbours<> network(throughput_params(2, 32), 2, 2);
  saturate(network, 2, length, 2000);
  network.run(50);
  CHECK(network.count(100 * (2 * length + 1)) == 200 * length);
}

// The VCs send whole packets alternately, so one sends while the other waits.
TEST_CASE("two VCs out of step hide the bubble between packets of at least two flits", "[router]") {
  const unsigned length = GENERATE(2U, 4U, 8U);
  Neighbours<> network(throughput_params(2, 32), 2, 2);
  network.whole_packets = true;
  saturate(network, 2, length, 2000);
  network.run(50);
  CHECK(network.count(1000) == 1000);
}

TEST_CASE("a VC of b slots sustains b flits per credit loop of 5 cycles", "[router]") {
  const unsigned depth = GENERATE(1U, 2U, 3U, 4U, 5U, 6U, 9U);
  Neighbours<> network(throughput_params(1, depth), 2, 2);
  network.send(0, 0, kBusyOutput, 3000);
  network.run(50);
  CHECK(network.count(1000) == std::min(1000U, 200 * depth));
}

TEST_CASE("all outputs are busy at once when every input wants another", "[router]") {
  Neighbours<> network(throughput_params(2, 16), 5, 5);
  for (unsigned input = 0; input < 5; ++input) network.send(input, 1, (input + 2) % 5, 500);
  network.run(20);
  CHECK(network.count(100) == 500);
}
