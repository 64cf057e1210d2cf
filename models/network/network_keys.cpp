// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "base/sequences.h"
#include "config/wording.h"
#include "network/router_entry.h"
#include "topology/channel_classes.h"

namespace flitcast {
namespace {

constexpr double kLongestLink = 1e6;
constexpr double kSlowestLink = 1024;

Param cycles(const char* key, int fallback, const char* help, double least, double most) {
  return Param::integer(key, "cycles", help, least, most).defaults_to(fallback);
}

std::uint32_t natural(const Section& section, const std::string& key) {
  return static_cast<std::uint32_t>(section.integer(key));
}

Param buffer_depth(const char* unit) {
  return Param::integer("buffer_depth", unit,
                        "Buffer of every virtual channel, unless link.classes says otherwise.", 1,
                        65535)
      .defaults_to(8);
}

std::vector<Param> common_router_params() {
  return {
      Param::integer("virtual_channels", "", "Virtual channels of every port.", 1, 32)
          .defaults_to(4),
      buffer_depth("flits"),
      buffer_depth("packets"),
      cycles("pipeline.route", 1, "Route computation; 0 is look-ahead.", 0, 8),
      cycles("pipeline.vc_allocation", 1, "Allocation of virtual channels.", 0, 8),
      cycles("pipeline.switch_allocation", 1, "Allocation of the switch.", 1, 8),
      cycles("pipeline.traversal", 1, "Passage through the switch.", 0, 8),
  };
}

}  // namespace

std::vector<Param> router_keys() {
  std::vector<Param> params =
      catalog_params(Param::choice("kind", "When a packet may move on to the next router.")
                         .defaults_to(routers()[0].name),
                     routers());
  for (Param& param : common_router_params()) {
    param.when = {"kind", names_where(routers(), [&](const RouterEntry& entry) {
                    const bool packets = entry.can.unit == BufferUnit::kPacket;
                    return entry.can.has_buffers && param.unit != (packets ? "flits" : "packets");
                  })};
    params.push_back(std::move(param));
  }
  return params;
}

std::vector<Param> link_keys() {
  return concatenated<Param>(
      {{cycles("latency", 1, "Flight of a flit.", 1, kLongestLink),
        cycles("credit_latency", 1, "Flight of a credit; 0: that of a flit on the same channel.", 0,
               kLongestLink),
        Param::integer("cycles_per_flit", "cycles per flit",
                       "From one flit to the next; on the channels from routers to nodes, too.", 1,
                       kSlowestLink)
            .defaults_to(1)},
       channel_params()});
}

NetworkParams network_params(const Configuration& configuration) {
  const Section& router = configuration.section("router");
  const Section& link = configuration.section("link");
  NetworkParams params;
  if (router_of(configuration).can.has_buffers) {
    params.router.virtual_channels = natural(router, "virtual_channels");
    params.router.buffer_depth = natural(router, "buffer_depth");
    params.router.pipeline = {
        natural(router, "pipeline.route"), natural(router, "pipeline.vc_allocation"),
        natural(router, "pipeline.switch_allocation"), natural(router, "pipeline.traversal")};
  }
  params.link_latency = natural(link, "latency");
  params.credit_latency = natural(link, "credit_latency");
  params.cycles_per_flit = natural(link, "cycles_per_flit");
  params.router.multicast = false;  // A routing may set it later.
  params.seed = configuration.seed();
  return params;
}

}  // namespace flitcast
