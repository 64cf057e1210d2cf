// SPDX-License-Identifier: Apache-2.0
// A user's router: a wormhole router that is clocked at half the rate of its links.
#include "extension.h"
#include "flitcast/network/fabric/make_partitions.h"
#include "flitcast/router/multicast_core.h"
#include "flitcast/router/wormhole_core.h"

namespace {

using namespace flitcast;

/// Makes decisions in even cycles only; flits that arrive in odd cycles wait in their buffer.
template <int kWords>
class HalfClockCore : public WormholeCore<kWords> {
 public:
  using WormholeCore<kWords>::WormholeCore;

  template <class Host>
  bool tick(Host& host, std::uint64_t now) {
    return now % 2 == 1 || WormholeCore<kWords>::tick(host, now);
  }
};

const RouterCores& half_clock_cores() {
  static const RouterCores cores =
      cores_of<HalfClockCore, MulticastCore>(flit_cores().find_deadlock);
  return cores;
}

}  // namespace

flitcast::RouterEntry half_clock_router() {
  return fabric_entry(
      {"half_clock", "A wormhole router at half the clock of its links.", {}, nullptr},
      half_clock_cores(), [](const Section&, const RouterContext&, NetworkParams& params) {
        params.cores = &half_clock_cores();
      });
}
