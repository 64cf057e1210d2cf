// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/flit.h"
#include "base/sequences.h"
#include "config/wording.h"
#include "traffic/chakra_collectives.h"
#include "traffic/chakra_file.h"
#include "traffic/trace.h"
#include "traffic/trace_builder.h"

namespace flitcast {
namespace {

constexpr std::uint64_t kMostBytes = 0xffffffff;  // The most bytes of one message or collective.

/// One end of a message.
struct MessageEnd {
  std::uint32_t task = 0;
  std::optional<std::int64_t> bytes{};
};

/// The messages from one rank to another with the same tag: the first send matches the first
/// receive.
struct Tagged {
  std::vector<MessageEnd> sends{};
  std::vector<MessageEnd> receives{};
};

/// The operations of the ranks of a parallel program, as tasks of their nodes.
class ChakraTrace {
 public:
  ChakraTrace(const std::string& path, const Section& workload)
      : workload_(workload),
        packing_(workload),
        cycles_per_microsecond_(workload.count("clock_mhz")),
        peak_(workload.number("compute.peak")),
        memory_(workload.number("compute.memory")),
        files_(chakra_files(path, workload)),
        places_(places()),
        collectives_(workload, places_, packing_, builder_) {}

  Trace build() {
    for (rank_ = 0; rank_ < files_.size(); ++rank_) {
      problems_.attempt([this] { add_rank(); });
    }
    // The reading stops here, because an id that is missing in one file would be reported for other
    // files as well.
    problems_.throw_if_any();
    for (const auto& [between, messages] : messages_) match(messages);
    collectives_.expand(problems_);
    problems_.throw_if_any();
    Trace trace = builder_.finish("dependencies");
    trace.stream_tasks = std::move(stream_tasks_);
    trace.streams = {static_cast<std::uint32_t>(workload_.count("streams.compute")),
                     static_cast<std::uint32_t>(workload_.count("streams.cpu"))};
    trace.collectives = collectives_.replayed();
    trace.notes = notes();
    return trace;
  }

 private:
  std::vector<std::string> notes() const {
    std::vector<std::string> notes = collectives_.notes();
    if (untimed_ > 0) {
      notes.push_back(fmt::format(
          "compute nodes without a duration, num_ops or tensor_size take no time: {}; give them a "
          "duration_micros",
          untimed_));
    }
    if (wrappers_ > 0) {
      notes.push_back(
          fmt::format("collectives with is_cpu_op and no comm_type send nothing: {}", wrappers_));
    }
    return notes;
  }

  /// By rank: its node.
  std::vector<NodeId> places() const {
    const std::vector<std::int64_t> given = workload_.integers("nodes");
    std::vector<NodeId> places =
        mapped(given, [](std::int64_t node) { return to_id<NodeId>(node); });
    if (given.empty()) places = NumberRange<NodeId>(files_.size());
    if (places.size() != files_.size()) {
      workload_.fail("nodes", fmt::format("{} nodes for {} ranks", places.size(), files_.size()),
                     "name a node for every rank, or leave the key out");
    }
    if (std::set<NodeId>(places.begin(), places.end()).size() != places.size()) {
      workload_.fail("nodes", "two ranks are on one node", "give every rank a node of its own");
    }
    return places;
  }

  void add_rank() {
    const std::string& file = files_[rank_];
    builder_.begin_file(file, places_[rank_]);
    for (const ChakraNode& node :
         read_chakra_file(*open_trace_file(file, workload_), file, problems_)) {
      add(node);
    }
  }

  void add(const ChakraNode& node) {
    if (is_wrapper(node)) {
      ++wrappers_;
      return add_computation(node);
    }
    if (node.type == ChakraNode::Type::kSend) return add_send(node);
    if (node.type == ChakraNode::Type::kReceive) return add_receive(node);
    if (node.type == ChakraNode::Type::kCollective) return add_collective(node);
    add_computation(node);
  }

  /// True for the part of a collective on the CPU, which starts another node that communicates.
  static bool is_wrapper(const ChakraNode& node) {
    return node.type == ChakraNode::Type::kCollective && node.on_cpu && !node.collective;
  }

  void add_computation(const ChakraNode& node) {
    const std::uint64_t most = kMaxTraceCycle - computed_;
    const std::optional<std::uint64_t> cycles = cycles_of(node, most);
    if (!cycles) return;
    if (*cycles > most) {
      return complain(node, "its duration is beyond any simulation", "use a shorter trace");
    }
    TraceTask task = nothing(node);
    task.delay = *cycles;
    computed_ += task.delay;
    if (!stands_for(node, task)) return;
    wait_for_dependencies(node);
    const auto unit = node.on_cpu ? ComputeUnit::kCpu : ComputeUnit::kAccelerator;
    if (!node.on_cpu && node.type != ChakraNode::Type::kCompute) return;
    stream_tasks_.push_back({builder_.last(), unit, node.id, rank_});
  }

  /// The time of a node without a message; more than `most` cycles count as `most` + 1. Reports a
  /// problem and returns no value if the node has an amount of work, but no duration, and the
  /// experiment has no rate for it.
  std::optional<std::uint64_t> cycles_of(const ChakraNode& node, std::uint64_t most) {
    if (node.type == ChakraNode::Type::kMetadata) return 0;
    const bool computes = node.type == ChakraNode::Type::kCompute && !node.on_cpu;
    const auto operations = static_cast<double>(computes ? node.operations.value_or(0) : 0);
    const auto moved = static_cast<double>(node.on_cpu ? 0 : node.moved.value_or(0));
    const bool is_priced = operations > 0 && peak_ > 0;
    if (node.micros != 0 && !is_priced) {
      return node.micros > most / cycles_per_microsecond_ ? most + 1
                                                          : node.micros * cycles_per_microsecond_;
    }
    if (operations > 0 && peak_ == 0) {
      complain(node, fmt::format("num_ops is {:.0f}, and there is no duration", operations),
               "set workload.compute.peak to the TFLOP/s of a rank");
      return std::nullopt;
    }
    if (operations == 0 && moved > 0 && memory_ == 0) {
      complain(node, fmt::format("tensor_size is {:.0f}, and there is no duration", moved),
               "set workload.compute.memory to the GB/s of a rank's memory");
      return std::nullopt;
    }
    if (operations == 0 && moved == 0) ++untimed_;
    const double moving = memory_ > 0 ? moved / (memory_ * 1e3) : 0;
    const double micros = std::max(is_priced ? operations / (peak_ * 1e6) : 0, moving);
    const double cycles = micros * static_cast<double>(cycles_per_microsecond_);
    return cycles > static_cast<double>(most) ? most + 1 : static_cast<std::uint64_t>(cycles);
  }

  void add_receive(const ChakraNode& node) {
    const auto source = partner(node, node.source, "comm_src");
    const auto target = own_rank(node, node.target, "comm_dst");
    const bool good_size = has_size(node, false);
    if (!source || !target || !good_size || !stands_for(node, nothing(node))) return;
    wait_for_dependencies(node);
    messages_[{*source, rank_, node.tag.value_or(0)}].receives.push_back(
        {builder_.last(), node.bytes});
  }

  void add_send(const ChakraNode& node) {
    const auto target = partner(node, node.target, "comm_dst");
    const auto source = own_rank(node, node.source, "comm_src");
    const bool good_size = has_size(node, true);
    if (!source || !target || !good_size) return;
    const auto bytes = static_cast<std::uint64_t>(*node.bytes);
    const auto end = packing_.is_one_packet(bytes) ? send_whole(node, *target, bytes)
                                                   : send_in_parts(node, *target, bytes);
    if (end) messages_[{rank_, *target, node.tag.value_or(0)}].sends.push_back({*end, node.bytes});
  }

  /// Adds the task whose end is the arrival of the message; returns no value if the id is taken.
  std::optional<std::uint32_t> send_whole(const ChakraNode& node, std::size_t target,
                                          std::uint64_t bytes) {
    if (!stands_for(node, packing_.packet(nothing(node), places_[target], bytes))) {
      return std::nullopt;
    }
    wait_for_dependencies(node);
    return builder_.last();
  }

  std::optional<std::uint32_t> send_in_parts(const ChakraNode& node, std::size_t target,
                                             std::uint64_t bytes) {
    const auto ends = begin_and_end(node);
    if (!ends) return std::nullopt;
    const auto [begin, end] = *ends;
    packing_.add(builder_, node.id, nothing(node), places_[target], bytes, begin, {end});
    return end;
  }

  void add_collective(const ChakraNode& node) {
    if (!node.collective || !ChakraCollectives::knows(*node.collective)) {
      return complain(node,
                      node.collective ? fmt::format("comm_type is {}", *node.collective)
                                      : "comm_type is missing",
                      "use types 0 (all-reduce) to 9 (barrier)");
    }
    if (!has_size(node, false)) return;
    const auto ends = begin_and_end(node);
    if (!ends) return;
    collectives_.add(node.group, {rank_, node.id, *node.collective,
                                  static_cast<std::uint64_t>(node.bytes.value_or(0)), ends->first,
                                  ends->second});
  }

  /// Adds the tasks that begin and end an operation of several tasks; returns no value if the id is
  /// taken.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> begin_and_end(const ChakraNode& node) {
    if (!stands_for(node, nothing(node))) return std::nullopt;
    const std::uint32_t end = builder_.last();
    builder_.add_part(node.id, nothing(node));
    wait_for_dependencies(node);
    return std::pair(builder_.last(), end);
  }

  /// A task of this rank that takes no time.
  TraceTask nothing(const ChakraNode& node) const {
    return {Cycle{0}, places_[rank_], places_[rank_], 0, 0, 0, node.origin};
  }

  /// Adds the task whose end completes the operation; returns false if the id is taken.
  bool stands_for(const ChakraNode& node, const TraceTask& task) {
    const auto other = builder_.add(node.id, task);
    if (!other) return true;
    complain(node, fmt::format("its id is already that of the node at byte {}", other->origin),
             "give every node of a file an id of its own");
    return false;
  }

  void wait_for_dependencies(const ChakraNode& node) {
    for (const std::uint64_t id : node.dependencies) builder_.last_waits_for(id);
  }

  /// The rank at the other end of a message; reports a problem and returns no value if it does not
  /// exist.
  std::optional<std::size_t> partner(const ChakraNode& node,
                                     const std::optional<std::int64_t>& rank, const char* key) {
    const auto count = static_cast<std::int64_t>(files_.size());
    if (rank && *rank >= 0 && *rank < count) return static_cast<std::size_t>(*rank);
    complain(node,
             rank ? fmt::format("{} is {}, and there are {} ranks", key, *rank, count)
                  : fmt::format("{} is missing", key),
             fmt::format("write a rank from 0 to {}", count - 1));
    return std::nullopt;
  }

  /// The rank of the file; reports a problem and returns no value if the operation names another
  /// rank.
  std::optional<std::size_t> own_rank(const ChakraNode& node,
                                      const std::optional<std::int64_t>& rank, const char* key) {
    if (!rank || *rank == static_cast<std::int64_t>(rank_)) return rank_;
    complain(node, fmt::format("{} is {} in the file of rank {}", key, *rank, rank_),
             "name this rank, or leave it out");
    return std::nullopt;
  }

  bool has_size(const ChakraNode& node, bool required) {
    const std::uint64_t most = std::min(packing_.most_bytes(), kMostBytes);
    if (!node.bytes && !required) return true;
    if (node.bytes && *node.bytes >= 0 && *node.bytes <= static_cast<std::int64_t>(most)) {
      return true;
    }
    complain(node,
             node.bytes ? fmt::format("comm_size is {}", *node.bytes) : "comm_size is missing",
             fmt::format("write a number of bytes from 0 to {}{}", most,
                         most < kMostBytes ? ", or raise workload.mtu" : ""));
    return false;
  }

  void match(const Tagged& messages) {
    const auto& [sends, receives] = messages;
    const std::size_t pairs = std::min(sends.size(), receives.size());
    for (std::size_t i = 0; i < pairs; ++i) {
      builder_.add_dependency({sends[i].task, receives[i].task});
      if (!receives[i].bytes || receives[i].bytes == sends[i].bytes) continue;
      complain(receives[i].task,
               fmt::format("receives {} bytes, where {} sends {}", *receives[i].bytes,
                           builder_.name(sends[i].task), *sends[i].bytes),
               "give both the same comm_size");
    }
    for (std::size_t i = pairs; i < sends.size(); ++i) {
      complain(sends[i].task, "this send has no matching receive", kSameTag);
    }
    for (std::size_t i = pairs; i < receives.size(); ++i) {
      complain(receives[i].task, "this receive has no matching send", kSameTag);
    }
  }

  static constexpr const char* kSameTag =
      "give the two ranks as many sends as receives of the same comm_tag";

  void complain(const ChakraNode& node, const std::string& what, std::string hint) {
    problems_.add(trace_problem(files_[rank_], Trace::Unit::kByte, node.origin, "",
                                fmt::format("node {}: {}", node.id, what), std::move(hint)));
  }
  void complain(std::uint32_t task, const std::string& what, std::string hint) {
    problems_.add(builder_.problem(task, "", builder_.name(task) + ": " + what, std::move(hint)));
  }

  const Section& workload_;
  const MessagePacking packing_;
  const std::uint64_t cycles_per_microsecond_;
  const double peak_;    ///< TFLOP/s of a rank; 0: unknown.
  const double memory_;  ///< GB/s of a rank's memory; 0: unknown.
  const std::vector<std::string> files_;
  const std::vector<NodeId> places_;
  TraceBuilder builder_{Trace::Unit::kByte, "node"};
  ChakraCollectives collectives_;
  std::size_t rank_ = 0;  ///< The rank whose file is read.
  ProblemList problems_;
  std::vector<StreamTask> stream_tasks_;
  std::size_t untimed_ = 0;     ///< Computations without any time.
  std::size_t wrappers_ = 0;    ///< See is_wrapper().
  std::uint64_t computed_ = 0;  ///< The cycles of all computations; their sum must not overflow.
  std::map<std::tuple<std::size_t, std::size_t, std::int64_t>, Tagged> messages_;
};

/// Reads a Chakra execution trace: the operations of every rank of a parallel program, called nodes
/// there, with their dependencies.
///
/// Compute operations take their recorded time; with workload.compute.peak, those with num_ops take
/// max(num_ops / peak, tensor_size / memory) instead (the roofline). Without a time of either kind
/// they are refused if they name an amount of work, and otherwise take no time, which a note says.
/// Memory operations take their recorded time or tensor_size / memory. A rank has `streams.compute`
/// streams for operations that compute and `streams.cpu` for those with is_cpu_op; of several ready
/// operations the one with the smallest id begins. Messages, collectives and memory operations need
/// no stream. A send is a message of comm_size bytes to the rank comm_dst, in packets of a header
/// flit and at most `mtu` bytes, all created in the same cycle; it is done when the last packet has
/// arrived. A receive from comm_src is done when its own dependencies and the matching send are
/// done: sends and receives of the same tag between the same ranks match in the order of the files.
/// Collectives are replayed as messages, see ChakraCollectives. Start times are ignored.
///
/// Every error is reported with file, byte and operation: the errors of chakra_files() and
/// read_chakra_file(); duplicate ids and ids that do not exist; impossible ranks, sizes and times;
/// sends and receives without a match; operations that wait for themselves, directly or through
/// messages.
Trace read_chakra(const std::string& path, const Section& workload) {
  if (workload.text("dependencies") != "honour") {
    workload.fail("dependencies", "a Chakra trace says nothing but what waits for what",
                  "use dependencies: honour");
  }
  return ChakraTrace(path, workload).build();
}

std::vector<Param> chakra_params() {
  std::vector<Param> params = packing_params();
  params.push_back(Param::integer("clock_mhz", "MHz",
                                  "Cycles of the network in a microsecond of recorded computation.",
                                  1, 100'000)
                       .defaults_to(1000)
                       .follows(kClockInMhz));
  params.push_back(Param::integers("nodes", "node",
                                   "Nodes of rank 0, rank 1 and so on; none: in order.", 0,
                                   4294967295.0)
                       .defaults_to(nlohmann::json::array()));
  const auto rate = [&](const char* key, const char* unit, const char* help) {
    params.push_back(Param::number(key, unit, help, 0).defaults_to(0.0).dumped_if_changed());
  };
  rate("compute.peak", "TFLOP/s",
       "Operations of a rank, for nodes with num_ops; 0: they take their recorded durations.");
  rate("compute.memory", "GB/s",
       "Memory of a rank: nodes with a tensor_size take at least the time to move it; 0: unknown.");
  rate("combine", "GB/s",
       "Arriving data that a rank adds up in a collective, messages side by side; 0: a third of "
       "compute.memory (two reads and a write), or without that no time.");
  const auto streams = [&](const char* key, const char* help) {
    params.push_back(Param::integer(key, "", help, 0, 65535).defaults_to(1));
  };
  streams("streams.compute", "Compute nodes that a rank works on at once; 0: all that are ready.");
  streams("streams.cpu", "The same for nodes with is_cpu_op.");
  for (Param& param : collective_replay_params()) params.push_back(std::move(param));
  return params;
}

}  // namespace

TraceFormatEntry chakra_trace_format() {
  return {"chakra",
          "Chakra execution traces 0.0.4, a file NAME.RANK.et for every rank",
          chakra_params,
          read_chakra,
          {"file: traces", "file: traces/step, mtu: 256, clock_mhz: 1200, nodes: [3, 0]"}};
}

}  // namespace flitcast
