// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cosim/port_bits.h"
#include "rtl/verilated_bench.h"

namespace flitcast {

/// Parameters of rtl/wormhole/flitcast_mesh.sv with which a model is Verilated.
struct MeshShape {
  unsigned size = 4;
  unsigned virtual_channels = 2;
  unsigned depth = 4;
  unsigned remaining_width = 4;
  unsigned width = 34;  ///< Up to 64.
};

/// Traffic into a mesh, and the rate at which its nodes accept flits.
struct MeshLoad {
  double flits_per_cycle = 0.1;  ///< Offered by each node, in packets to random nodes.
  unsigned length = 4;           ///< Flits of a packet.
  unsigned patience = 1;         ///< A node returns a credit in one cycle of `patience`.
};

/// Verilated mesh with a source and a sink at each node. The sinks check that every packet arrives
/// once, complete, with its flits in order and at its destination; a violation throws
/// std::logic_error.
template <class Model>
class MeshTraffic {
 public:
  MeshTraffic(const MeshShape& shape, const MeshLoad& load) : shape_(shape), load_(load) {
    while (shape.size > 1U << coordinate_width_) ++coordinate_width_;
    while (shape.virtual_channels > 1U << vc_width_) ++vc_width_;
    reset();
  }

  /// Drops everything in flight in the mesh, the sources and the sinks.
  void reset() {
    sources_.assign(nodes(), {});
    lanes_.assign(nodes() * shape_.virtual_channels, {});
    for (Lane& lane : lanes_) lane.credits = shape_.depth;
    in_flight_.clear();
    mesh_->in_valid_i = 0;
    mesh_->out_credit_valid_i = 0;
    mesh_.reset();
  }

  void run(std::uint64_t cycles) {
    for (std::uint64_t c = 0; c < cycles; ++c) cycle(true);
  }
  /// Creates no packets until all have arrived; returns false if some have not after `most` cycles.
  bool drain(std::uint64_t most) {
    for (Source& source : sources_) source.waiting.clear();
    for (std::uint64_t c = 0; c < most && !in_flight_.empty(); ++c) cycle(false);
    return in_flight_.empty();
  }
  /// Sends a packet of one flit and returns the number of cycles until it appears at its
  /// destination.
  unsigned latency(unsigned from, unsigned to) {
    sources_[from].waiting = {to};
    for (unsigned cycles = 0;; ++cycles) {
      cycle(false);
      if (packets_delivered == 1) return cycles;
    }
  }

  VerilatedBench<Model>& mesh() { return mesh_; }

  std::uint64_t packets_delivered = 0;
  std::uint64_t flits_delivered = 0;

 private:
  struct Source {
    std::vector<unsigned> waiting;  ///< Destinations of packets to be sent.
    unsigned last_vc = 0;
  };
  /// State of one VC of a node: the packet that it sends into the mesh and the packet that it
  /// receives.
  struct Lane {
    unsigned credits = 0;
    unsigned flits_left = 0;
    std::uint64_t sending = 0;  ///< Number of the packet.
    unsigned destination = 0;
    unsigned flits_due = 0;
    std::uint64_t receiving = 0;
    unsigned held = 0;  ///< Flits received whose credits are not yet returned.
  };

  unsigned nodes() const { return shape_.size * shape_.size; }
  Lane& lane(unsigned node, unsigned vc) { return lanes_[node * shape_.virtual_channels + vc]; }
  bool chance(double probability) {
    return static_cast<double>(random_() >> 11) * 0x1p-53 < probability;
  }
  unsigned draw(unsigned count) { return static_cast<unsigned>(random_() % count); }

  void cycle(bool create) {
    mesh_->in_valid_i = 0;
    mesh_->out_credit_valid_i = 0;
    for (unsigned node = 0; node < nodes(); ++node) {
      if (create && chance(load_.flits_per_cycle / load_.length)) {
        sources_[node].waiting.push_back(draw(nodes()));
      }
      send(node);
      give_credit(node);
      if (port_bit(mesh_->in_credit_valid_o, node)) {  // Usable from the next cycle on.
        ++lane(node, vc_of(mesh_->in_credit_vc_o, node)).credits;
      }
    }
    mesh_.edge();
    for (unsigned node = 0; node < nodes(); ++node) {
      if (port_bit(mesh_->out_valid_o, node)) receive(node, vc_of(mesh_->out_vc_o, node));
    }
  }

  template <class Port>
  unsigned vc_of(const Port& port, unsigned node) const {
    return static_cast<unsigned>(port_bits(port, node * vc_width_, vc_width_));
  }

  /// Sends a flit of the next VC that has a flit and a credit.
  void send(unsigned node) {
    Source& source = sources_[node];
    for (unsigned step = 1; step <= shape_.virtual_channels; ++step) {
      const unsigned vc = (source.last_vc + step) % shape_.virtual_channels;
      Lane& from = lane(node, vc);
      if (from.credits == 0 || (from.flits_left == 0 && source.waiting.empty())) continue;
      const bool head = from.flits_left == 0;
      if (head) start_packet(source, from);
      --from.credits;
      --from.flits_left;
      source.last_vc = vc;
      set_port_bits(mesh_->in_valid_i, node, 1, 1);
      set_port_bits(mesh_->in_vc_i, node * vc_width_, vc_width_, vc);
      put_flit(node, from, head);
      return;
    }
  }

  void start_packet(Source& source, Lane& from) {
    from.flits_left = load_.length;
    from.destination = source.waiting.back();
    from.sending = next_packet_++ * 0x9e3779b97f4a7c15 &
                   payload_mask();  // The factor is odd, so that no two payloads are equal.
    source.waiting.pop_back();
    if (!in_flight_.emplace(from.sending, from.destination).second) {
      throw std::logic_error("too few bits for the packets in flight");
    }
  }

  std::uint64_t payload_mask() const { return (std::uint64_t{1} << payload_width()) - 1; }
  unsigned payload_width() const {
    return shape_.width - 1 - shape_.remaining_width - 2 * coordinate_width_;
  }

  void put_flit(unsigned node, const Lane& from, bool head) {
    const unsigned x = from.destination % shape_.size;
    const unsigned y = from.destination / shape_.size;
    std::uint64_t flit = from.sending << 1 | (head ? 1 : 0);
    flit = flit << shape_.remaining_width | from.flits_left;
    flit = flit << 2 * coordinate_width_ | y << coordinate_width_ | x;
    const unsigned low = std::min(shape_.width, 32U);
    set_port_bits(mesh_->in_flit_i, node * shape_.width, low, static_cast<std::uint32_t>(flit));
    set_port_bits(mesh_->in_flit_i, node * shape_.width + low, shape_.width - low,
                  static_cast<std::uint32_t>(flit >> 32));
  }

  void give_credit(unsigned node) {
    if (load_.patience > 1 && draw(load_.patience) != 0) return;
    for (unsigned vc = 0; vc < shape_.virtual_channels; ++vc) {
      if (lane(node, vc).held == 0) continue;
      --lane(node, vc).held;
      set_port_bits(mesh_->out_credit_valid_i, node, 1, 1);
      set_port_bits(mesh_->out_credit_vc_i, node * vc_width_, vc_width_, vc);
      return;
    }
  }

  void receive(unsigned node, unsigned vc) {
    Lane& to = lane(node, vc);
    const std::uint64_t flit = port_bits(mesh_->out_flit_o, node * shape_.width, shape_.width);
    const unsigned above_place = 2 * coordinate_width_;
    const auto remaining =
        static_cast<unsigned>(flit >> above_place & ((1U << shape_.remaining_width) - 1));
    const bool head = (flit >> (above_place + shape_.remaining_width) & 1) != 0;
    const std::uint64_t packet = flit >> (above_place + shape_.remaining_width + 1);
    if (head != (to.flits_due == 0)) complain(node, "a head in a packet, or a packet without one");
    if (head) {
      to.receiving = packet;
      to.flits_due = load_.length;
    }
    if (packet != to.receiving || remaining != --to.flits_due) complain(node, "a flit out of turn");
    ++to.held;
    ++flits_delivered;
    if (remaining == 0) finish(node, packet);
  }

  void finish(unsigned node, std::uint64_t packet) {
    const auto found = in_flight_.find(packet);
    if (found == in_flight_.end()) complain(node, "a packet that was not sent, or arrived twice");
    if (found->second != node) complain(node, "a packet for another node");
    in_flight_.erase(found);
    ++packets_delivered;
  }

  [[noreturn]] void complain(unsigned node, const std::string& what) const {
    throw std::logic_error("node " + std::to_string(node) + " of the mesh shows " + what);
  }

  const MeshShape shape_;
  const MeshLoad load_;
  unsigned coordinate_width_ = 1;
  unsigned vc_width_ = 1;
  std::vector<Source> sources_;
  std::vector<Lane> lanes_;
  std::map<std::uint64_t, unsigned> in_flight_;  // Destinations by packet number.
  std::uint64_t next_packet_ = 0;
  std::mt19937_64 random_{13};
  VerilatedBench<Model> mesh_;
};

}  // namespace flitcast
