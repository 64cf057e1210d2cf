// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/probe.h"

namespace flitcast {

/// The checksum of a run over all deliveries. Two runs with the same checksum have delivered the
/// same packets in the same cycles to the same nodes.
///
/// It is the sum modulo 2^64 of a hash of (packet, arrival cycle, destination) of every delivery,
/// so the order of deliveries and their distribution over merged probes do not matter. A sum is
/// used rather than an exclusive or, so that a packet that is delivered twice does not cancel out.
class ChecksumProbe : public Probe {
 public:
  void delivered(const Delivery& delivery) override;
  void merge(const ChecksumProbe& other) { sum_ += other.sum_; }

  std::uint64_t value() const { return sum_; }
  /// The checksum as results print it: 16 lower-case hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t sum_ = 0;
};

}  // namespace flitcast
