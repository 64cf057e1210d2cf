// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitcast {

/// How messages move in a round.
enum class Switching {
  kStoreAndForward,  ///< One send is one packet over one channel.
  kWormhole,         ///< One send is one message along a whole path; distance costs no round.
};

/// As many sends and as many receipts per node and round as there are channels.
inline constexpr unsigned kAllPorts = ~0U;

/// The rules by which the sends of one round are legal together. Full duplex: sends and receipts
/// are counted apart. No channel carries two messages in a round.
struct Discipline {
  Switching switching = Switching::kStoreAndForward;
  unsigned ports = kAllPorts;  ///< Most sends, and most receipts, of a node in a round; from 1 up.
};

}  // namespace flitcast
