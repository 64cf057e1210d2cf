// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "config/catalog.h"
#include "config/problem.h"
#include "config/section.h"

namespace flitcast {

/// Latest cycle of a trace: far from kNever, so that adding latencies does not overflow.
inline constexpr std::uint64_t kMaxTraceCycle = std::uint64_t{1} << 62;

/// A packet that a program once sent.
struct TracePacket {
  Cycle earliest{};  ///< It is not created before; at most kMaxTraceCycle.
  NodeId source{};
  NodeId destination{};
  std::uint32_t length = 1;         ///< Flits, 1 to kMaxPacketLength.
  std::uint16_t source_column = 0;  ///< Where its line names the nodes, from 1; 0: unknown.
  std::uint16_t destination_column = 0;
  std::uint64_t origin = 0;  ///< Where the file tells of it: a line or a byte.
};

static_assert(sizeof(TracePacket) == 32, "the memory that Trace promises");

/// The packet `after` is not created before the packet `before` has arrived; both count from 0 in
/// the order of the trace.
struct TraceDependency {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
};

/// The packets of a file, whichever its format, in its order. No packet waits for itself, directly
/// or round a cycle of dependencies. Held in memory: 32 bytes per packet and 8 per dependency.
struct Trace {
  enum class Unit {
    kLine,  ///< Lines of a text, from 1.
    kByte,  ///< Bytes of the uncompressed file, from 0.
  };

  std::string file;
  Unit unit = Unit::kLine;  ///< Of TracePacket::origin.
  std::vector<TracePacket> packets;
  std::vector<TraceDependency> dependencies;
  std::vector<std::string> notes{};  ///< What the file says beyond what a replay can heed.
};

/// A fault at an origin in a trace file.
/// @param column  In the line of the origin, from 1; 0: unknown.
Problem trace_problem(const std::string& file, Trace::Unit unit, std::uint64_t origin,
                      std::string key, std::string what, std::string remedy, int column = 0);

/// Reads a trace from an open file; `file` is its name for messages. Throws ConfigError.
using TraceReader = Trace (*)(std::istream& in, const std::string& file, const Section& workload);

using TraceFormatEntry = CatalogEntry<TraceReader>;

/// The formats that a user can name under workload.format, open to more.
Catalog<TraceFormatEntry>& trace_formats();

/// Opens a file for reading, decompressing on the way when it is a bzip2 file by its first bytes
/// (several compressed streams in a row, as parallel compressors write, are one). Null when it
/// cannot be opened.
///
/// Reading from the stream throws ConfigError where the compressed data is damaged or ends too
/// early.
std::unique_ptr<std::istream> open_trace_file(const std::string& path);

}  // namespace flitcast
