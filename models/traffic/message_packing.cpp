// SPDX-License-Identifier: Apache-2.0
#include "traffic/message_packing.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/flit.h"

namespace flitcast {

MessagePacking::MessagePacking(const Section& workload)
    : flit_bytes_(workload.count("flit_bytes")), mtu_(workload.count("mtu")) {
  const std::uint64_t most = (kMaxPacketLength - 1) * flit_bytes_;
  if (mtu_ <= most) return;
  workload.fail(
      "mtu",
      fmt::format("packets of {} bytes would have more than {} flits", mtu_, kMaxPacketLength),
      fmt::format("make it at most {}, or flits wider", most));
}

TraceTask MessagePacking::packet(TraceTask base, NodeId to, std::uint64_t bytes) const {
  base.destination = to;
  base.length = static_cast<std::uint32_t>(1 + (bytes + flit_bytes_ - 1) / flit_bytes_);
  return base;
}

void MessagePacking::add(TraceBuilder& builder, std::uint64_t id, TraceTask base, NodeId to,
                         std::uint64_t bytes, std::uint32_t begin,
                         const std::vector<std::uint32_t>& ends) const {
  std::uint64_t left = bytes;
  do {
    const std::uint64_t part = std::min(left, mtu_);
    builder.add_part(id, packet(base, to, part));
    builder.add_dependency({begin, builder.last()});
    for (const std::uint32_t end : ends) builder.add_dependency({builder.last(), end});
    left -= part;
  } while (left > 0);
}

std::vector<Param> packing_params() {
  return {
      Param::integer("flit_bytes", "bytes", "Payload of a flit.", 1, 65536).defaults_to(16),
      Param::integer("mtu", "bytes",
                     "Largest payload of a packet; longer messages are sent as several packets.", 1,
                     1'000'000)
          .defaults_to(4096)};
}

}  // namespace flitcast
