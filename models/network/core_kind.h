// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitcast {

template <int kWords>
class StoreForwardCore;

/// Whether a core keeps packets whole and counts its credits in packets.
template <class Core>
inline constexpr bool kKeepsPackets = false;
template <int kWords>
inline constexpr bool kKeepsPackets<StoreForwardCore<kWords>> = true;

}  // namespace flitcast
