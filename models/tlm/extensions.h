// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tlm>
#include <utility>
#include <vector>

namespace flitcast::tlm {

/// An extension that is copied like any other object.
template <class Self>
struct CopiedExtension : ::tlm::tlm_extension<Self> {
  ::tlm::tlm_extension_base* clone() const override {
    return new Self(static_cast<const Self&>(*this));
  }
  void copy_from(const ::tlm::tlm_extension_base& other) override {
    static_cast<Self&>(*this) = static_cast<const Self&>(other);
  }
};

/// Ignorable: the priority of a transaction of nb_transport. If requests of several initiators wait
/// for one target, or responses for one initiator, the largest level goes first; without the
/// extension the level is 0. Requests of one initiator to one target keep their order regardless of
/// their levels. Calls of b_transport never wait for each other.
struct Priority : CopiedExtension<Priority> {
  explicit Priority(unsigned its_level = 0) : level(its_level) {}

  unsigned level;
};

/// Mandatory if used: a write goes to the payload's address and to each of these addresses, all of
/// them initiator addresses. The response follows the response of the last copy; the status is the
/// first in this order that is not TLM_OK_RESPONSE. Other commands are answered by
/// TLM_COMMAND_ERROR_RESPONSE; if one of the addresses is not mapped, nothing is written.
struct MulticastWrite : CopiedExtension<MulticastWrite> {
  explicit MulticastWrite(std::vector<std::uint64_t> its_addresses = {})
      : addresses(std::move(its_addresses)) {}

  std::vector<std::uint64_t> addresses;
};

/// Ignorable: figures of the network for the transaction that carries it.
struct Journey : CopiedExtension<Journey> {
  /// Routers that the packets of its requests and responses have crossed; an initiator that reuses
  /// the payload resets it.
  std::uint32_t hops = 0;
};

}  // namespace flitcast::tlm
