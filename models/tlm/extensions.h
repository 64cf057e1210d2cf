// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tlm>
#include <utility>
#include <vector>

namespace flitcast::tlm {

/// Ignorable: the priority of a transaction of nb_transport. If requests of several initiators wait
/// for one target, or responses for one initiator, the largest level goes first; without the
/// extension the level is 0. Requests of one initiator to one target keep their order regardless of
/// their levels. Calls of b_transport never wait for each other.
struct Priority : ::tlm::tlm_extension<Priority> {
  explicit Priority(unsigned its_level = 0) : level(its_level) {}

  ::tlm::tlm_extension_base* clone() const override { return new Priority(*this); }
  void copy_from(const ::tlm::tlm_extension_base& other) override {
    *this = static_cast<const Priority&>(other);
  }

  unsigned level;
};

/// Mandatory if used: a write goes to the payload's address and to each of these, all of them
/// initiator addresses. Its response follows that of the last copy, and its status is the first in
/// this order that is not TLM_OK_RESPONSE. Other commands are answered by
/// TLM_COMMAND_ERROR_RESPONSE; if one of the addresses is not mapped, nothing is written.
struct MulticastWrite : ::tlm::tlm_extension<MulticastWrite> {
  explicit MulticastWrite(std::vector<std::uint64_t> its_addresses = {})
      : addresses(std::move(its_addresses)) {}

  ::tlm::tlm_extension_base* clone() const override { return new MulticastWrite(*this); }
  void copy_from(const ::tlm::tlm_extension_base& other) override {
    *this = static_cast<const MulticastWrite&>(other);
  }

  std::vector<std::uint64_t> addresses;
};

/// Ignorable: figures of the network for the transaction that carries it.
struct Journey : ::tlm::tlm_extension<Journey> {
  ::tlm::tlm_extension_base* clone() const override { return new Journey(*this); }
  void copy_from(const ::tlm::tlm_extension_base& other) override {
    *this = static_cast<const Journey&>(other);
  }

  /// Routers that the packets of its requests and responses have crossed; an initiator that reuses
  /// the payload resets it.
  std::uint32_t hops = 0;
};

}  // namespace flitcast::tlm
