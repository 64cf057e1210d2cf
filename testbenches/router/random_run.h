// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <random>

#include "router/neighbours.h"

namespace flitcast {

/// Random packets through one core, with random stalls on both sides.
struct RandomRun {
  RouterParams params{};
  unsigned inputs = 2;
  unsigned outputs = 2;
  unsigned seed = 1;
  unsigned packets_per_vc = 20;
  unsigned source_percent = 60;  ///< Percentage of cycles in which a source takes part.
  unsigned sink_percent = 60;
  unsigned slow_period = 1;  ///< Cycles per flit of output 0.
  bool lazy = false;

  template <int kWords, template <int> class Core = WormholeCore>
  Neighbours<kWords, Core> play() const {
    Neighbours<kWords, Core> network(params, inputs, outputs);
    network.bench.lazy = lazy;
    network.bench.core.connect_output(0, {slow_period});
    network.link_delay = 1 + seed % 3;
    network.credit_delay = 1 + seed % 2;
    std::mt19937 random(seed);
    send_packets(network, random);
    network.source_willing = [&] { return random() % 100 < source_percent; };
    network.sink_willing = [&] { return random() % 100 < sink_percent; };
    network.run(400);
    network.source_willing = network.sink_willing = [] { return true; };
    const unsigned flits = inputs * params.virtual_channels * packets_per_vc * longest();
    network.run(20 * flits);  // The limit suffices even for one flit per longest credit loop.
    return network;
  }

  unsigned longest() const {
    return params.whole_packet_credit ? std::min(6U, params.buffer_depth) : 6U;
  }

 private:
  template <int kWords, template <int> class Core>
  void send_packets(Neighbours<kWords, Core>& network, std::mt19937& random) const {
    const unsigned shortest = params.shortest_packet;
    for (unsigned input = 0; input < inputs; ++input) {
      for (unsigned vc = 0; vc < params.virtual_channels; ++vc) {
        for (unsigned packet = 0; packet < packets_per_vc; ++packet) {
          const auto output = static_cast<unsigned>(random() % outputs);
          network.send(input, vc, output,
                       shortest + static_cast<unsigned>(random()) % (longest() + 1 - shortest));
        }
      }
    }
  }
};

}  // namespace flitcast
