// SPDX-License-Identifier: Apache-2.0
// AXI4-Stream at the nodes of a fabric.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "network/check/inspection.h"
#include "network/fabric_run.h"
#include "network/stream_bench.h"
#include "support/collected_errors.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"

using namespace flitcast;
using Catch::Contains;

namespace {

NetworkParams mesh_params(unsigned virtual_channels, unsigned threads = 1) {
  NetworkParams params;
  params.router.virtual_channels = virtual_channels;
  params.router.buffer_depth = 4;
  params.threads = threads;
  return params;
}

/// A mesh of two message classes with a virtual channel each, in which packets keep their order.
RoutedNetwork two_classes(const std::vector<std::size_t>& sides) {
  return mesh_of_classes(sides, {{0, 1}, {1, 1}});
}

struct Load {
  unsigned pause = 1;            ///< How often of 4 a stream pauses.
  unsigned stall = 1;            ///< How often of 4 a receiver is not ready.
  unsigned blocked_class = ~0U;  ///< The class whose receivers are never ready.
};

/// Random packets by the streams of a fabric, and what arrives.
template <int kWidth>
class Traffic {
 public:
  Traffic(StreamFabric<kWidth>& bench, std::size_t classes, bool ordered, const Load& load)
      : bench_(bench), classes_(classes), ordered_(ordered), load_(load) {
    shape_.nodes = static_cast<unsigned>(bench.streams() / classes);
    shape_.data_width = std::min(kWidth, 32);
    nodes_.resize(bench.streams());
    bench.reset_n.write(false);
    bench.edge();
    bench.reset_n.write(true);
    bench.edge();
  }

  /// Sends until `beats` have been accepted, then waits until all have arrived, `most` cycles in
  /// all. Returns whether all have.
  bool deliver(std::uint64_t beats, std::uint64_t most) {
    for (std::uint64_t c = 0; c < most && (accepted < beats || unfinished()); ++c) {
      cycle(accepted < beats);
    }
    return accepted >= beats && !unfinished();
  }

  std::uint64_t accepted = 0;
  std::uint64_t arrived = 0;
  std::uint64_t packets = 0;

 private:
  using Packet = std::vector<std::string>;  // The data of its beats.
  struct Node {
    RandomStream source;
    Packet sent;      // The beats that have been accepted of the packet that is being sent.
    Packet received;  // The beats that have arrived of the packet that is arriving.
  };

  bool unfinished() const {
    return arrived != accepted ||
           std::any_of(nodes_.begin(), nodes_.end(), [](const Node& n) { return n.source.left; });
  }

  void cycle(bool may_begin) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      RandomStream& source = nodes_[i].source;
      source.offer(shape_, random_, load_.pause, may_begin || source.left != 0);
      StreamSignals<kWidth>& pins = bench_.at(i);
      pins.s_tvalid.write(source.valid);
      if (source.valid) pins.s_tdata.write(data_of(source.data));
      pins.s_tlast.write(source.last());
      pins.s_tdest.write(source.dest);
      pins.m_tready.write(i % classes_ != load_.blocked_class && random_() % 4 >= load_.stall);
    }
    bench_.settle();
    for (std::size_t i = 0; i < nodes_.size(); ++i) send(i);
    for (std::size_t i = 0; i < nodes_.size(); ++i) receive(i);
    bench_.edge();
  }

  // All bytes of a beat depend on its number.
  static sc_dt::sc_bv<kWidth> data_of(std::uint32_t number) {
    sc_dt::sc_bv<kWidth> data;
    for (int low = 0; low < kWidth; low += 8) {
      data.range(low + 7, low) = number & 0xff;
      number = number >> 8 | (number * 0x9e3779b9U & 0xff000000);
    }
    return data;
  }

  void send(std::size_t i) {
    Node& node = nodes_[i];
    StreamSignals<kWidth>& pins = bench_.at(i);
    if (!node.source.valid || !pins.s_tready) return;
    ++accepted;
    node.sent.push_back(pins.s_tdata.read().to_string());
    if (node.source.last()) {
      const std::size_t to = node.source.dest * classes_ + i % classes_;
      in_flight_[{i, to}].push_back(std::move(node.sent));
      node.sent.clear();
    }
    node.source.accepted();
  }

  void receive(std::size_t i) {
    Node& node = nodes_[i];
    StreamSignals<kWidth>& pins = bench_.at(i);
    if (!pins.m_tvalid || !pins.m_tready) return;
    ++arrived;
    node.received.push_back(pins.m_tdata.read().to_string());
    if (!pins.m_tlast) return;
    std::deque<Packet>& due = in_flight_[{pins.m_tid * classes_ + i % classes_, i}];
    const auto found = std::find(due.begin(), due.end(), node.received);
    INFO("stream " << i << ", a packet of " << node.received.size() << " beats from node "
                   << pins.m_tid);
    REQUIRE(found != due.end());
    if (ordered_) REQUIRE(found == due.begin());
    due.erase(found);
    node.received.clear();
    ++packets;
  }

  StreamFabric<kWidth>& bench_;
  const std::size_t classes_;
  const bool ordered_;
  const Load load_;
  RandomStream::Shape shape_;
  std::vector<Node> nodes_;
  std::map<std::pair<std::size_t, std::size_t>, std::deque<Packet>> in_flight_;
  std::mt19937 random_{3};
};

/// Sends random packets and checks that all arrive, that nothing is left, and that no rule of a
/// stream is broken: an error would throw.
template <int kWidth>
void check_delivery(RoutedNetwork network, const NetworkParams& params, bool ordered,
                    std::uint64_t beats, const Load& load = {},
                    const std::vector<ExternalSlot>& external = {}) {
  const std::size_t classes = network.routing->message_classes();
  StreamFabric<kWidth> bench(std::move(network), params, {}, external);
  Traffic<kWidth> traffic(bench, classes, ordered, load);
  CHECK(traffic.deliver(beats, beats * 10));
  CHECK(traffic.packets == bench.fabric().totals().packets_delivered);
  for (int c = 0; c < 300; ++c) bench.edge();
  CHECK_NOTHROW(bench.fabric().audit());
  CHECK(bench.fabric().inspection()->deliveries_due() == 0);
}

}  // namespace

TEST_CASE("streams deliver every packet once, whole and in order of its class", "[network]") {
  check_delivery<32>(two_classes({4, 4}), mesh_params(2), true, FLITCAST_BEATS);
}

#if FLITCAST_BEATS <= 100'000
TEST_CASE("streams deliver all with hasty, slow and never pausing nodes", "[network]") {
  const Load load = GENERATE(Load{0, 0}, Load{0, 3}, Load{3, 0});
  check_delivery<32>(mesh_network({4, 4}, 2), mesh_params(2, GENERATE(1U, 3U)), false, 20'000,
                     load);
}

TEST_CASE("streams carry beats of 8 and of 136 bits", "[network]") {
  check_delivery<8>(two_classes({2, 2}), mesh_params(2), true, 5'000);
  testing::install_fresh_kernel();
  check_delivery<136>(two_classes({2, 2}), mesh_params(2), true, 5'000);
}

TEST_CASE("streams deliver through routers that store whole packets", "[network]") {
  NetworkParams params = mesh_params(2);
  params.cores = &packet_cores();
  check_delivery<32>(two_classes({3, 3}), params, true, 10'000);
}

TEST_CASE("streams deliver through a router with pins", "[network]") {
  const RoutedNetwork network = two_classes({3, 3});
  const ExternalSlot slot{RouterId{4},
                          [&](const sc_core::sc_module_name& name, const pins::Site& site) {
                            return pins_router(name, site, *network.routing);
                          }};
  check_delivery<32>(two_classes({3, 3}), mesh_params(2), true, 10'000, {}, {slot});
}

TEST_CASE("a class whose receivers are never ready holds up no other", "[network]") {
  StreamFabric<32> bench(two_classes({3, 3}), mesh_params(2));
  Traffic<32> traffic(bench, 2, true, {1, 1, 0});
  CHECK_FALSE(traffic.deliver(20'000, 10'000));
  CHECK(traffic.arrived > 9'000);
  CHECK_NOTHROW(bench.fabric().audit());
}

TEST_CASE("a stream and a terminal exchange bytes", "[network]") {
  StreamFabric<32> bench(mesh_network({2, 2}, 2), mesh_params(2));
  Terminal& terminal = bench.fabric().terminal(NodeId{1});
  StreamSignals<32>& pins = bench.at(2);
  pins.m_tready.write(true);
  bench.edge();
  terminal.send({NodeId{2}, 3}, {1, 2, 3, 4, 5});
  std::vector<unsigned> beats;
  while (beats.size() < 3) {
    bench.edge();
    if (!pins.m_tvalid) continue;
    beats.push_back(pins.m_tdata.read().to_uint());
    CHECK(pins.m_tid == 1);
    CHECK(pins.m_tlast == (beats.size() == 3));
  }
  CHECK(beats == std::vector<unsigned>{0x04030201, 5, 0});
}

TEST_CASE("a packet of a stream is created in the cycle of the edge that accepts its last beat",
          "[network]") {
  StreamFabric<32> bench(mesh_network({2, 2}, 2), mesh_params(2));
  StreamSignals<32>& pins = bench.at(0);
  bench.edge();
  pins.s_tvalid.write(true);
  pins.s_tdest.write(3);
  bench.edge();
  pins.s_tlast.write(true);
  const Cycle last = bench.fabric().now();
  bench.edge();
  pins.s_tvalid.write(false);
  std::vector<Packet> created;
  bench.fabric().for_each_packet([&](const Packet& packet) { created.push_back(packet); });
  REQUIRE(created.size() == 1);
  CHECK(created.front().created == last);
  CHECK(created.front().injected == last);
  CHECK(created.front().length == 2);
}

TEST_CASE("a stream whose store is full is not ready, and a longer packet never leaves",
          "[network]") {
  StreamParams streams;
  streams.max_flits = 4;
  StreamFabric<32> bench(mesh_network({2, 2}, 2), mesh_params(2), streams);
  const testing::Silenced length("/flitcast/stream/length");
  StreamSignals<32>& pins = bench.at(0);
  bench.edge();
  pins.s_tvalid.write(true);
  for (unsigned beat = 0; beat < 6; ++beat) {
    CHECK(pins.s_tready);
    bench.edge();
  }
  for (unsigned cycle = 0; cycle < 50; ++cycle) {
    CHECK_FALSE(pins.s_tready);
    bench.edge();
  }
  CHECK(length.count() > 0);
  CHECK(bench.fabric().totals().packets_created == 0);
}

TEST_CASE("a store of as many whole packets as it may have is full", "[network]") {
  StreamParams streams;
  streams.store_packets = 2;
  NetworkParams params = mesh_params(2);
  params.startup = 10;  // No flit leaves before.
  StreamFabric<32> bench(mesh_network({2, 2}, 2), params, streams);
  StreamSignals<32>& pins = bench.at(0);
  bench.edge();
  pins.s_tvalid.write(true);
  pins.s_tlast.write(true);
  for (unsigned packet = 0; packet < 2; ++packet) {
    CHECK(pins.s_tready);
    bench.edge();
  }
  for (unsigned cycle = 1; cycle < 11; ++cycle) {
    CHECK_FALSE(pins.s_tready);
    bench.edge();
  }
  CHECK(pins.s_tready);
}

TEST_CASE("a packet to a node that the network does not have is reported and lost", "[network]") {
  StreamFabric<32> bench(mesh_network({2, 2}, 2), mesh_params(2));
  StreamSignals<32>& pins = bench.at(0);
  bench.edge();
  pins.s_tvalid.write(true);
  pins.s_tlast.write(true);
  pins.s_tdest.write(4);
  const testing::Silenced packet("/flitcast/terminal/packet");
  bench.edge();
  CHECK(packet.count() == 1);
  CHECK(bench.fabric().totals().packets_created == 0);
  pins.s_tdest.write(3);
  bench.edge();
  CHECK(bench.fabric().totals().packets_created == 1);
}

TEST_CASE("a packet to an unknown node is one error, in the name of the terminal", "[network]") {
  StreamFabric<32> bench(mesh_network({2, 2}, 2), mesh_params(2));
  StreamSignals<32>& pins = bench.at(0);
  bench.edge();
  pins.s_tvalid.write(true);
  pins.s_tlast.write(true);
  pins.s_tdest.write(4);
  CHECK_THROWS_WITH(bench.edge(), Contains("fabric.terminal_0: a packet to node 4"));
}

TEST_CASE("a stream that breaks a rule is reported at its terminal", "[network]") {
  StreamFabric<32> bench(mesh_network({2, 2}, 2), mesh_params(2));
  bench.reset_n.write(false);
  bench.edge();
  bench.reset_n.write(true);
  bench.at(1).s_tvalid.write(true);
  CHECK_THROWS_WITH(bench.edge(), Contains("stream_1.checker: tvalid is high at the first edge"));
}

TEST_CASE("a stream with parameters out of their ranges is refused", "[network]") {
  const RoutedNetwork network = two_classes({2, 2});
  Fabric fabric("fabric", *network.topology, *network.routing, mesh_params(2));
  const auto refused = [&](std::uint32_t node, const StreamParams& params) {
    try {
      const StreamTerminal<32> stream("stream", fabric, NodeId{node}, params);
    } catch (const sc_core::sc_report& report) {
      return std::string(report.get_msg());
    }
    return std::string();
  };
  StreamParams params;
  CHECK_THAT(refused(4, params), Contains("stream: a stream needs a node of the network"));
  params.max_flits = 0;
  CHECK_THAT(refused(3, params), Contains("a packet of 0 flits"));
  params.max_flits = 100'000;
  CHECK_THAT(refused(3, params), Contains("a packet of 100000 flits"));
  params = {};
  params.message_class = 2;
  CHECK_THAT(refused(3, params), Contains("message class 2; the network has 2"));
  params = {};
  params.store_flits = 15;
  CHECK_THAT(refused(3, params), Contains("store_flits must be at least max_flits"));
  params = {};
  params.store_packets = 0;
  CHECK_THAT(refused(3, params), Contains("store_packets must be at least 1"));
  params = {};
  const StreamTerminal<32> first("first", fabric, NodeId{3}, params);
  CHECK_THAT(refused(3, params), Contains("another receiver of this message class"));
  fabric.terminal(NodeId{2}).listen(1);
  CHECK_THAT(refused(2, params), Contains("another receiver of this message class"));
  CHECK_THROWS_WITH(fabric.terminal(NodeId{3}).listen(1), Contains("a stream"));
  params.message_class = 1;
  const StreamTerminal<32> second("second", fabric, NodeId{3}, params);
}

TEST_CASE("a stream with another clock than its fabric is reported", "[network]") {
  const RoutedNetwork network = mesh_network({2, 2}, 2);
  Fabric fabric("fabric", *network.topology, *network.routing, mesh_params(2));
  sc_core::sc_signal<bool> clock("clock"), other("other"), reset_n("reset_n");
  StreamTerminal<32> stream("stream", fabric, NodeId{0});
  StreamSignals<32> pins("pins");
  pins.bind(stream);
  fabric.clk_i(clock);
  SECTION("another clock") {
    fabric.rst_ni(reset_n);
    stream.clk_i(other);
  }
  SECTION("no reset of the fabric") { stream.clk_i(clock); }
  stream.rst_ni(reset_n);
  CHECK_THROWS_WITH(sc_core::sc_start(1, sc_core::SC_NS),
                    Contains("stream: clk_i and rst_ni must be those of the fabric"));
}
#endif
