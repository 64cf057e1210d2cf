// SPDX-License-Identifier: Apache-2.0
#include "network/catalog.h"

#include <nlohmann/json.hpp>

#include "clos/catalog.h"
#include "network/circuit/circuit_params.h"

namespace flitcast {

namespace {

void make_wormhole(const Section& router, const RouterContext&, NetworkParams& params) {
  params.router.synchronous_copies = router.text("copies") == "synchronous";
}

void make_virtual_cut_through(const Section& router, const RouterContext& context,
                              NetworkParams& params) {
  make_wormhole(router, context, params);
  params.router.whole_packet_credit = true;
}

std::vector<Param> copies_param() {
  Param copies{"copies", Param::Type::kChoice, "asynchronous", "",
               "Multicast: a flit leaves by each of its outputs when it can, or by all at once."};
  copies.choices = {"asynchronous", "synchronous"};
  return {copies};
}

void make_store_and_forward(const Section& router, const RouterContext& context,
                            NetworkParams& params) {
  params.router.store_and_forward = true;
  params.priority = find(queue_priorities(), router.text("priority"))
                        ->make(router, {context.topology, context.seed});
}

void make_circuit(const Section& router, const RouterContext& context, NetworkParams& params) {
  const auto cycles = [&](const char* key) {
    return static_cast<std::uint32_t>(router.integer(key));
  };
  params.circuit = std::make_shared<CircuitParams>();
  params.circuit->request_cycles = cycles("request_cycles");
  params.circuit->configuration_cycles = cycles("configuration_cycles");
  params.circuit->stage_cycles = cycles("stage_cycles");
  params.circuit->teardown_cycles = cycles("teardown_cycles");
  params.circuit->controller = router.text("controller");
  params.circuit->when_blocked =
      router.text("when_blocked") == "drop" ? WhenBlocked::kDrop : WhenBlocked::kRetry;
  params.circuit->seed = context.seed;
}

std::vector<Param> circuit_params() {
  using Type = Param::Type;
  constexpr double kMostCycles = 4095;
  std::vector<Param> params = menu_params(
      {"controller", Type::kChoice, "par_adder", "", "Design of the controller: its clocks."},
      clos::controllers());
  Param when_blocked{"when_blocked", Type::kChoice, "retry", "",
                     "A request that finds no path: again after the next release, or given up."};
  when_blocked.choices = {"retry", "drop"};
  params.push_back(when_blocked);
  params.push_back({"request_cycles", Type::kInteger, 1, "cycles", "From a node to the controller.",
                    0, kMostCycles});
  params.push_back({"configuration_cycles", Type::kInteger, 1, "cycles",
                    "Writing the crossbars of a path.", 0, kMostCycles});
  params.push_back({"stage_cycles", Type::kInteger, 1, "cycles",
                    "Through a crossbar and the link behind it.", 1, kMostCycles});
  params.push_back({"teardown_cycles", Type::kInteger, 1, "cycles",
                    "From the last arrival until ports and links are idle.", 0, kMostCycles});
  return params;
}

std::vector<Param> store_and_forward_params() {
  return menu_params({"priority", Param::Type::kChoice, "fifo", "",
                      "Which packet of an output's queue leaves first."},
                     queue_priorities());
}

}  // namespace

const Catalog<CatalogEntry<RouterMaker>>& routers() {
  static const Catalog<CatalogEntry<RouterMaker>> catalog{
      {"wormhole", "A head moves on as soon as the next buffer has room for a flit.",
       copies_param(), make_wormhole},
      {"virtual_cut_through",
       "A head moves on as soon as the next buffer has room for its whole packet.", copies_param(),
       make_virtual_cut_through},
      {"store_and_forward",
       "A packet moves on when all of it has arrived; a queue per output, buffers in packets.",
       store_and_forward_params(), make_store_and_forward},
      {"circuit",
       "No buffers: a central controller sets the crossbars of a Clos network, then flits stream.",
       circuit_params(), make_circuit},
  };
  return catalog;
}

}  // namespace flitcast
