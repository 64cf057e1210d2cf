// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
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

/// An operation of a program at a node: it computes for a while, and then sends a packet, if any.
/// It begins when all of its dependencies are done, but not before `earliest`; it is done when its
/// packet has arrived, or when it has computed.
struct TraceTask {
  Cycle earliest{};  ///< The earliest cycle in which it begins; at most kMaxTraceCycle.
  NodeId source{};   ///< The node of the task.
  NodeId destination{};
  std::uint32_t length = 0;  ///< The flits of the packet, 1 to kMaxPacketLength; 0: no packet.
  std::uint16_t source_column = 0;  ///< The column of the node in its line, from 1; 0: unknown.
  std::uint16_t destination_column = 0;
  std::uint64_t origin = 0;  ///< The position in the file: a line or a byte.
  std::uint64_t delay = 0;   ///< The cycles of computation.

  bool sends() const { return length != 0; }
};

static_assert(sizeof(TraceTask) == 40, "the memory that Trace promises");

/// The task `after` does not begin before the cycle after the end of `before`; both are indices
/// into the trace.
struct TraceDependency {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
};

/// The units of a node that compute. A unit has streams, each of which works on one task at a time.
enum class ComputeUnit : std::uint8_t { kAccelerator, kCpu };
inline constexpr std::size_t kComputeUnits = 2;

/// A task without a packet that computes, and takes a stream of a unit meanwhile if the trace
/// bounds the streams of the unit. Of the tasks that could begin, the task with the smallest number
/// begins first. All tasks that it precedes, up to the next packets, are of the same node.
struct StreamTask {
  std::uint32_t task = 0;
  ComputeUnit unit = ComputeUnit::kAccelerator;
  std::uint64_t number = 0;  ///< The number of the task in its file.
  std::size_t rank = 0;      ///< The place of this file in Trace::files.
};

/// Collective operations of one kind that a trace replays as messages.
struct ReplayedCollectives {
  std::string operation;
  std::string algorithm;
  std::size_t ranks = 0;
  std::size_t count = 0;  ///< The number of operations.
};

/// The operations of a program at all nodes, in the order of the files, independent of their
/// format. No task waits for itself, directly or through a cycle of dependencies. A trace takes 40
/// bytes of memory per task and 8 per dependency.
struct Trace {
  enum class Unit {
    kLine,  ///< The lines of a text, from 1.
    kByte,  ///< The bytes of the uncompressed file, from 0.
  };

  /// One of the source files.
  struct File {
    std::string name;
    NodeId node{};  ///< With several files, each has the tasks of one node.
  };

  std::vector<File> files;
  Unit unit = Unit::kLine;  ///< The unit of TraceTask::origin.
  std::vector<TraceTask> tasks;
  std::vector<TraceDependency> dependencies;
  std::vector<std::string> notes{};  ///< Information that a replay ignores, and its assumptions.
  std::vector<StreamTask> stream_tasks{};
  /// By ComputeUnit: the streams of a node; 0: its tasks take none.
  std::array<std::uint32_t, kComputeUnits> streams{};
  std::vector<ReplayedCollectives> collectives{};

  /// The file of a task.
  const File& file_of(std::uint32_t task) const;
};

/// An error at an origin in a trace file.
/// @param column  Column in the line of the origin, from 1; 0: unknown.
Problem trace_problem(const std::string& file, Trace::Unit unit, std::uint64_t origin,
                      std::string key, std::string what, std::string hint, int column = 0);

/// The ranks that the key `ranks` of a section names. Adds a problem if it names none, one twice,
/// or one that is not below `count`.
std::vector<std::size_t> named_ranks(const Section& section, std::size_t count,
                                     ProblemList& problems);

/// Reads the trace of a workload of kind `trace` from `path`, the value of its key `file`. Throws
/// ConfigError.
using TraceReader = Trace (*)(const std::string& path, const Section& workload);

using TraceFormatEntry = CatalogEntry<TraceReader>;

/// The formats that a user can name under workload.format; extensible.
Catalog<TraceFormatEntry>& trace_formats();

/// Opens a file for reading; decompresses it if its first bytes show a bzip2 file (several
/// concatenated streams, as parallel compressors write, count as one). Null if it cannot be opened.
///
/// Reading from the stream throws ConfigError if the compressed data is damaged or truncated.
std::unique_ptr<std::istream> open_trace_file(const std::string& path);

/// Opens a file as open_trace_file() above, but throws a ConfigError at the key `file` instead of
/// returning null.
std::unique_ptr<std::istream> open_trace_file(const std::string& path, const Section& workload);

}  // namespace flitcast
