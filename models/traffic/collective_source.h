// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "network/packet_source.h"
#include "traffic/chunk_ledger.h"

namespace flitcast {

/// Who feeds the network with a collective operation and watches it to its end.
class CollectiveSource : public PacketSource {
 public:
  bool wants_deliveries() const override { return true; }

  /// Whether everything that was to be sent has arrived.
  virtual bool finished() const = 0;

  /// Cycles from the start to the last arrival of a chunk at a node that did not hold it, that
  /// cycle included; 0 before the first.
  std::uint64_t cycles() const { return cycles_; }
  const ChunkLedger& ledger() const { return ledger_; }

 protected:
  explicit CollectiveSource(ChunkLedger ledger) : ledger_(std::move(ledger)) {}

  /// Enters what a packet brought.
  void receive(ChunkId chunk, const Delivery& delivery) {
    const bool is_new = ledger_.held(delivery.node, chunk) == ChunkLedger::kNothing;
    if (is_new) cycles_ = index(delivery.arrival) + 1;
    ledger_.receive(delivery.node, chunk, delivery.packet.payload);
  }

 private:
  ChunkLedger ledger_;
  std::uint64_t cycles_ = 0;
};

}  // namespace flitcast
