// SPDX-License-Identifier: Apache-2.0
#include "tlm/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/sequences.h"
#include "config/wording.h"
#include "network/report.h"
#include "tlm/extensions.h"

namespace flitcast::tlm {
namespace {

std::string where(const Transaction& transaction) {
  if (transaction.stage != Transaction::Stage::kInFlight) {
    const char* const place = transaction.stage == Transaction::Stage::kHeld
                                  ? "waiting for the limit of outstanding transactions"
                                  : "answered, but the initiator has not taken the response";
    return fmt::format("{} since {}", place, transaction.since.to_string());
  }
  constexpr std::array<const char*, 6> kPlaces{"held for",        "in flight to",   "waiting at",
                                               "not answered by", "in flight from", "back from"};
  static_assert(kPlaces.size() == static_cast<std::size_t>(Burst::Stage::kCount));
  std::vector<std::string> places;
  for (const Burst* burst : transaction.bursts) {
    if (burst->stage == Burst::Stage::kBack) continue;
    places.push_back(fmt::format("{} target {} since {}",
                                 kPlaces[static_cast<std::size_t>(burst->stage)], burst->target,
                                 burst->since().to_string()));
  }
  return joined(places);
}

/// The time at which the transaction last made progress.
sc_time last_move(const Transaction& transaction) {
  return std::max(transaction.since, largest_of<sc_time>(transaction.bursts, &Burst::since));
}

std::string line_of(const Transaction& transaction) {
  return fmt::format("\n  initiator {}: {}, begun at {}: {}", transaction.initiator,
                     to_text(transaction.command, transaction.address, transaction.bytes),
                     transaction.begun.to_string(), where(transaction));
}

}  // namespace

Ledger::Ledger(const sc_core::sc_module_name& module_name, const sc_time& timeout)
    : sc_module(module_name), timeout_(timeout) {
  SC_HAS_PROCESS(Ledger);
  SC_METHOD(watch);
  sensitive << look_;
  dont_initialize();
}

Transaction& Ledger::open(Payload& payload, std::uint32_t initiator, bool blocking) {
  if (timeout_ != SC_ZERO_TIME) look_.notify(timeout_);  // No effect if a check is due sooner.
  Transaction& transaction = transactions_.take();
  transaction.payload = &payload;
  transaction.initiator = initiator;
  transaction.blocking = blocking;
  const auto* const priority = payload.get_extension<Priority>();
  transaction.priority = priority == nullptr ? 0 : priority->level;
  transaction.command = payload.get_command();
  transaction.address = payload.get_address();
  transaction.bytes = payload.get_data_length();
  transaction.begun = sc_core::sc_time_stamp();
  transaction.unanswered = 0;
  transaction.timed_out = false;
  transaction.enter(Transaction::Stage::kHeld);
  return transaction;
}

void Ledger::close(Transaction& transaction) {
  for (Burst* burst : transaction.bursts) {
    if (burst->is_part()) burst->payload->release();
    bursts_.give_back(*burst);
  }
  transaction.bursts.clear();
  transaction.payload = nullptr;
  transactions_.give_back(transaction);
  if (outstanding() == 0) look_.cancel();
}

Burst& Ledger::add_burst(Transaction& transaction, std::uint32_t target, sc_dt::uint64 address) {
  Burst& burst = bursts_.take();
  burst.transaction = &transaction;
  burst.payload = transaction.payload;
  burst.target = target;
  burst.address = address;
  burst.before = nullptr;
  burst.enter(Burst::Stage::kHeld);
  transaction.bursts.push_back(&burst);
  ++transaction.unanswered;
  return burst;
}

Burst& Ledger::add_part(Transaction& transaction, std::uint32_t target, sc_dt::uint64 address,
                        const Piece& piece) {
  Burst& burst = add_burst(transaction, target, address + piece.address_offset);
  burst.payload = &parts_.make(*transaction.payload, piece);
  return burst;
}

std::string Ledger::outstanding_text() const {
  std::string text;
  for (std::size_t t = 0; t < transactions_.size(); ++t) {
    if (transactions_[t].payload != nullptr) text += line_of(transactions_[t]);
  }
  return text;
}

void Ledger::watch() {
  std::multimap<sc_time, std::string> stuck;  // By the time of the last progress.
  bool waits = false;
  for (std::size_t t = 0; t < transactions_.size(); ++t) {
    Transaction& transaction = transactions_[t];
    if (transaction.payload == nullptr || transaction.timed_out) continue;
    const sc_time moved = last_move(transaction);
    transaction.timed_out = sc_core::sc_time_stamp() - moved >= timeout_;
    waits = waits || !transaction.timed_out;
    if (transaction.timed_out) stuck.emplace(moved, line_of(transaction));
  }
  if (waits) look_.notify(timeout_);
  if (stuck.empty()) return;
  std::string message =
      fmt::format("at {}: rule \"time-out\": a transaction makes progress within {}; timed out:",
                  sc_core::sc_time_stamp().to_string(), timeout_.to_string());
  for (const auto& [moved, line] : stuck) message += line;
  report_error("tlm/time_out", name(), message);
}

}  // namespace flitcast::tlm
