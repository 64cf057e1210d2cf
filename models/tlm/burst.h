// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "tlm/protocol_rules.h"

namespace flitcast::tlm {

struct Burst;

/// The length of requests and responses in flits: a header, and the data of a write or of a read.
/// Byte enables travel with the data, on separate wires.
struct PacketFormat {
  unsigned flit_bytes = 4;
  unsigned header_bytes = 8;

  std::uint32_t request_flits(const Payload& payload) const {
    return flits(payload.is_write() ? payload.get_data_length() : 0);
  }
  std::uint32_t response_flits(const Payload& payload) const {
    return flits(payload.is_read() ? payload.get_data_length() : 0);
  }
  /// The length of a packet in flits, at least 1.
  std::uint32_t flits(std::uint64_t data_bytes) const {
    const std::uint64_t bytes = header_bytes + data_bytes;
    return bytes == 0 ? 1 : static_cast<std::uint32_t>((bytes + flit_bytes - 1) / flit_bytes);
  }
};

/// A payload that has been answered.
struct Answered {
  ::tlm::tlm_command command{};
  unsigned bytes = 0;  ///< Bytes of data.
  ::tlm::tlm_response_status status{};
  sc_time begun{};  ///< The time at which its request took effect.
  sc_time ended{};  ///< The time of its response: BEGIN_RESP, or the return of b_transport.

  /// 0 for a read, 1 for a write, 2 for every other command.
  std::size_t kind() const { return std::min<std::size_t>(command, 2); }
};

/// A transaction that has been answered.
struct TransactionRecord : Answered {
  std::uint32_t initiator = 0;
  sc_dt::uint64 address = 0;  ///< The initiator's address.
};

/// A payload of an initiator, from its request to its response. The record is a copy for messages
/// and counts, because the payload may be gone; its status and end are set at the response.
struct Transaction : TransactionRecord {
  /// Where the transaction is: before the network, in it, or answered by its target.
  enum class Stage { kHeld, kInFlight, kAnswering };

  std::uint32_t number = 0;    ///< Number in its pool.
  Payload* payload = nullptr;  ///< Null while the record is in the pool.
  bool blocking = false;       ///< b_transport: its caller waits for `answered`.
  Stage stage = Stage::kHeld;
  sc_time since{};  ///< The time at which it entered that stage.
  unsigned priority = 0;
  std::uint32_t unanswered = 0;  ///< Bursts without a response so far.
  bool timed_out = false;        ///< Its time-out has been reported.
  /// The bursts in the order of their addresses and copies.
  std::vector<Burst*> bursts{};
  sc_core::sc_event answered{};

  void enter(Stage next) {
    stage = next;
    since = sc_core::sc_time_stamp();
  }
};

/// A unit of transfer to one target and back: a transaction, a part of a long one, or a copy of a
/// write to several targets.
struct Burst {
  /// Where the burst is; kCount is the number of stages.
  enum class Stage { kHeld, kToTarget, kWaiting, kAtTarget, kToInitiator, kBack, kCount };

  std::uint32_t number = 0;  ///< Number in its pool; its packets carry it as a mark.
  Transaction* transaction = nullptr;
  Payload* payload = nullptr;  ///< The initiator's payload, or that of a part.
  std::uint32_t target = 0;
  sc_dt::uint64 address = 0;  ///< The target's address.
  /// Sequence number among the bursts from its initiator to its target.
  std::uint32_t sequence = 0;
  /// The part that has to take effect before this one, because the streaming width repeats their
  /// addresses, or null.
  const Burst* before = nullptr;
  Stage stage = Stage::kHeld;

  /// True if the target may not have this burst yet.
  bool must_wait() const { return before != nullptr && before->stage < Stage::kToInitiator; }
  bool is_part() const { return payload != transaction->payload; }
  void enter(Stage next) {
    stage = next;
    entered_[static_cast<std::size_t>(next)] = sc_core::sc_time_stamp();
  }
  /// The time at which it entered a stage.
  const sc_time& entered(Stage which) const { return entered_[static_cast<std::size_t>(which)]; }
  /// The time at which it entered the present stage.
  const sc_time& since() const { return entered(stage); }

 private:
  std::array<sc_time, static_cast<std::size_t>(Stage::kCount)> entered_{};
};

/// A pool of objects with fixed addresses that are reused; their member `number` identifies them.
/// Allocates only when more are in use than ever before.
template <class Object>
class Pool {
 public:
  Object& take() {
    if (free_.empty()) {
      objects_.push_back(std::make_unique<Object>());
      objects_.back()->number = static_cast<std::uint32_t>(objects_.size() - 1);
      free_.push_back(objects_.back()->number);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return *objects_[number];
  }
  void give_back(const Object& object) { free_.push_back(object.number); }

  Object& operator[](std::size_t number) { return *objects_[number]; }
  const Object& operator[](std::size_t number) const { return *objects_[number]; }
  std::size_t in_use() const { return objects_.size() - free_.size(); }
  /// The largest number in use at once.
  std::size_t size() const { return objects_.size(); }

 private:
  std::vector<std::unique_ptr<Object>> objects_;
  std::vector<std::uint32_t> free_;
};

/// A map from the payloads in use at one socket, which are few; it does not allocate for each.
template <class Value>
class PayloadMap {
 public:
  /// Null if there is no entry.
  Value* find(const Payload& payload) {
    auto* const found =
        first_where(entries_, [&](const auto& entry) { return entry.first == &payload; });
    return found == nullptr ? nullptr : &found->second;
  }
  /// The payload must not have an entry.
  void add(const Payload& payload, Value value) { entries_.emplace_back(&payload, value); }
  void remove(const Payload& payload) {
    auto* const found =
        first_where(entries_, [&](const auto& entry) { return entry.first == &payload; });
    if (found == nullptr) return;
    *found = entries_.back();
    entries_.pop_back();
  }

 private:
  std::vector<std::pair<const Payload*, Value>> entries_;
};

/// A part of a transaction's data that one burst carries.
struct Piece {
  unsigned offset = 0;  ///< Offset of its first byte in the data.
  unsigned bytes = 0;
  unsigned address_offset = 0;  ///< Offset of its address from the transaction's.
  unsigned streaming_width = 0;
};

/// The length of the address range that the data uses. A streaming width of 0, which the base
/// protocol does not allow and initiators forget to set, is as long as the data.
inline unsigned row_bytes(unsigned bytes, unsigned streaming_width) {
  return streaming_width == 0 ? bytes : std::min(bytes, streaming_width);
}

/// Splits the data of a transaction into pieces of at most `most` bytes, in the order in which a
/// target receives them; one piece if `most` is 0. If the streaming width repeats addresses, the
/// pieces do, too.
std::vector<Piece> pieces_of(unsigned bytes, unsigned streaming_width, unsigned most);

/// Payloads for the parts of long transactions and the copies of multicast writes.
class PartPayloads : public ::tlm::tlm_mm_interface {
 public:
  /// Acquires a payload for a piece of the whole, whose data and extensions it shares. Its address
  /// is not set.
  Payload& make(const Payload& whole, const Piece& piece);
  void free(Payload* payload) override;

  /// Payloads that a target still holds.
  std::size_t in_use() const { return parts_.in_use(); }

 private:
  struct Part : Payload {
    std::uint32_t number = 0;  ///< Number in its pool.
    std::vector<unsigned char> enables;
    std::vector<::tlm::tlm_extension_base*> shared;
  };

  Pool<Part> parts_;
};

}  // namespace flitcast::tlm
