// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "base/packet_source.h"
#include "traffic/chunk_ledger.h"

namespace flitcast {

/// Who feeds the network with a collective operation and watches it to its end.
class CollectiveSource : public PacketSource {
 public:
  bool wants_deliveries() const override { return true; }

  /// Whether everything that was to be sent has arrived.
  virtual bool finished() const = 0;
  /// What nodes have to know by now and do not, or otherwise than its origin does.
  virtual std::uint64_t wrong() const = 0;

  /// Cycles from the start to the last arrival of something new for its node, that cycle included;
  /// 0 before the first.
  std::uint64_t cycles() const { return cycles_; }

 protected:
  /// A delivery told its node something new.
  void note_new(const Delivery& delivery) { cycles_ = index(delivery.arrival) + 1; }

 private:
  std::uint64_t cycles_ = 0;
};

/// The same where chunks are all that packets carry.
class ChunkSource : public CollectiveSource {
 public:
  std::uint64_t wrong() const override { return ledger_.wrong(); }
  const ChunkLedger& ledger() const { return ledger_; }

 protected:
  explicit ChunkSource(ChunkLedger ledger) : ledger_(std::move(ledger)) {}

  /// Enters what a packet brought.
  void receive(ChunkId chunk, const Delivery& delivery) {
    if (ledger_.held(delivery.node, chunk) == ChunkLedger::kNothing) note_new(delivery);
    ledger_.receive(delivery.node, chunk, delivery.packet.payload);
  }

 private:
  ChunkLedger ledger_;
};

}  // namespace flitcast
