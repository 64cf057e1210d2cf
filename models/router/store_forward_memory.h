// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "router/carver.h"
#include "router/router_params.h"
#include "router/store_forward_state.h"

namespace flitcast {

/// The arrays that a store-and-forward router of a given shape works in.
struct StoreForwardMemory {
  /// Laid into a block aligned to 16, or only measured when there is none.
  StoreForwardMemory(std::byte* block, const RouterParams& params, std::size_t input_ports,
                     std::size_t output_ports);

  std::size_t bytes = 0;
  std::size_t places_count = 0;     ///< buffer_depth for each input VC index.
  std::size_t copies_of_place = 0;  ///< Outputs that a packet can leave by at most.
  InputVc* inputs = nullptr;
  OutputVc* outputs = nullptr;
  SwitchPointers* pointers = nullptr;
  StoreForwardOutput* channels = nullptr;  ///< Per output port.
  StoredPacket** arriving = nullptr;  ///< Per input VC: the packet whose tail is still to come.
  std::uint16_t* owed = nullptr;      ///< Per input VC: credits that have yet to go.
  StoredPacket* places = nullptr;
  PacketCopy* copies = nullptr;  ///< copies_of_place for each place.
  Branches* branches = nullptr;  ///< One, to ask the routing with.
};

inline StoreForwardMemory::StoreForwardMemory(std::byte* block, const RouterParams& params,
                                              std::size_t input_ports, std::size_t output_ports) {
  const std::size_t stride = std::size_t{1} << detail::log2_ceil(params.virtual_channels);
  places_count = input_ports * params.virtual_channels * params.buffer_depth;
  copies_of_place = params.multicast ? output_ports : 1;
  detail::Carver carver(block);
  channels = carver.take<StoreForwardOutput>(output_ports);
  inputs = carver.take<InputVc>(input_ports * stride);
  outputs = carver.take<OutputVc>(output_ports * stride);
  pointers = carver.take<SwitchPointers>(input_ports);
  arriving = carver.take<StoredPacket*>(input_ports * stride);
  owed = carver.take<std::uint16_t>(input_ports * stride);
  places = carver.take<StoredPacket>(places_count);
  copies = carver.take<PacketCopy>(places_count * copies_of_place);
  branches = carver.take<Branches>(1);
  bytes = carver.used();
}

}  // namespace flitcast
