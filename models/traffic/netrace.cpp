// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/sequences.h"
#include "traffic/trace.h"
#include "traffic/trace_builder.h"

namespace flitcast {
namespace {

constexpr std::size_t kHeaderBytes = 72;
constexpr std::size_t kPartitionBytes = 24;
constexpr std::size_t kPacketBytes = 21;
constexpr std::uint64_t kMagic = 0x484A5455;
constexpr std::uint64_t kVersion1 = 0x3F800000;  // 1.0 as an IEEE float.
constexpr std::uint32_t kControl = 8;            // The bytes of an address and its command.
constexpr std::uint32_t kData = 72;  // The bytes of an address, its command and a cache line.

/// Types of messages without data: read request, write response, upgrade request and response,
/// read-exclusive request, bad address, invalidate request and response, downgrade request.
constexpr std::array<std::uint64_t, 9> kControlTypes{1, 5, 13, 14, 15, 25, 27, 28, 29};
/// Types of messages with data: read response, read response with invalidation, write request,
/// write-back, read-exclusive response, downgrade response.
constexpr std::array<std::uint64_t, 6> kDataTypes{2, 3, 4, 6, 16, 30};

/// The bytes of a message of this type; 0 for an unknown type.
std::uint32_t message_bytes(std::uint64_t type) {
  if (contains(kControlTypes, type)) return kControl;
  return contains(kDataTypes, type) ? kData : 0;
}

class NetraceReader {
 public:
  NetraceReader(std::istream& in, const std::string& file, std::uint32_t flit_bytes)
      : in_(in), file_(file), flit_bytes_(flit_bytes), builder_(file, Trace::Unit::kByte) {}

  Trace read() {
    read_header();
    for (std::uint64_t packet = 0; packet < packets_; ++packet) read_packet();
    begin_ = offset_;
    if (in_.peek() != std::istream::traits_type::eof()) {
      fail(fmt::format("more data after the {} packets that the header announces", packets_));
    }
    return builder_.finish("dependencies");
  }

 private:
  void read_header() {
    take(kHeaderBytes, "the header");
    if (number(0, 4) != kMagic) fail("no Netrace file: its magic number is missing");
    if (number(4, 4) != kVersion1) fail("not version 1.0 of the format");
    nodes_ = number(38, 1);
    packets_ = number(48, 8);
    const std::uint64_t notes = number(56, 4);
    const std::uint64_t partitions = number(60, 4);
    skip(notes, "the notes");
    skip(partitions * kPartitionBytes, "the partitions");
  }

  void read_packet() {
    take(kPacketBytes, "a packet");
    const std::uint64_t cycle = number(0, 8);
    const std::uint64_t id = number(8, 4);
    const std::uint32_t bytes = message_bytes(number(16, 1));
    const std::uint64_t dependencies = number(20, 1);
    if (cycle < last_cycle_) fail(fmt::format("cycle {} after cycle {}", cycle, last_cycle_));
    if (cycle > kMaxTraceCycle) fail(fmt::format("cycle {} is beyond any simulation", cycle));
    if (bytes == 0) fail(fmt::format("{} is no packet type", number(16, 1)));
    last_cycle_ = cycle;
    const TraceTask packet{
        Cycle{cycle}, node(17), node(18), (bytes + flit_bytes_ - 1) / flit_bytes_, 0, 0, begin_};
    if (const auto other = builder_.add(id, packet)) {
      fail(fmt::format("id {} is already the packet at byte {}", id, other->origin));
    }
    take(4 * dependencies, "the dependencies of a packet");
    for (std::uint64_t i = 0; i < dependencies; ++i) builder_.last_is_awaited_by(number(4 * i, 4));
  }

  NodeId node(std::size_t at) const {
    if (number(at, 1) >= nodes_) fail(fmt::format("node {} of {}", number(at, 1), nodes_));
    return to_id<NodeId>(number(at, 1));
  }

  /// Reads the next `count` bytes, which replace the current ones.
  void take(std::size_t count, const char* what) {
    begin_ = offset_;
    in_.read(bytes_.data(), static_cast<std::streamsize>(count));
    offset_ += static_cast<std::uint64_t>(in_.gcount());
    if (offset_ - begin_ < count) fail(fmt::format("the file ends within {}", what));
  }

  void skip(std::uint64_t count, const char* what) {
    while (count != 0) {
      const std::size_t part = std::min<std::uint64_t>(count, bytes_.size());
      take(part, what);
      count -= part;
    }
  }

  /// The little-endian number at `at` in the current bytes, `size` bytes long.
  std::uint64_t number(std::size_t at, std::size_t size) const {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) {
      value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
    }
    return value;
  }

  [[noreturn]] void fail(std::string what) const {
    throw ConfigError(trace_problem(file_, Trace::Unit::kByte, begin_, "", std::move(what),
                                    "use a whole Netrace 1.0 trace"));
  }

  std::istream& in_;
  const std::string file_;
  const std::uint32_t flit_bytes_;
  TraceBuilder builder_;
  std::array<char, 4 * 255> bytes_{};  ///< The current bytes: at most one packet's dependencies.
  std::uint64_t begin_ = 0;            ///< The position of the current bytes in the file.
  std::uint64_t offset_ = 0;           ///< The position of the next bytes in the file.
  std::uint64_t nodes_ = 0;
  std::uint64_t packets_ = 0;
  std::uint64_t last_cycle_ = 0;
};

/// Reads a Netrace 1.0 trace: the coherence messages of a 64-core system with their dependencies.
///
/// All numbers are little-endian.
///
///   header       4 magic 0x484A5455, 4 version (float 1.0), 30 name, 1 number of nodes, 1 unused,
///                8 cycles, 8 packets, 4 length of the notes, 4 number of partitions, 8 unused;
///                the notes; 24 for each partition
///   each packet  8 cycle, 4 id, 4 address, 1 type, 1 source, 1 destination, 1 kinds of the nodes,
///                1 number of dependencies; 4 for each: the id of a packet that waits for this one
///
/// A message is 8 bytes long, or 72 if its type carries a cache line of 64; the packet has
/// ceil(bytes / flit_bytes) flits. A message from a node to itself remains a packet.
///
/// A malformed trace throws ConfigError with the byte, counted in the uncompressed file, and the
/// reason.
/// Source: Hestness, Grot and Keckler, Netrace: Dependency-Driven Trace-Based Network-on-Chip
/// Simulation, NoCArc 2010; Hestness and Keckler, technical report TR-10-11, UT Austin.
Trace read_netrace(const std::string& path, const Section& workload) {
  const auto in = open_trace_file(path, workload);
  const auto flit_bytes = static_cast<std::uint32_t>(workload.integer("flit_bytes"));
  return NetraceReader(*in, path, flit_bytes).read();
}

}  // namespace

TraceFormatEntry netrace_trace_format() {
  return {"netrace",
          "Netrace 1.0, usually .tra.bz2",
          {Param::integer("flit_bytes", "bytes", "Payload of a flit.", 1, 65536)
               .defaults_to(16)
               .follows(kFlitBytes)},
          read_netrace,
          {"file: trace.tra", "file: trace.tra, flit_bytes: 8"}};
}

}  // namespace flitcast
