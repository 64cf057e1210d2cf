// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/probe.h"

namespace flitcast {

/// The fingerprint of a run: which packet arrived when and where. Two runs with the same checksum
/// have delivered the same packets in the same cycles to the same nodes.
///
/// The sum modulo 2^64 of a hash of (packet, arrival cycle, destination) of every delivery, hence
/// independent of their order and of how they are spread over merged probes. A sum rather than an
/// exclusive or: a packet that is delivered twice does not cancel out.
class ChecksumProbe : public Probe {
 public:
  void delivered(const Delivery& delivery) override;
  void merge(const ChecksumProbe& other) { sum_ += other.sum_; }

  std::uint64_t value() const { return sum_; }
  /// As results print it: 16 lower-case hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t sum_ = 0;
};

}  // namespace flitcast
