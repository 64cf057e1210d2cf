// SPDX-License-Identifier: Apache-2.0
#include "soak/variants.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "network/fabric/fabric.h"
#include "network/fabric_run.h"
#include "network/pins/structural_network.h"
#include "router/bit_mask.h"
#include "sim/workloads/permutation.h"

namespace flitcast {

namespace {

bool is_fabric(const Model& model) { return model.network.can.has_buffers; }

std::unique_ptr<Network> make_behind_pins(const NetworkParts& parts) {
  std::vector<ExternalSlot> slots;
  for (std::uint32_t r = 0; r < parts.topology.router_count(); ++r) {
    slots.push_back({RouterId{r}, [&parts](const auto& name, const pins::Site& place) {
                       return pins_router(name, place, *parts.routing);
                     }});
  }
  return std::make_unique<Fabric>("fabric", parts.topology, *parts.routing, parts.source,
                                  parts.params, parts.probes, slots);
}

/// True for a permutation on stored packets, which compares queues that modules with pins do not
/// count.
bool compares_queues(const Model& model) {
  return model.network.can.unit == BufferUnit::kPacket &&
         dynamic_cast<const PermutationWorkload*>(model.workload.get()) != nullptr;
}

/// Modules with pins have at most 64 virtual channels a side and no options, and run in one thread.
bool fits_behind_pins(const Model& model) {
  constexpr std::size_t kMostVcs = 64;
  const RouterParams& router = model.network.params.router;
  const Topology& topology = model.topology();
  std::size_t ports = 0;
  for (std::uint32_t r = 0; r < topology.router_count(); ++r) {
    ports =
        std::max({ports, topology.input_count(RouterId{r}), topology.output_count(RouterId{r})});
  }
  return is_fabric(model) && !compares_queues(model) && model.network.params.threads == 1 &&
         !router.options.any() && ports << detail::log2_ceil(router.virtual_channels) <= kMostVcs;
}

void put_behind_pins(Model& model) {
  static RouterEntry behind_pins = *model.network.router;
  behind_pins.make = make_behind_pins;
  model.network.router = &behind_pins;
}

const Implementation& pins_implementation() { return *find(implementations(), "pins"); }

bool fits_pins(const Model& model) {
  const NetworkPlan& network = model.network;
  return network.can.has_buffers &&
         pins::StructuralNetwork::problems(*network.topology, network.params).empty();
}

void put_into_pins(Model& model) { model.network.implementation = &pins_implementation(); }

}  // namespace

const std::vector<RunVariant>& run_variants() {
  static const std::vector<RunVariant> all{
      {"plain", [](const Model&) { return true; }, [](Model&) {}},
      {"two threads", is_fabric, [](Model& model) { model.network.params.threads = 2; }},
      {"broken", [](const Model&) { return std::getenv("FLITCAST_SOAK_BREAK") != nullptr; },
       [](Model& model) { model.network.params.link_latency += 1; }},
      {"no sleep", is_fabric, [](Model& model) { model.network.params.sleep = false; }},
      {"random order", is_fabric, [](Model& model) { model.network.params.shuffle_seed = 7; }},
      {"behind pins",
       fits_behind_pins,
       put_behind_pins,
       {"/flits/hops", "/links", "/buffers", "/series"}},
      {"wholly with pins", fits_pins, put_into_pins, {}, 2e5},
  };
  return all;
}

}  // namespace flitcast
