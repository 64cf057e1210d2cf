// SPDX-License-Identifier: Apache-2.0
// A fabric with a faulty module in place of a router: what its audit sees.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "network/broadcasts.h"
#include "network/fabric_run.h"
#include "router/invariant.h"
#include "support/collected_errors.h"
#include "support/test_catch.h"

using namespace flitcast;
using Catch::Contains;

namespace {

/// Takes every flit, returns its credit, and sends nothing. Keeps the reset that each edge samples.
class Swallower : public pins::Router {
 public:
  Swallower(const sc_core::sc_module_name& name, const pins::Site& site, std::vector<bool>& resets)
      : Router(name, site.inputs, site.outputs), resets_(resets) {
    SC_HAS_PROCESS(Swallower);
    SC_METHOD(on_clock);
    sensitive << clk_i.pos();
    dont_initialize();
  }

 private:
  void on_clock() {
    resets_.push_back(!rst_ni.read());
    for (std::size_t port = 0; port < in_valid_i.size(); ++port) {
      in_credit_valid_o[port].write(in_valid_i[port].read());
      in_credit_vc_o[port].write(in_vc_i[port].read());
    }
  }
  std::vector<bool>& resets_;
};

/// A router that keeps the credits of some inputs and VCs.
class Miser : public pins::Router {
 public:
  using Keeps = std::function<bool(unsigned port, unsigned vc)>;
  Miser(const sc_core::sc_module_name& name, const pins::Site& site, const Routing& routing,
        Keeps keeps)
      : Router(name, site.inputs, site.outputs),
        router_(pins_router("router", site, routing)),
        valid_("valid", site.inputs),
        vc_("vc", site.inputs),
        keeps_(std::move(keeps)) {
    router_->clk_i(clk_i);
    router_->rst_ni(rst_ni);
    router_->in_valid_i(in_valid_i);
    router_->in_vc_i(in_vc_i);
    router_->in_flit_i(in_flit_i);
    router_->in_credit_valid_o(valid_);
    router_->in_credit_vc_o(vc_);
    router_->out_valid_o(out_valid_o);
    router_->out_vc_o(out_vc_o);
    router_->out_flit_o(out_flit_o);
    router_->out_credit_valid_i(out_credit_valid_i);
    router_->out_credit_vc_i(out_credit_vc_i);
    SC_HAS_PROCESS(Miser);
    SC_METHOD(pass_credits);
    for (auto& valid : valid_) sensitive << valid;
    for (auto& vc : vc_) sensitive << vc;
  }

 private:
  void pass_credits() {
    for (unsigned port = 0; port < valid_.size(); ++port) {
      const unsigned vc = vc_[port].read();
      in_credit_valid_o[port].write(valid_[port].read() && !keeps_(port, vc));
      in_credit_vc_o[port].write(vc);
    }
  }

  const std::unique_ptr<pins::Router> router_;
  sc_core::sc_vector<sc_core::sc_signal<bool>> valid_;
  sc_core::sc_vector<sc_core::sc_signal<unsigned>> vc_;
  const Keeps keeps_;
};

/// Drives the same values on some pins in every cycle out of reset.
class Babbler : public pins::Router {
 public:
  Babbler(const sc_core::sc_module_name& name, const pins::Site& site,
          std::function<void(Babbler&)> drive)
      : Router(name, site.inputs, site.outputs), drive_(std::move(drive)) {
    SC_HAS_PROCESS(Babbler);
    SC_METHOD(on_clock);
    sensitive << clk_i.pos();
    dont_initialize();
  }

 private:
  void on_clock() {
    if (rst_ni.read()) drive_(*this);
  }
  const std::function<void(Babbler&)> drive_;
};

NetworkParams two_vcs() {
  NetworkParams params;
  params.router.virtual_channels = 2;
  params.router.buffer_depth = 4;
  return params;
}

/// The fabric of a row of three nodes with a module in place of the router in the middle.
struct Row {
  explicit Row(const PinsRouterMaker& make)
      : fabric("fabric", *network.topology, *network.routing, two_vcs(), {},
               {{RouterId{1}, make}}) {}
  void send(unsigned packets) {
    for (unsigned p = 0; p < packets; ++p) fabric.terminal(NodeId{0}).send({NodeId{2}, 1});
  }

  const RoutedNetwork network = mesh_network({3}, 2);
  Fabric fabric;
};

}  // namespace

TEST_CASE("an external router is in reset until just before the first flit can arrive",
          "[network]") {
  std::vector<bool> resets;
  Row row([&](const auto& name, const pins::Site& site) {
    return std::make_unique<Swallower>(name, site, resets);
  });
  sc_core::sc_start(5, sc_core::SC_NS);
  CHECK(resets == std::vector<bool>{true, true, false, false, false});
}

TEST_CASE("a reset of the fabric resets an external router as at the start", "[network]") {
  std::vector<bool> resets;
  Row row([&](const auto& name, const pins::Site& site) {
    return std::make_unique<Swallower>(name, site, resets);
  });
  sc_core::sc_signal<bool> reset("reset", true);
  row.fabric.rst_ni(reset);
  sc_core::sc_start(5, sc_core::SC_NS);
  reset = false;
  sc_core::sc_start(3, sc_core::SC_NS);  // The edge of 5 ns samples the value from before.
  reset = true;
  sc_core::sc_start(4, sc_core::SC_NS);
  // Low at the edges of 6, 7 and 8 ns. Cycle 6 is run at the edge of 9 ns.
  CHECK(row.fabric.now() == Cycle{9});
  CHECK(resets == std::vector<bool>{true, true, false, false, false, false, false, true, true, true,
                                    true, false});
}

TEST_CASE("an external router that swallows flits does not pass the audit", "[network]") {
  std::vector<bool> resets;
  Row row([&](const auto& name, const pins::Site& site) {
    return std::make_unique<Swallower>(name, site, resets);
  });
  SECTION("in traffic") {
    row.send(100);
    sc_core::sc_start(100, sc_core::SC_NS);
  }
  SECTION("one flit, at rest") {
    row.send(1);
    sc_core::sc_start(200, sc_core::SC_NS);
  }
  CHECK_THROWS_WITH(row.fabric.audit(), Contains("router 1") && Contains("lost"));
}

TEST_CASE("credits that an external router keeps do not pass the audit at rest", "[network]") {
  const unsigned vc = GENERATE(0U, 1U);
  const RoutedNetwork network = mesh_network({3}, 2);
  const std::vector<Channel>& channels = network.topology->channels();
  const Channel channel = *std::find_if(channels.begin(), channels.end(), [](const Channel& one) {
    return index(one.from.router) == 0;
  });
  Row row([&](const auto& name, const pins::Site& site) {
    return std::make_unique<Miser>(name, site, *network.routing,
                                   [port = index(channel.to.port), vc](unsigned p, unsigned v) {
                                     return p == port && v == vc;
                                   });
  });
  row.send(GENERATE(8U, 32U));
  sc_core::sc_start(400, sc_core::SC_NS);
  const std::string where =
      "router 1 port " + std::to_string(index(channel.to.port)) + ", VC " + std::to_string(vc);
  CHECK_THROWS_WITH(row.fabric.audit(), Contains(where) && Contains("credits"));
  CHECK_THROWS_WITH(sc_core::sc_stop(), Contains("fabric") && Contains(where));
}

TEST_CASE("a credit of a multicast that an external router keeps does not pass the audit at rest",
          "[network]") {
  constexpr unsigned kNodes = 8;
  const RoutedNetwork network = broadcast_network(3, kNodes);
  NetworkParams params;
  params.router.virtual_channels = kNodes;
  ScriptSource source(kNodes);
  PacketRequest broadcast{NodeId{0}, 1};
  broadcast.receivers = kNodes - 1;
  source.add(Cycle{0}, NodeId{0}, broadcast);
  const bool keeps = GENERATE(false, true);
  const PinsRouterMaker make = [&](const auto& name, const pins::Site& site) {
    return std::make_unique<Miser>(name, site, *network.routing,
                                   [keeps](unsigned, unsigned) { return keeps; });
  };
  Fabric fabric("fabric", *network.topology, *network.routing, source, params, {},
                {{RouterId{1}, make}});
  fabric.run(500);
  REQUIRE(fabric.totals().packets_delivered == kNodes - 1);
  if (keeps) {
    CHECK_THROWS_WITH(fabric.audit(), Contains("router 1") && Contains("1 of 8 have not returned"));
  } else {
    CHECK_NOTHROW(fabric.audit());
  }
}

TEST_CASE("an external router that uses a VC or a credit that does not exist is reported",
          "[network]") {
  const auto [text, drive] = GENERATE(table<std::string, std::function<void(Babbler&)>>({
      {"no such virtual channel (port 1, VC 7)",
       [](Babbler& router) {
         router.in_credit_valid_o[1].write(true);
         router.in_credit_vc_o[1].write(7);
       }},
      {"no such virtual channel (port 1, VC 2)",
       [](Babbler& router) {
         router.out_valid_o[1].write(true);
         router.out_vc_o[1].write(2);
       }},
      {"credit that no flit has taken (port 1, VC 1)",
       [](Babbler& router) {
         router.in_credit_valid_o[1].write(true);
         router.in_credit_vc_o[1].write(1);
       }},
  }));
  Row row([&drive = drive](const auto& name, const pins::Site& site) {
    return std::make_unique<Babbler>(name, site, drive);
  });
  if (GENERATE(true, false)) {
    CHECK_THROWS_WITH(sc_core::sc_start(10, sc_core::SC_NS),
                      Contains("fabric.bridge_1") && Contains(text));
  } else {
    const testing::CollectedErrors errors;
    sc_core::sc_start(100, sc_core::SC_NS);
    REQUIRE(errors.texts().size() == 1);
    CHECK_THAT(errors.texts()[0], Contains("fabric.bridge_1") && Contains(text));
  }
}

TEST_CASE("an external router that leaves out a flit of a packet to a node is reported",
          "[network]") {
  const RoutedNetwork network = mesh_network({3}, 2);
  const unsigned port = index(network.topology->attachment(NodeId{1}).ejection.port);
  const unsigned second = GENERATE(1U, 2U);  // The flits that remain after the second flit.
  unsigned sent = 0;
  Row row([&](const auto& name, const pins::Site& site) {
    return std::make_unique<Babbler>(name, site, [&](Babbler& router) {
      Flit flit;
      flit.destination = NodeId{1};
      flit.head = sent == 0;
      flit.remaining = static_cast<std::uint16_t>(sent == 0 ? 3 : second);
      router.out_valid_o[port].write(sent < 2);
      router.out_flit_o[port].write(flit);
      ++sent;
    });
  });
  if (second == 2) {
    CHECK_NOTHROW(sc_core::sc_start(10, sc_core::SC_NS));
  } else {
    CHECK_THROWS_WITH(sc_core::sc_start(10, sc_core::SC_NS),
                      Contains("fabric: flit out of order at a node (port 0, VC 0)"));
  }
}

TEST_CASE("a fabric that has failed is idle where errors do not throw", "[network]") {
  struct Failing : SilentSource {
    Cycle first(NodeId node) override { return Cycle{10 * index(node)}; }
    Cycle create(NodeId, Cycle now, std::vector<PacketRequest>&) override {
      ++calls;
      return now;
    }
    unsigned calls = 0;
  } source;
  const RoutedNetwork network = mesh_network({3}, 2);
  NetworkParams params = two_vcs();
  params.lockstep = true;
  Fabric fabric("fabric", *network.topology, *network.routing, source, params);
  const testing::CollectedErrors errors;
  sc_core::sc_start(100, sc_core::SC_NS);
  CHECK(fabric.now() == Cycle{100});
  REQUIRE(errors.texts().size() == 1);
  CHECK_THAT(errors.texts()[0], Contains("fabric: a source asked to be called again in the past"));
  CHECK(source.calls == 1);  // Node 0 in cycle 0; nodes 1 and 2 want calls in cycles 10 and 20.
}

TEST_CASE("a fabric with sound modules passes the audit in every cycle and at the end",
          "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  NetworkParams params = two_vcs();
  if (GENERATE(false, true)) params.cores = &packet_cores();
  std::vector<ExternalSlot> all;
  for (std::uint32_t r = 0; r < 9; ++r) all.push_back(pins_slot(network, r));
  FabricRun run("fabric", network, params, {20, 4, 3}, all);
  for (int cycle = 0; cycle < 600; ++cycle) {
    run.fabric->run(1);
    REQUIRE_NOTHROW(run.fabric->audit());
  }
  REQUIRE(run.drained());
  CHECK_NOTHROW(sc_core::sc_stop());
}
