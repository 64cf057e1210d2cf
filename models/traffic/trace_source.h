// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/packet_source.h"
#include "config/param.h"
#include "config/section.h"
#include "topology/topology.h"
#include "traffic/successors.h"
#include "traffic/trace.h"

namespace flitcast {

/// The chain of tasks of a replay that took longest: each began when the one before it was done.
struct TaskChain {
  /// The packets with which a task of the chain ended.
  struct Message {
    std::uint32_t packets = 1;  ///< Created at once by the same entry of the file,
    std::uint64_t flits = 0;    ///< up to the one that arrived last and has ended the task,
    std::uint32_t length = 0;   ///< of so many flits,
    std::uint32_t hops = 0;     ///< which crossed so many routers.
    std::uint64_t cycles = 0;   ///< From creation to arrival, that cycle included.
  };

  std::uint64_t cycles = 0;   ///< From cycle 0 to the end of the last task, which is that of all.
  std::uint64_t compute = 0;  ///< Of these, computing or before a task's earliest cycle.
  std::vector<Message> messages{};  ///< The last one first; they take the rest.
};

/// What a node did in a replay from cycle 0 to the end of the last task of all.
struct NodeTime {
  NodeId node{};
  std::uint64_t compute = 0;  ///< Cycles in which it computed, at one task or at several.
  std::uint64_t idle = 0;     ///< The others: it waited for messages, or had nothing to do.
};

/// Replays a trace: every task begins in the first cycle that is not before its own in the trace
/// and after the end of every task that it depends on. A network slower than the traced one thus
/// delays what a program would have done later, instead of being flooded.
///
/// A task that waits for nothing any more and sends nothing costs nothing: what waits for it knows
/// its cycle at once. Packets of one node that are due in the same cycle are created in the order
/// of the trace. PacketRequest::tag is the task's index in the trace.
class TraceSource : public PacketSource {
 public:
  /// @param node_count           Above every source and destination, else std::invalid_argument.
  /// @param honour_dependencies  False: only the cycles of the trace count.
  TraceSource(Trace trace, std::size_t node_count, bool honour_dependencies = true);

  Cycle first(NodeId node) override { return next(nodes_[index(node)]); }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  bool wants_deliveries() const override { return wants_deliveries_; }
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

  /// What the file says and the replay does not heed.
  const std::vector<std::string>& notes() const { return notes_; }

  /// Packets of the whole trace.
  std::size_t packet_count() const { return packet_count_; }

  /// Flits of the longest packet; 0 for an empty trace.
  std::uint32_t longest_packet() const;

  /// Packets created so far; not while create() runs. Asks every node.
  std::size_t created_count() const;

  /// Whether nothing will be created any more, whatever is delivered.
  bool all_created() const { return created_count() == packet_count(); }

  /// Absent before everything is done, for a trace of packets alone, which does not say what was
  /// computed in between, and where dependencies are not honoured.
  std::optional<TaskChain> longest_chain() const;

  /// Of every node that has a task, by number; empty where there is no longest chain. O(T log T).
  std::vector<NodeTime> node_times() const;

 private:
  using Ready = std::pair<Cycle, std::uint32_t>;  // When to create which packet.

  // A cache line each, because the threads that ask for neighbouring nodes may differ.
  struct alignas(64) Node {
    std::vector<Ready> ready;  ///< A heap with the earliest in front; waits for no delivery.
    std::size_t created = 0;
  };

  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  /// How a task came to its end.
  struct End {
    Cycle end{};                    ///< The first cycle in which others may begin.
    std::uint32_t cause = kNobody;  ///< The task whose end it began at; kNobody: at its own cycle.
    std::uint32_t hops = 0;         ///< Of its packet.
  };

  static Cycle next(const Node& node) {
    return node.ready.empty() ? kNever : node.ready.front().first;
  }
  void begin(std::uint32_t task, std::vector<WakeUp>& wake_ups);
  void end(std::uint32_t task, Cycle cycle);
  void begin_what_waited(std::vector<WakeUp>& wake_ups);
  void add_to(TaskChain& chain, std::uint32_t task) const;
  TaskChain::Message message_of(std::uint32_t task) const;

  const std::vector<std::string> notes_;
  std::vector<TraceTask> tasks_;  ///< TraceTask::earliest grows as others end.
  const std::size_t packet_count_;
  const Successors successors_;
  std::vector<std::uint32_t> awaited_;  ///< By task: how many it waits for still.
  const bool wants_deliveries_;
  /// Tasks whose successors have not been told yet, and when they ended.
  std::vector<std::pair<std::uint32_t, Cycle>> ended_;
  std::vector<End> ends_;  ///< By task; empty where there will be no longest chain.
  std::size_t left_;       ///< Tasks that have not ended.
  std::vector<Node> nodes_;
};

/// Makes the replay that a workload of kind `trace` describes. A relative path
/// starts in the folder of the configuration file if the trace is there, otherwise in the working
/// directory. Throws ConfigError for a file that cannot be read or whose packets leave the network.
std::unique_ptr<TraceSource> make_trace(const Section& workload, const Topology& topology);

/// The keys of a workload of kind `trace`, apart from `kind`; those of a format apply while it is
/// chosen.
std::vector<Param> trace_params();

}  // namespace flitcast
