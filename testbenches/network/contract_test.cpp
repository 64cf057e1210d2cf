// SPDX-License-Identifier: Apache-2.0
// Requirements that every kind of router of the catalog meets for all sources of packets.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "clos/catalog.h"
#include "network/circuit/packet_admission.h"
#include "network/circuit/timed_admission.h"
#include "network/networks.h"
#include "network/router_entry.h"
#include "network/sources.h"
#include "support/examples_of.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"
#include "topology/clos.h"

using namespace flitcast;

namespace {

/// Nodes that send a finite number of packets to each other, in bursts, so that flits block each
/// other at random.
constexpr FiniteTraffic::Params kSpurts{40, 6, 9};

/// A network of routers of one kind and its traffic: on a Clos topology under central control,
/// which suits all kinds, or on a mesh, which suits the kinds with buffers.
class KindRun {
 public:
  KindRun(const RouterEntry& entry, const std::string& example, bool on_mesh)
      : mesh_(mesh_network({3, 3}, 1)),
        groups_(clos_.node_count()),
        nodes_(on_mesh ? mesh_.topology->node_count() : clos_.node_count()),
        traffic_(nodes_, kSpurts) {
    const Topology& topology = on_mesh ? *mesh_.topology : static_cast<const Topology&>(clos_);
    params_.router.virtual_channels = 1;
    params_.full_hierarchy = false;
    entry.configure(example_of(entry, "router.kind", example), {topology, 1}, params_);
    if (on_mesh) {
      network = entry.make({topology, params_, traffic_, mesh_.routing.get(), nullptr, {&probe}});
      return;
    }
    control_ = std::make_shared<PacketAdmission>(
        clos_, groups_, strategy_factory(find(clos::strategies(), "S1")->make, {}, 1),
        std::vector<clos::AdmissionParams>{}, 1);
    if (entry.can.has_buffers) params_.admission = control_;
    const Routing* const routing = entry.can.has_buffers ? control_.get() : nullptr;
    network = entry.make({topology, params_, traffic_, routing, &groups_, {&probe}});
  }

  std::uint64_t due() const {
    const Totals totals = network->totals();
    return nodes_ * kSpurts.packets_per_node - totals.packets_delivered - totals.receivers_dropped;
  }
  void drain() {
    while (due() > 0 && index(network->now()) < 100000) network->run(50);
    network->run(50);  // The last credits return.
  }

  Recorder probe;

 private:
  const Clos clos_{{{2, 2}}, 3};
  const RoutedNetwork mesh_;
  DestinationGroups groups_;
  const std::size_t nodes_;
  FiniteTraffic traffic_;
  NetworkParams params_;
  std::shared_ptr<PacketAdmission> control_;

 public:
  std::unique_ptr<Network> network;
};

/// Checks that every delivered packet arrived once and at its destination, and if `in_order` after
/// all earlier packets of the same source and destination: queues may reorder packets, but never
/// flits.
void check_deliveries(const std::vector<Delivery>& deliveries, bool in_order) {
  std::map<std::pair<NodeId, NodeId>, std::vector<PacketId>> ways;
  for (const Delivery& delivery : deliveries) {
    REQUIRE(delivery.node == delivery.packet.destination);
    ways[{delivery.packet.source, delivery.node}].push_back(delivery.packet.id);
  }
  for (auto& [way, packets] : ways) {
    if (!in_order) std::sort(packets.begin(), packets.end());
    for (std::size_t p = 1; p < packets.size(); ++p) REQUIRE(packets[p - 1] < packets[p]);
  }
}

/// Returns the documented figures that the network of this test lacks: its routing combines no
/// packets, and it counts its buffers either in flits or in packets.
std::set<std::string> lacking(const std::set<std::string>& written) {
  const char* const flits = "/cost/buffer_flits";
  const char* const packets = "/cost/buffer_packets";
  return {"/reduction/combined_flits", written.count(flits) == 1 ? packets : flits};
}

/// Returns the JSON pointer of a figure in a result.
std::string pointer_of(const FigureMeaning& figure) {
  std::string pointer = "/" + figure.name;
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  return pointer;
}

/// Returns the figures that a network on a Clos topology writes after ten cycles, as JSON pointers.
std::vector<std::string> figures_of(const RouterEntry& entry, const std::string& example) {
  testing::install_fresh_kernel();
  KindRun run(entry, example, false);
  run.network->run(10);
  nlohmann::ordered_json figures;
  run.network->write_figures(figures);
  std::vector<std::string> names;
  const nlohmann::ordered_json flat = figures.flatten();
  for (const auto& figure : flat.items()) names.push_back(figure.key());
  return names;
}

}  // namespace

TEST_CASE("routers of every kind deliver every flit, in order, whatever stalls",
          "[network][contract]") {
  for (const RouterEntry& entry : routers()) {
    for (const std::string& example : examples_of(entry)) {
      for (const bool on_mesh : {false, true}) {
        if (on_mesh && !entry.can.has_buffers) continue;
        INFO(entry.name << " {" << example << "}, " << (on_mesh ? "mesh" : "clos"));
        testing::install_fresh_kernel();
        KindRun run(entry, example, on_mesh);
        run.drain();
        run.network->audit();
        const Totals totals = run.network->totals();
        CHECK(run.due() == 0);
        CHECK(totals.packets_delivered > totals.receivers_dropped);
        CHECK(totals.flits_ejected == totals.flits_injected);
        CHECK(run.network->flit_hops() > totals.flits_ejected);
        CHECK(run.network->find_deadlock().empty());
        check_deliveries(run.probe.deliveries, !on_mesh);
      }
    }
  }
}

TEST_CASE("a network writes all figures of its kind's reference and no others",
          "[network][contract]") {
  for (const RouterEntry& entry : routers()) {
    INFO(entry.name);
    std::set<std::string> meant;
    for (const FigureMeaning& figure : entry.figures) {
      CHECK_FALSE(figure.meaning.empty());
      meant.insert(pointer_of(figure));
    }
    CHECK_FALSE(meant.empty());
    std::set<std::string> written;
    for (const std::string& example : examples_of(entry)) {
      for (const std::string& name : figures_of(entry, example)) {
        INFO(example << ", " << name);
        CHECK(meant.count(name) == 1);
        written.insert(name);
      }
    }
    for (const std::string& name : meant) {
      INFO(name);
      CHECK(written.count(name) + lacking(written).count(name) == 1);
    }
  }
}
