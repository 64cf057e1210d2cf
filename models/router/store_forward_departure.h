// SPDX-License-Identifier: Apache-2.0
#pragma once

// The steps of a packet in StoreForwardCore from the queues onto its channels; only
// store_forward_core.h, which declares them, includes this.
#include "router/store_forward_core.h"

namespace flitcast {

// Returns the next cycle in which the output can act without an arrival, or kNothing if it waits
// for a credit or a flit.
template <int kWords>
template <class Host>
std::uint64_t StoreForwardCore<kWords>::serve(unsigned output_port, Host& host, std::uint64_t now) {
  StoreForwardOutput& out = channels[output_port];
  if (now < out.free_at) return out.free_at;
  if (out.leaving == nullptr && !start_packet(output_port)) return kNothing;
  if (!out.leaving->packet->has(out.flits_left - 1)) return kNothing;
  send_flit(output_port, host, now);
  return active_.test(output_port) ? out.free_at : kNothing;
}

template <int kWords>
bool StoreForwardCore<kWords>::start_packet(unsigned output_port) {
  StoreForwardOutput& out = channels[output_port];
  const auto credited =
      static_cast<VcSet>(credited_.field(vc_index(output_port, 0), 1U << stride_log2));
  if (credited == 0) return false;
  out.leaving = out.queue.take_first(
      [credited](const PacketCopy& copy) { return (copy.vcs & credited) != 0; });
  if (out.leaving == nullptr) return false;
  out.vc = static_cast<std::uint8_t>(round_robin(out.leaving->vcs & credited, out.vc));
  out.flits_left = out.leaving->packet->length();
  const unsigned j = vc_index(output_port, out.vc);
  if (--outputs[j].credits == 0) credited_.clear(j);
  if (--out.length > 0 && !out.to_node) --held;
  return true;
}

// The state of the core is updated first, because the compiler must assume that the stores of the
// host alias it.
template <int kWords>
template <class Host>
void StoreForwardCore<kWords>::send_flit(unsigned output_port, Host& host, std::uint64_t now) {
  StoreForwardOutput& out = channels[output_port];
  const unsigned vc = out.vc;
  Flit flit = out.leaving->packet->head;
  --out.flits_left;
  flit.head = out.flits_left == flit.remaining;
  flit.remaining = static_cast<std::uint16_t>(out.flits_left);
  flit.route_field = out.leaving->route_field;
  out.free_at = now + out.cycles_per_flit;
  ++copies;
  if (flit.tail()) finish(output_port);
  host.depart(output_port, vc, flit);
}

template <int kWords>
void StoreForwardCore<kWords>::finish(unsigned output_port) {
  StoreForwardOutput& out = channels[output_port];
  StoredPacket& packet = *out.leaving->packet;
  out.leaving = nullptr;
  out.free_at += out.pause;
  if (out.queue.empty()) active_.clear(output_port);
  if (--packet.copies_left == 0) release_slot(packet);
}

template <int kWords>
void StoreForwardCore<kWords>::release_slot(StoredPacket& packet) {
  stored_flits -= packet.length();
  copies -= packet.length();
  ++owed_count_[packet.input];
  owed_.set(packet.input);
  packet.next_free = free_;
  free_ = &packet;
}

// Returns one credit per port, for its VCs in turn.
template <int kWords>
template <class Host>
void StoreForwardCore<kWords>::return_credits(Host& host, std::uint64_t now) {
  const unsigned stride = 1U << stride_log2;
  for (Mask rest = owed_; rest.any();) {
    const unsigned port = port_of(rest.lowest());
    const unsigned first = vc_index(port, 0);
    const unsigned vc = round_robin(rest.field(first, stride), pointers[port].last_vc);
    rest.clear_field(first, stride);
    pointers[port].last_vc = static_cast<std::uint8_t>(vc);
    if (--owed_count_[first + vc] == 0) owed_.clear(first + vc);
    --inputs[first + vc].count;
    host.return_credit(inputs[first + vc]);
  }
  if (owed_.any()) next_ = now + 1;
}

}  // namespace flitcast
