// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/flit.h"
#include "router/bit_mask.h"
#include "router/bump_allocator.h"
#include "router/router_params.h"
#include "routing/routing.h"

namespace flitcast {

/// An input virtual channel: a ring of packets, and the route of the one at its front.
struct InputVc {
  static constexpr std::uint16_t kNone = 0xffff;

  VcSet route_vcs = 0;            ///< Output VCs the front packet may ask for; 0: no route yet.
  std::uint16_t output = kNone;   ///< Index of the output VC it holds; kNone: none yet.
  std::uint16_t front = 0;        ///< Slot of the front packet in the ring.
  std::uint16_t count = 0;        ///< Flits in the buffer.
  std::uint16_t last_output = 0;  ///< Output VC granted last: the round-robin pointer.
  std::uint8_t vc = 0;            ///< Number of this VC at its port.
  std::uint8_t route_port = 0;    ///< Output port of the front packet.
  std::uint8_t port = 0;          ///< Input port of this VC; stored for the hot path.
  std::uint8_t left = 0;          ///< Flits that have left, modulo 256, for observers.

  /// The output port and the VC as one number, for SwitchPointers::distance().
  unsigned request() const { return unsigned{route_port} << 8 | vc; }
};

static_assert(sizeof(InputVc) == 16, "four input VCs to a cache line");

/// An output virtual channel: the credits for, and the owner of, the input VC at the link's far
/// end.
struct OutputVc {
  static constexpr std::uint16_t kNone = 0xffff;

  std::uint16_t credits = 0;     ///< Free slots downstream that this router knows of.
  std::uint16_t owner = kNone;   ///< Index of the input VC whose packet holds it; kNone: free.
  std::uint16_t slot = 0;        ///< Slot of the latest packet in the ring downstream.
  std::uint16_t last_input = 0;  ///< Input VC granted last: the round-robin pointer.
};

/// The round-robin pointers of switch allocation at one port.
struct SwitchPointers {
  std::uint8_t last_vc = 0;      ///< Input side: VC served last.
  std::uint8_t last_output = 0;  ///< Input side: output served last.
  std::uint8_t last_input = 0;   ///< Output side: input served last.
  std::uint8_t unused = 0;       ///< Pads to four bytes, which one instruction addresses.

  /// The place of an InputVc::request() of this input port in round-robin order: by output port,
  /// then by VC. Both are compared at once: 0x7f in each byte keeps the other one from a borrow.
  unsigned distance(unsigned request) const {
    return (request + 0x7f7f - (unsigned{last_output} << 8 | last_vc)) & 0x7f1f;
  }
};

/// The largest number of packets with flits in a buffer or, as credits allow, in flight to it: the
/// tail of the first, the head of the last, and whole packets between them.
constexpr unsigned ring_slots(const RouterParams& params) {
  const unsigned depth = std::max(params.buffer_depth, params.deepest_buffer);
  return depth < 2 ? 1 : (depth - 2) / params.shortest_packet + 2;
}

/// Router state that does not depend on the word count, so that audits and views need no template.
///
/// Virtual channels are indexed port * stride + vc, where stride is the number of VCs rounded up to
/// a power of two; inputs and outputs are numbered apart.
///
/// A buffer stores one flit per packet: the first that has not left, from which the flits behind it
/// are derived. A head is written to the next slot of the ring; other flits only increase the
/// count.
///
/// In store-and-forward routers InputVc::count, OutputVc::credits and `depth` are in packets, an
/// output VC has no owner, and there are no rings.
struct RouterState {
  InputVc* inputs = nullptr;
  OutputVc* outputs = nullptr;
  Flit* packets = nullptr;  ///< The rings: `ring` flits per input VC index.
  SwitchPointers* pointers = nullptr;
  std::uint16_t depth = 0;  ///< Slots for which an input VC has memory.
  std::uint8_t stride_log2 = 0;
  std::uint8_t virtual_channels = 0;
  std::uint8_t input_ports = 0;
  std::uint8_t output_ports = 0;
  std::uint32_t ring = 1;  ///< ring_slots() of an input VC.
  /// Flits that departed minus flits that left their buffer, not counting those in `combined`.
  std::uint64_t copies = 0;
  std::uint64_t combined = 0;  ///< Flits that left their buffer merged into another flit.
  /// Store-and-forward only: flits in the buffers; the flits of a packet leave with its last copy.
  std::uint64_t stored_flits = 0;

  unsigned vc_index(unsigned port, unsigned vc) const { return (port << stride_log2) + vc; }
  unsigned port_of(unsigned vc_index) const { return vc_index >> stride_log2; }
  unsigned vc_of(unsigned vc_index) const { return vc_index & ((1U << stride_log2) - 1); }
  /// The slot behind another one in a ring.
  unsigned behind(unsigned slot) const { return select(slot + 1 == ring, 0U, slot + 1); }
  Flit& front(unsigned input) const { return packets[input * ring + inputs[input].front]; }
  /// Removes the front flit from its buffer; the one behind it becomes the front.
  void step(unsigned input) {
    InputVc& in = inputs[input];
    Flit& flit = front(input);
    ++in.left;
    --in.count;
    if (flit.tail()) {
      in.front = static_cast<std::uint16_t>(behind(in.front));
    } else {
      step_behind(flit);
    }
  }

  /// The flit `flits` behind the front one, in the buffer or in flight to it. For observers.
  Flit flit_behind(unsigned input, unsigned flits) const {
    unsigned slot = inputs[input].front;
    for (; flits > packets[input * ring + slot].remaining; slot = behind(slot)) {
      flits -= packets[input * ring + slot].remaining + 1U;
    }
    Flit flit = packets[input * ring + slot];
    for (; flits != 0; --flits) step_behind(flit);
    return flit;
  }
  /// The slot in the ring for the next packet that arrives.
  unsigned end_of(unsigned input) const {
    unsigned slot = inputs[input].front;
    for (unsigned flits = inputs[input].count; flits != 0; slot = behind(slot)) {
      flits -= std::min(flits, packets[input * ring + slot].remaining + 1U);
    }
    return slot;
  }
  /// The flit that left last, until its credit has been used. For observers; `head` is not known
  /// any more unless the packet has one flit. No output VC is held between two packets.
  Flit left_last(unsigned input) const {
    const InputVc& in = inputs[input];
    if (in.output == InputVc::kNone || front(input).head) {
      return packets[input * ring + (in.front == 0 ? ring : in.front) - 1];
    }
    Flit flit = front(input);
    ++flit.remaining;
    return flit;
  }

  /// Sets the shape and places the VCs; every core calls it first. Returns the stride.
  std::size_t place(const CoreShape& shape, detail::BumpAllocator& arena) {
    depth = static_cast<std::uint16_t>(
        std::max(shape.params.buffer_depth, shape.params.deepest_buffer));
    stride_log2 = static_cast<std::uint8_t>(detail::log2_ceil(shape.params.virtual_channels));
    virtual_channels = static_cast<std::uint8_t>(shape.params.virtual_channels);
    ring = ring_slots(shape.params);
    input_ports = static_cast<std::uint8_t>(shape.inputs);
    output_ports = static_cast<std::uint8_t>(shape.outputs);
    const std::size_t stride = std::size_t{1} << stride_log2;
    inputs = arena.take<InputVc>(shape.inputs * stride);
    outputs = arena.take<OutputVc>(shape.outputs * stride);
    for (unsigned i = 0; inputs != nullptr && i < vc_index(input_ports, 0); ++i) {
      inputs[i].port = static_cast<std::uint8_t>(port_of(i));
      inputs[i].vc = static_cast<std::uint8_t>(vc_of(i));
    }
    return stride;
  }

  /// Fills the credits of an output. Returns their number for each VC.
  std::uint16_t fill_credits(unsigned output_port, const OutputChannel& channel) {
    const auto space =
        static_cast<std::uint16_t>(channel.buffer_depth == 0 ? depth : channel.buffer_depth);
    for (unsigned vc = 0; vc < virtual_channels; ++vc) {
      outputs[vc_index(output_port, vc)].credits = space;
    }
    return space;
  }
};

/// Bytes of storage, aligned to 16, that a core of this shape needs.
template <class Core>
std::size_t storage_bytes(const CoreShape& shape) {
  detail::BumpAllocator measure(nullptr);
  Core(shape, measure);
  return measure.used();
}

}  // namespace flitcast
