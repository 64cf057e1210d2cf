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

/// Something that a program once did at a node: it computed for a while, and then it sent a packet
/// unless that was all. It begins when everything that it depends on is done and not before
/// `earliest`; it is done when its packet has arrived, or when it has computed.
struct TraceTask {
  Cycle earliest{};  ///< At most kMaxTraceCycle.
  NodeId source{};   ///< Where.
  NodeId destination{};
  std::uint32_t length = 0;         ///< Flits of the packet, 1 to kMaxPacketLength; 0: none.
  std::uint16_t source_column = 0;  ///< Where its line names the nodes, from 1; 0: unknown.
  std::uint16_t destination_column = 0;
  std::uint64_t origin = 0;  ///< Where the file tells of it: a line or a byte.
  std::uint64_t delay = 0;   ///< Cycles that it computes.

  bool sends() const { return length != 0; }
};

static_assert(sizeof(TraceTask) == 40, "the memory that Trace promises");

/// The task `after` does not begin before the cycle behind the last one of `before`; both count
/// from 0 in the order of the trace.
struct TraceDependency {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
};

/// What a program did at all nodes, whichever the format of its files, in their order. No task
/// waits for itself, directly or round a cycle of dependencies. Held in memory: 40 bytes per task
/// and 8 per dependency.
struct Trace {
  enum class Unit {
    kLine,  ///< Lines of a text, from 1.
    kByte,  ///< Bytes of the uncompressed file, from 0.
  };

  /// One of the files that it was read from.
  struct File {
    std::string name;
    NodeId node{};  ///< Of several files each tells of the tasks of one node.
  };

  std::vector<File> files;
  Unit unit = Unit::kLine;  ///< Of TraceTask::origin.
  std::vector<TraceTask> tasks;
  std::vector<TraceDependency> dependencies;
  std::vector<std::string> notes{};  ///< What the file says beyond what a replay can heed.

  /// The file that tells of a task.
  const File& file_of(std::uint32_t task) const;
};

/// A fault at an origin in a trace file.
/// @param column  In the line of the origin, from 1; 0: unknown.
Problem trace_problem(const std::string& file, Trace::Unit unit, std::uint64_t origin,
                      std::string key, std::string what, std::string hint, int column = 0);

/// Reads the trace of a workload of kind `trace`; `path` is what its key `file` leads to. Throws
/// ConfigError.
using TraceReader = Trace (*)(const std::string& path, const Section& workload);

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

/// The same, with the fault of the key `file` in the place of null.
std::unique_ptr<std::istream> open_trace_file(const std::string& path, const Section& workload);

}  // namespace flitcast
