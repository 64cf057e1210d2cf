// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

#include "sim/workload.h"

namespace flitcast {

/// Packets at random: endless, measured in a window.
class RandomPackets : public Workload {
 public:
  explicit RandomPackets(const WorkloadContext& context) : context_(context) {}

  std::uint32_t longest_packet() const final {
    const auto lengths = context_.section().integers("packet_length");
    return static_cast<std::uint32_t>(*std::max_element(lengths.begin(), lengths.end()));
  }
  bool ends() const final { return false; }

 protected:
  const WorkloadContext& context() const { return context_; }
  /// "at 0.1 flits per node and cycle, packets of 1 or 5 flits".
  std::string load_text() const;

 private:
  const WorkloadContext context_;
};

}  // namespace flitcast
