// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Parameters of stream_mesh.sv with which a model is Verilated. A mesh of size 1 is
/// stream_link.sv, which has message classes.
struct StreamShape {
  unsigned size = 4;  ///< A power of two, so that a destination is the number of its node.
  unsigned destination_width = 4;
  unsigned classes = 1;
  unsigned max_flits = 16;
  bool ordered = false;  ///< One VC of each class: packets between two streams stay in order.
};

/// Behaviour of the streams at all nodes.
struct StreamLoad {
  double pause = 0.3;      ///< Probability that a source has no new beat in a cycle.
  double stall = 0.3;      ///< Probability that a sink is not ready in a cycle.
  unsigned blocked = ~0U;  ///< Message class whose sinks are never ready.
};

/// Rule of a stream that the source of stream 0 breaks once.
enum class StreamFault {
  kNone,
  kValidDrops,
  kDataChanges,
  kLastChanges,
  kDestinationChanges,
  kLastIsLost
};

/// Verilated mesh with a stream into it and out of it for each node and message class. Sources send
/// random packets to the streams of their class; sinks check that every packet arrives once, whole
/// and at its destination. A violation throws std::logic_error.
template <class Model>
class StreamTraffic {
 public:
  StreamTraffic(const StreamShape& shape, const StreamLoad& load) : shape_(shape), load_(load) {
    sources_.assign(streams(), {});
    sinks_.assign(streams(), {});
    mesh_->s_tvalid_i = 0;
    mesh_->m_tready_i = 0;
    mesh_.reset();
    mesh_.edge();  // tvalid may only rise after an edge out of reset.
  }

  /// Sends this number of packets and waits until all have arrived, or those of classes that are
  /// not blocked; returns false if some have not within `most` cycles.
  bool deliver(std::uint64_t packets, std::uint64_t most) {
    to_send_ += packets;
    for (std::uint64_t c = 0; c < most && !done(); ++c) cycle();
    return done();
  }
  /// Makes the source of stream 0 break a rule when it next can.
  void break_rule(StreamFault fault) { fault_ = fault; }
  bool rule_is_broken() const { return fault_ == StreamFault::kNone; }

  VerilatedBench<Model>& mesh() { return mesh_; }

  std::uint64_t packets_delivered = 0;
  std::uint64_t beats_delivered = 0;
  std::uint64_t cycles = 0;

 private:
  struct Packet {
    unsigned source = 0;  ///< Streams.
    unsigned destination = 0;
    unsigned length = 0;
    std::uint64_t serial = 0;
  };
  struct Source {
    std::uint32_t id = 0;  ///< The packet that is being sent.
    Packet packet;
    unsigned beat = 0;     ///< Beats of the packet accepted so far.
    bool inside = false;   ///< A packet has begun.
    bool offered = false;  ///< A beat waits for tready.
  };
  struct Sink {
    std::uint32_t id = 0;
    unsigned beats = 0;  ///< Beats of the packet so far; 0 between packets.
  };

  unsigned streams() const { return shape_.size * shape_.size * shape_.classes; }
  unsigned class_of(unsigned stream) const { return stream % shape_.classes; }
  bool chance(double probability) {
    return static_cast<double>(random_() >> 11) * 0x1p-53 < probability;
  }
  unsigned draw(unsigned count) { return static_cast<unsigned>(random_() % count); }

  /// The payload of a beat; the first is the packet's id.
  static std::uint32_t payload(std::uint32_t id, unsigned beat) {
    return (id + beat * 0x9e3779b9U) ^ (beat == 0 ? 0 : id >> 7);
  }

  bool done() const {
    if (to_send_ != 0) return false;
    if (load_.blocked >= shape_.classes) return in_flight_.empty();
    for (const auto& [id, packet] : in_flight_) {
      if (class_of(packet.destination) != load_.blocked) return false;
    }
    return true;
  }

  void cycle() {
    for (unsigned s = 0; s < streams(); ++s) {
      offer(s);
      const bool ready = class_of(s) != load_.blocked && !chance(load_.stall);
      set_port_bits(mesh_->m_tready_i, s, 1, ready ? 1 : 0);
    }
    for (unsigned s = 0; s < streams(); ++s) {
      if (port_bit(mesh_->s_tready_o, s)) accept(s);
      if (port_bit(mesh_->m_tvalid_o, s) && port_bit(mesh_->m_tready_i, s)) receive(s);
    }
    mesh_.edge();
    ++cycles;
  }

  void offer(unsigned s) {
    Source& source = sources_[s];
    if (source.offered) return s == 0 ? break_waiting_beat(source) : void();
    set_port_bits(mesh_->s_tvalid_i, s, 1, 0);
    if (!source.inside && !begin(source, s)) return;
    if (chance(load_.pause)) return;
    source.offered = true;
    set_port_bits(mesh_->s_tvalid_i, s, 1, 1);
    set_port_bits(mesh_->s_tdata_i, s * 32, 32, payload(source.id, source.beat));
    const unsigned width = shape_.destination_width;
    set_port_bits(mesh_->s_tdest_i, s * width, width, source.packet.destination / shape_.classes);
    set_port_bits(mesh_->s_tlast_i, s, 1, last(source, s) ? 1 : 0);
  }

  bool last(const Source& source, unsigned s) {
    if (source.beat + 1 != source.packet.length) return false;
    if (s != 0 || fault_ != StreamFault::kLastIsLost) return true;
    fault_ = StreamFault::kNone;
    return false;
  }

  bool begin(Source& source, unsigned s) {
    const bool may_send = class_of(s) != load_.blocked || blocked_sent_ < 100;
    if (to_send_ == 0 || !may_send) return false;
    if (class_of(s) == load_.blocked) ++blocked_sent_;
    --to_send_;
    const unsigned node = draw(shape_.size * shape_.size);
    source.packet = {s, node * shape_.classes + class_of(s), 1 + draw(shape_.max_flits), serial_};
    source.id = static_cast<std::uint32_t>(serial_++) * 0x85ebca6bU;  // Odd: no two are equal.
    source.beat = 0;
    source.inside = true;
    in_flight_.emplace(source.id, source.packet);
    return true;
  }

  void accept(unsigned s) {
    Source& source = sources_[s];
    if (!source.offered) return;
    source.offered = false;
    source.inside = ++source.beat != source.packet.length;
  }

  void break_waiting_beat(const Source& source) {
    switch (std::exchange(fault_, StreamFault::kNone)) {
      case StreamFault::kNone:
        return;
      case StreamFault::kValidDrops:
        return set_port_bits(mesh_->s_tvalid_i, 0, 1, 0);
      case StreamFault::kDataChanges:
        return set_port_bits(mesh_->s_tdata_i, 0, 32, ~payload(source.id, source.beat));
      case StreamFault::kLastChanges:
        return set_port_bits(mesh_->s_tlast_i, 0, 1, port_bit(mesh_->s_tlast_i, 0) ? 0 : 1);
      case StreamFault::kDestinationChanges:
        return set_port_bits(mesh_->s_tdest_i, 0, 1, port_bit(mesh_->s_tdest_i, 0) ? 0 : 1);
      case StreamFault::kLastIsLost:
        fault_ = StreamFault::kLastIsLost;
    }
  }

  void receive(unsigned s) {
    Sink& sink = sinks_[s];
    const auto data = static_cast<std::uint32_t>(port_bits(mesh_->m_tdata_o, s * 32, 32));
    if (sink.beats == 0) sink.id = data;
    const auto found = in_flight_.find(sink.id);
    if (found == in_flight_.end()) complain(s, "a packet that was not sent, or arrived twice");
    const Packet& packet = found->second;
    if (packet.destination != s) complain(s, "a packet for another stream");
    if (data != payload(sink.id, sink.beats)) complain(s, "a beat out of order");
    ++sink.beats;
    ++beats_delivered;
    const bool last = port_bit(mesh_->m_tlast_o, s);
    if (last != (sink.beats == packet.length)) complain(s, "tlast too early or too late");
    if (!last) return;
    sink.beats = 0;
    check_order(s, packet);
    in_flight_.erase(found);
    ++packets_delivered;
  }

  void check_order(unsigned s, const Packet& packet) {
    std::uint64_t& next = next_serial_[{packet.source, s}];
    if (shape_.ordered && packet.serial < next) complain(s, "a packet that another has passed");
    next = packet.serial + 1;
  }

  [[noreturn]] void complain(unsigned s, const std::string& what) const {
    throw std::logic_error("stream " + std::to_string(s) + " of the mesh shows " + what);
  }

  const StreamShape shape_;
  const StreamLoad load_;
  StreamFault fault_ = StreamFault::kNone;
  std::vector<Source> sources_;
  std::vector<Sink> sinks_;
  std::map<std::uint32_t, Packet> in_flight_;
  std::map<std::pair<unsigned, unsigned>, std::uint64_t> next_serial_;
  std::uint64_t to_send_ = 0;
  std::uint64_t blocked_sent_ = 0;
  std::uint64_t serial_ = 0;
  std::mt19937_64 random_{17};
  VerilatedBench<Model> mesh_;
};

}  // namespace flitcast
