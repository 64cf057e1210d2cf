// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/flit.h"
#include "router/carver.h"
#include "router/router_params.h"
#include "routing/routing.h"

namespace flitcast {

/// An input virtual channel: a ring of flits and the way of the packet at its front.
struct InputVc {
  static constexpr std::uint16_t kNone = 0xffff;

  VcSet route_vcs = 0;            ///< Output VCs the front packet may ask for; 0: no route yet.
  std::uint16_t route_port = 0;   ///< Output port of the front packet.
  std::uint16_t output = kNone;   ///< Index of the output VC it holds; kNone: none yet.
  std::uint16_t head = 0;         ///< Flits that have left: the ring position of the front flit.
  std::uint16_t count = 0;        ///< Flits in the ring.
  std::uint16_t last_output = 0;  ///< Output VC granted last: the round-robin pointer.
  std::uint8_t port = 0;          ///< Its own place, kept at hand for the hot path.
  std::uint8_t vc = 0;
};

static_assert(sizeof(InputVc) == 16, "four input VCs to a cache line");

/// An output virtual channel: the credits for, and the owner of, the input VC at the link's far
/// end.
struct OutputVc {
  static constexpr std::uint16_t kNone = 0xffff;

  std::uint16_t credits = 0;     ///< Free slots downstream, as far as known here.
  std::uint16_t owner = kNone;   ///< Index of the input VC whose packet holds it; kNone: free.
  std::uint16_t slot = 0;        ///< Flits sent: the ring position downstream of the next one.
  std::uint16_t last_input = 0;  ///< Input VC granted last: the round-robin pointer.
};

/// The round-robin pointers of switch allocation at one port.
struct SwitchPointers {
  std::uint8_t last_vc = 0;      ///< Input side: VC served last.
  std::uint8_t last_output = 0;  ///< Input side: output served last.
  std::uint8_t last_input = 0;   ///< Output side: input served last.
  std::uint8_t unused = 0;       ///< Four bytes are found with one instruction.
};

/// Slots of the ring of a buffer of so many flits: a power of two, so that positions are counted
/// without end and only their lower bits matter. Credits keep the flits in it to its depth.
constexpr unsigned ring_slots(unsigned depth) { return 1U << detail::log2_ceil(depth); }

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
  Flit* slots = nullptr;  ///< ring_slots(depth) flits for each input VC index.
  SwitchPointers* pointers = nullptr;
  std::uint16_t depth = 0;
  std::uint8_t stride_log2 = 0;
  std::uint8_t virtual_channels = 0;
  std::uint8_t input_ports = 0;
  std::uint8_t output_ports = 0;
  std::uint32_t ring = 0;       ///< Slots of an input VC.
  std::uint32_t ring_mask = 0;  ///< Bits of a ring position that matter.
  /// Flits that have departed less flits that have left their buffer, those combined apart.
  std::uint64_t copies = 0;
  std::uint64_t combined = 0;  ///< Flits that have left their buffer as a part of another.
  /// Where packets are kept whole: flits in their buffer, which they leave together with the last.
  std::uint64_t stored_flits = 0;

  unsigned vc_index(unsigned port, unsigned vc) const { return (port << stride_log2) + vc; }
  unsigned port_of(unsigned vc_index) const { return vc_index >> stride_log2; }
  unsigned vc_of(unsigned vc_index) const { return vc_index & ((1U << stride_log2) - 1); }
  /// Where the flit lies that is or was the one of this number in the buffer of an input VC.
  std::uint32_t slot_of(unsigned input, unsigned position) const {
    return input * ring + (position & ring_mask);
  }
  const Flit& front(unsigned input) const { return slots[slot_of(input, inputs[input].head)]; }

  /// What every core does first: its shape. Returns the stride.
  std::size_t set_shape(const RouterParams& params, unsigned inputs_wanted,
                        unsigned outputs_wanted) {
    depth = static_cast<std::uint16_t>(params.buffer_depth);
    stride_log2 = static_cast<std::uint8_t>(detail::log2_ceil(params.virtual_channels));
    virtual_channels = static_cast<std::uint8_t>(params.virtual_channels);
    ring = ring_slots(depth);
    ring_mask = ring - 1;
    input_ports = static_cast<std::uint8_t>(inputs_wanted);
    output_ports = static_cast<std::uint8_t>(outputs_wanted);
    return std::size_t{1} << stride_log2;
  }
  /// Once there is memory: lets every input VC know its place.
  void number_inputs() {
    for (unsigned i = 0; i < vc_index(input_ports, 0); ++i) {
      inputs[i].port = static_cast<std::uint8_t>(port_of(i));
      inputs[i].vc = static_cast<std::uint8_t>(vc_of(i));
    }
  }
};

}  // namespace flitcast
