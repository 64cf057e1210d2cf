// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "network/pins_bench.h"

namespace flitcast {

/// A flit or a credit on the pins of a router in one cycle.
struct Beat {
  unsigned cycle = 0;
  bool credit = false;
  unsigned port = 0;
  unsigned vc = 0;
  Flit flit{};
};

inline Beat flit_beat(unsigned cycle, unsigned port, unsigned vc, const Flit& flit) {
  return {cycle, false, port, vc, flit};
}
inline Beat credit_beat(unsigned cycle, unsigned port, unsigned vc) {
  return {cycle, true, port, vc, {}};
}

/// A wrong use of router 1 in a line of four nodes. The router has three ports, the last one the
/// node's, and three VCs of three slots, which no flit leaves in the first four cycles. It has sent
/// nothing, so all credits are available.
struct Misuse {
  std::string report;  ///< Report of a router with pins, without port, VC and cycle.
  unsigned port = 0;
  unsigned vc = 0;
  std::vector<Beat> beats;  ///< The last one is wrong.
  bool asserted = true;     ///< True if an assertion of the RTL fails, too.
};

/// Returns the misuses that every router reports, whatever its credits stand for.
inline std::vector<Misuse> common_misuses() {
  const PacketSlot other{5};
  return {
      {"no such virtual channel", 1, 3, {flit_beat(0, 1, 3, flit_to(2))}},
      {"no such virtual channel", 1, 1000, {flit_beat(0, 1, 1000, flit_to(2))}, false},
      {"no such virtual channel", 2, 3, {credit_beat(1, 2, 3)}},
      {"flit without a head", 0, 1, {flit_beat(0, 0, 1, flit_to(2, 0, false))}},
      {"flit without a head",
       0,
       1,
       {flit_beat(0, 0, 1, flit_to(2)), flit_beat(1, 0, 1, flit_to(2, 0, false))}},
      {"head inside a packet",
       2,
       0,
       {flit_beat(0, 2, 0, flit_to(3, 1)), flit_beat(1, 2, 0, flit_to(3, 0, true, other))}},
      {"flit out of its packet's order",
       0,
       2,
       {flit_beat(0, 0, 2, flit_to(3, 2)), flit_beat(1, 0, 2, flit_to(3, 0, false))}},
      {"flit of another packet",
       0,
       2,
       {flit_beat(0, 0, 2, flit_to(3, 1)), flit_beat(1, 0, 2, flit_to(3, 0, false, other))},
       false},
  };
}

/// Returns the misuses of routers whose credits stand for flits.
inline std::vector<Misuse> flit_misuses() {
  std::vector<Misuse> misuses = common_misuses();
  misuses.push_back(
      {"flit for a full buffer",
       0,
       0,
       {flit_beat(0, 0, 0, flit_to(3, 3)), flit_beat(1, 0, 0, flit_to(3, 2, false)),
        flit_beat(2, 0, 0, flit_to(3, 1, false)), flit_beat(3, 0, 0, flit_to(3, 0, false))}});
  misuses.push_back({"credit for no flit", 0, 2, {credit_beat(2, 0, 2)}});
  return misuses;
}

/// Returns the misuses of routers that store whole packets.
inline std::vector<Misuse> packet_misuses() {
  std::vector<Misuse> misuses = common_misuses();
  misuses.push_back({"packet without a slot",
                     0,
                     0,
                     {flit_beat(0, 0, 0, flit_to(3)), flit_beat(1, 0, 0, flit_to(3)),
                      flit_beat(2, 0, 0, flit_to(3)), flit_beat(3, 0, 0, flit_to(3))}});
  misuses.push_back({"credit for no packet", 0, 2, {credit_beat(2, 0, 2)}});
  return misuses;
}

/// Drives every beat in its cycle and returns after the edge that samples the last.
template <class Bench>
void play(Bench& bench, const std::vector<Beat>& beats) {
  for (unsigned now = 0; !beats.empty() && now <= beats.back().cycle; ++now) {
    for (const Beat& beat : beats) {
      if (beat.cycle != now) continue;
      if (beat.credit) {
        bench.give_credit(beat.port, beat.vc);
      } else {
        bench.put(beat.port, beat.vc, beat.flit);
      }
    }
    bench.cycle();
  }
}

}  // namespace flitcast
