// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <systemc>

#include "tlm/burst.h"

namespace flitcast::tlm {

/// All outstanding transactions and their bursts.
///
/// Every `timeout` the ledger checks for transactions without progress in that time. It reports the
/// transactions that it has not reported before in one error, in the order in which they timed out.
/// Without other transactions it schedules no events, so a simulation can run out of events, even
/// if a target never answers and errors do not throw.
class Ledger : public sc_core::sc_module {
 public:
  /// @param timeout  Zero: the ledger never checks.
  Ledger(const sc_core::sc_module_name& name, const sc_time& timeout);

  Transaction& open(Payload& payload, std::uint32_t initiator, bool blocking);
  void close(Transaction& transaction);

  /// Adds a burst. The burst that carries a whole transaction uses its payload.
  Burst& add_burst(Transaction& transaction, std::uint32_t target, sc_dt::uint64 address);
  Burst& add_part(Transaction& transaction, std::uint32_t target, sc_dt::uint64 address,
                  const Piece& piece);
  Burst& burst(std::uint64_t number) { return bursts_[static_cast<std::uint32_t>(number)]; }

  std::size_t outstanding() const { return transactions_.in_use(); }
  /// Payloads of bursts that a target still holds.
  std::size_t parts_in_use() const { return parts_.in_use(); }
  /// Most transactions outstanding at once.
  std::size_t most_outstanding() const { return transactions_.size(); }
  /// One line for every transaction: initiator, command, start time, and stage of its bursts.
  std::string outstanding_text() const;

 private:
  void watch();

  const sc_time timeout_;
  sc_core::sc_event look_{"look"};
  Pool<Transaction> transactions_;
  Pool<Burst> bursts_;
  PartPayloads parts_;
};

}  // namespace flitcast::tlm
