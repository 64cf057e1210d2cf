// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/flit.h"
#include "router/vc_state.h"

namespace flitcast {

/// State that every word count shares, so that audits and views need no template.
///
/// Virtual channels are indexed port * stride + vc, where stride is the number of VCs rounded up to
/// a power of two; inputs and outputs are numbered apart.
///
/// Where packets are kept whole, InputVc::count and OutputVc::credits count packets, `depth` is in
/// packets too, an output VC has no owner, and there are no slots.
struct RouterState {
  InputVc* inputs = nullptr;
  OutputVc* outputs = nullptr;
  Flit* slots = nullptr;  ///< buffer_depth flits for each input VC index.
  SwitchPointers* pointers = nullptr;
  std::uint16_t depth = 0;
  std::uint8_t stride_log2 = 0;
  std::uint8_t virtual_channels = 0;
  std::uint16_t input_ports = 0;
  std::uint16_t output_ports = 0;
  std::uint64_t copies = 0;  ///< Flits that have departed less flits that have left their buffer.
  /// Where packets are kept whole: flits in their buffer, which they leave together with the last.
  std::uint64_t stored_flits = 0;

  unsigned vc_index(unsigned port, unsigned vc) const { return (port << stride_log2) + vc; }
  unsigned port_of(unsigned vc_index) const { return vc_index >> stride_log2; }
  unsigned vc_of(unsigned vc_index) const { return vc_index & ((1U << stride_log2) - 1); }
  const Flit& front(unsigned input) const { return slots[input * depth + inputs[input].head]; }
};

}  // namespace flitcast
