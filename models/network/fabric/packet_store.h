// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "base/flit.h"
#include "base/packet.h"
#include "router/invariant.h"

namespace flitcast {

/// The head flit of a packet that leaves its source in cycle `now`, which is stored as
/// Packet::injected.
inline Flit head_flit(Packet& packet, PacketSlot slot, Cycle now) {
  packet.injected = now;
  Flit flit;
  flit.destination = packet.destination;
  flit.packet = slot;
  flit.remaining = static_cast<std::uint16_t>(packet.length - 1);
  flit.head = true;
  flit.ties = packet.ties;
  flit.route_field = packet.route_field;
  return flit;
}

/// The records of packets that were created by a partition's nodes and have not yet arrived.
///
/// A record never moves: other partitions read the records of packets that they receive while the
/// owner adds new ones. Only the owner adds and frees records; a record is freed after as many
/// arrivals as the packet has receivers. Memory: one record per packet in source queues and in the
/// network; nothing is allocated after the largest backlog has been reached.
class PacketStore {
 public:
  static constexpr PacketSlot kNone{0xffffffff};
  /// The number of bits of a PacketSlot that give the record; the higher bits give the partition.
  static constexpr unsigned kSlotBits = 26;
  static constexpr unsigned kMaxPartitions = 63;

  explicit PacketStore(unsigned partition)
      : partition_(partition), chunks_(std::size_t{1} << (kSlotBits - kChunkBits)) {}

  static unsigned partition_of(PacketSlot slot) { return index(slot) >> kSlotBits; }

  PacketSlot add(const Packet& packet) {
    if (free_ == kNone) grow();
    const PacketSlot slot = free_;
    Record& record = at(slot);
    free_ = record.next;
    record = {packet, kNone, packet.receivers};
    due_ += packet.receivers;
    return slot;
  }
  /// Counts the arrival of the packet at one of its receivers.
  void arrived(PacketSlot slot) {
    Record& record = at(slot);
    if (record.due == 0) broken_invariant("more arrivals than receivers of a packet", 0, 0);
    --due_;
    if (--record.due != 0) return;
    record.next = free_;
    free_ = slot;
  }

  /// True if the slot holds a packet that has not arrived at all its receivers.
  bool holds(PacketSlot slot) const {
    const std::uint32_t i = index(slot) & ((1U << kSlotBits) - 1);
    return partition_of(slot) == partition_ && i >> kChunkBits < grown_ &&
           chunks_[i >> kChunkBits][i & (kChunk - 1)].due != 0;
  }
  Packet& packet(PacketSlot slot) const { return at(slot).packet; }
  /// The next packet in the same source queue.
  PacketSlot& next(PacketSlot slot) const { return at(slot).next; }

  /// Appends a packet to the source queue with these ends; the front of an empty queue is kNone.
  void append(PacketSlot& front, PacketSlot& back, PacketSlot slot) {
    PacketSlot& link = front == kNone ? front : next(back);
    link = slot;
    back = slot;
  }

  /// Calls visit(slot, packet, outstanding arrivals) for every packet that has not arrived at all
  /// its receivers; visit may count arrivals of that packet.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint32_t i = 0; i < grown_ << kChunkBits; ++i) {
      const Record& record = chunks_[i >> kChunkBits][i & (kChunk - 1)];
      if (record.due != 0)
        visit(PacketSlot{partition_ << kSlotBits | i}, record.packet, record.due);
    }
  }

  /// The number of outstanding arrivals of all packets.
  std::size_t due() const { return due_; }

 private:
  struct Record {
    Packet packet;
    PacketSlot next = kNone;
    std::uint32_t due = 0;
  };
  static constexpr unsigned kChunkBits = 10;
  static constexpr std::uint32_t kChunk = 1U << kChunkBits;

  Record& at(PacketSlot slot) const {
    const std::uint32_t i = index(slot) & ((1U << kSlotBits) - 1);
    return chunks_[i >> kChunkBits][i & (kChunk - 1)];
  }

  void grow() {
    const std::uint32_t first = grown_ << kChunkBits;
    if (grown_ == chunks_.size()) {
      throw std::runtime_error(
          "more than 67 million packets wait in one partition; lower the load");
    }
    chunks_[grown_++] = std::make_unique<Record[]>(kChunk);
    for (std::uint32_t i = kChunk; i-- > 0;) {
      const PacketSlot slot{partition_ << kSlotBits | (first + i)};
      at(slot).next = free_;
      free_ = slot;
    }
  }

  unsigned partition_;
  // Never resized, because other threads read it.
  std::vector<std::unique_ptr<Record[]>> chunks_;
  std::uint32_t grown_ = 0;
  PacketSlot free_ = kNone;
  std::size_t due_ = 0;
};

}  // namespace flitcast
