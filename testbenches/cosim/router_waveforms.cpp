// SPDX-License-Identifier: Apache-2.0
// Prints what crosses the pins of three wormhole routers in a line, in RTL or of the model: a row
// for each flit and each credit. scripts/waveforms commits the rows of the RTL, which the manual
// draws.
//
// usage: router_waveforms rtl|model VIRTUAL_CHANNELS BUFFER_DEPTH
// [CYCLE,SOURCE,DESTINATION,FLITS]...
//
// An input counts in the cycle that begins with the edge that samples it, an output in the cycle in
// which it is high.
//
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vrouter_in_line_1x2.h>
#include <Vrouter_in_line_1x8.h>
#include <Vrouter_in_line_2x8.h>
// clang-format on

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "cosim/rtl_wormhole_router.h"
#include "network/fabric/fabric.h"
#include "network/networks.h"
#include "network/pins/core_router.h"
#include "network/sources.h"

using namespace flitcast;

namespace {

constexpr std::uint32_t kRouters = 3;
constexpr std::uint64_t kCycles = 60;

/// A router that prints what crosses its pins.
template <class Router>
class WatchedRouter : public Router {
 public:
  template <class... More>
  WatchedRouter(const sc_core::sc_module_name& name, const pins::Site& place, const More&... more)
      : Router(name, place, more...), router_(index(place.router)) {
    SC_HAS_PROCESS(WatchedRouter);
    SC_METHOD(watch);
    this->sensitive << this->clk_i.pos();
    this->dont_initialize();
  }

 private:
  // Before the outputs change, so that they are those of the cycle that ends at the edge.
  void watch() {
    for (std::size_t port = 0; port < this->in_valid_i.size(); ++port) {
      if (this->in_valid_i[port]) {
        write_row(edge_, "in_valid_i", port, this->in_vc_i[port], &this->in_flit_i[port].read());
      }
      if (this->in_credit_valid_o[port]) {
        write_row(edge_ - 1, "in_credit_valid_o", port, this->in_credit_vc_o[port]);
      }
      if (this->out_valid_o[port]) {
        write_row(edge_ - 1, "out_valid_o", port, this->out_vc_o[port],
                  &this->out_flit_o[port].read());
      }
      if (this->out_credit_valid_i[port]) {
        write_row(edge_, "out_credit_valid_i", port, this->out_credit_vc_i[port]);
      }
    }
    ++edge_;
  }

  void write_row(unsigned cycle, const char* wire, std::size_t port, unsigned vc,
                 const Flit* flit = nullptr) const {
    std::printf("%u,%u,%s,%zu,%u,", cycle, router_, wire, port, vc);
    if (flit == nullptr) {
      std::puts(",,");
    } else {
      std::printf("%u,%u,%d\n", index(flit->packet), unsigned{flit->remaining}, int{flit->head});
    }
  }

  const std::uint32_t router_;
  unsigned edge_ = 0;
};

/// The values equal the parameters of the models in CMakeLists.txt.
RtlRouterShape shape_of(unsigned virtual_channels, unsigned buffer_depth) {
  return {{kRouters}, 2, 4, {virtual_channels, buffer_depth}};
}

/// Returns the maker of watched routers of this class; `more` must outlive it.
template <class Router, class... More>
PinsRouterMaker watched(const More&... more) {
  return [&more...](const sc_core::sc_module_name& name, const pins::Site& place) {
    return std::make_unique<WatchedRouter<Router>>(name, place, more...);
  };
}

template <class Model>
PinsRouterMaker rtl(const RtlRouterShape& shape) {
  static const bool is_reset = false;  // The fabric resets it.
  return watched<RtlWormholeRouter<Model>>(shape, is_reset);
}

/// Returns null for a word that is no kind, and for a router that has no Verilated model here.
PinsRouterMaker maker_of(const std::string& kind, const RtlRouterShape& shape,
                         const Routing& routing) {
  const unsigned vcs = shape.core.virtual_channels, depth = shape.core.buffer_depth;
  if (kind == "model") return watched<pins::WormholeRouter>(routing);
  if (kind != "rtl") return {};
  if (vcs == 1 && depth == 2) return rtl<Vrouter_in_line_1x2>(shape);
  if (vcs == 1 && depth == 8) return rtl<Vrouter_in_line_1x8>(shape);
  if (vcs == 2 && depth == 8) return rtl<Vrouter_in_line_2x8>(shape);
  return {};
}

/// Adds a packet in the form CYCLE,SOURCE,DESTINATION,FLITS; returns false for other texts.
bool add(ScriptSource& source, const char* text) {
  unsigned cycle = 0, from = 0, to = 0, flits = 0;
  if (std::sscanf(text, "%u,%u,%u,%u", &cycle, &from, &to, &flits) != 4) return false;
  if (from >= kRouters || to >= kRouters || flits == 0 || flits > 16) return false;
  source.add(Cycle{cycle}, NodeId{from}, {NodeId{to}, flits});
  return true;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  const std::string kind = argc > 1 ? argv[1] : "";
  const auto number = [&](int place) {
    return place < argc ? static_cast<unsigned>(std::strtoul(argv[place], nullptr, 10)) : 1U;
  };
  const RtlRouterShape shape = shape_of(number(2), number(3));
  const RoutedNetwork line = mesh_network({kRouters}, shape.core.virtual_channels);
  const PinsRouterMaker make = maker_of(kind, shape, *line.routing);
  ScriptSource source(kRouters);
  bool sound = make != nullptr;
  for (int place = 4; place < argc; ++place) sound = add(source, argv[place]) && sound;
  if (!sound) {
    std::fputs(
        "router_waveforms: the first words are rtl or model, and 1 2, 1 8 or 2 8; packets "
        "are CYCLE,SOURCE,DESTINATION,FLITS\n",
        stderr);
    return 2;
  }
  NetworkParams params;
  params.router = shape.core;
  params.full_hierarchy = false;
  std::vector<ExternalSlot> slots;
  for (std::uint32_t router = 0; router < kRouters; ++router) {
    slots.push_back({RouterId{router}, make});
  }
  std::puts("cycle,router,wire,port,vc,packet,remaining,head");
  Fabric fabric("line", *line.topology, *line.routing, source, params, {}, slots);
  fabric.run(kCycles);
  return 0;
}
