// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
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

/// The critical path of a replay: each of its tasks began when the one before it was done.
struct TaskChain {
  /// The packets with which a task of the path ended.
  struct Message {
    /// The packets that the same entry of the file creates in one cycle.
    std::uint32_t packets = 1;
    /// The flits of these packets, up to the packet that arrived last and ended the task.
    std::uint64_t flits = 0;
    std::uint32_t length = 0;  ///< The length of the last packet in flits.
    std::uint32_t hops = 0;    ///< The routers that the last packet crossed.
    std::uint64_t cycles = 0;  ///< The cycles from its creation to its arrival, inclusive.
  };

  std::uint64_t cycles = 0;   ///< The cycles from cycle 0 to the end of the last task.
  std::uint64_t compute = 0;  ///< Cycles of computation, and of waits for an earliest cycle.
  /// The messages of the path, latest first; they take the remaining cycles.
  std::vector<Message> messages{};
};

/// The activity of a node from cycle 0 to the end of the last task of all nodes.
struct NodeTime {
  NodeId node{};
  std::uint64_t compute = 0;  ///< Cycles in which it computed, at one task or at several.
  std::uint64_t idle = 0;     ///< The other cycles, in which it waited for messages or had no task.
};

/// Replays a trace: every task begins in the first cycle that is not before the task's cycle in the
/// trace and is after the end of every task that it depends on. A network slower than the traced
/// one thus delays later packets, instead of being flooded.
///
/// A task without a packet takes no event of the simulation: its end is known when its last
/// predecessor ends. Tasks that need a stream of their node take two events: when they become ready
/// and when they end. Packets of one node that are due in the same cycle are created in the order
/// of the trace; several of one entry of the file to one node are one message (Packet::continues).
/// PacketRequest::tag is the task's index in the trace.
class TraceSource : public PacketSource {
 public:
  /// @param node_count           Above all node numbers of the trace; otherwise throws
  ///                             std::invalid_argument.
  /// @param honour_dependencies  False: only the cycles of the trace are used.
  /// @param node_ports           Ports of a node, by which its packets leave in turn.
  TraceSource(Trace trace, std::size_t node_count, bool honour_dependencies = true,
              std::size_t node_ports = 1);

  Cycle first(NodeId node) override { return next(nodes_[index(node)]); }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  bool wants_deliveries() const override { return wants_deliveries_; }
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

  /// Information that the replay ignores, and its assumptions.
  const std::vector<std::string>& notes() const { return notes_; }
  const std::vector<ReplayedCollectives>& collectives() const { return collectives_; }

  /// Number of packets of the whole trace.
  std::size_t packet_count() const { return packet_count_; }

  /// Flits of the longest packet; 0 for an empty trace.
  std::uint32_t longest_packet() const {
    return largest_of<std::uint32_t>(tasks_, &TraceTask::length);
  }

  /// Packets created so far; not valid while create() runs. O(nodes).
  std::size_t created_count() const { return sum_of<std::size_t>(nodes_, &Node::created); }

  /// True if no further packet will be created, whatever is delivered.
  bool all_created() const { return created_count() == packet_count(); }

  /// The critical path. It is absent until all tasks are done, for a trace of packets only, which
  /// has no computations, and if dependencies are not honoured.
  std::optional<TaskChain> longest_chain() const;

  /// The activity of every node with a task, by node number; empty if there is no critical path.
  /// O(T log T).
  std::vector<NodeTime> node_times() const;

 private:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  using Event = std::pair<Cycle, std::uint32_t>;  // A cycle and a task.
  /// Tasks that have ended, and the cycles of their ends.
  using Ends = std::vector<std::pair<std::uint32_t, Cycle>>;

  /// A compute unit of a node.
  struct Unit {
    std::set<std::pair<std::uint64_t, std::uint32_t>> waiting;  ///< Ready tasks, by Need::number.
    std::uint32_t running = 0;                                  ///< Streams in use.
    std::uint32_t last = kNobody;                               ///< The task that ended last.
  };

  // Each node has its own cache line, because different threads may call for neighbouring nodes.
  struct alignas(64) Node {
    /// A heap with the earliest event at the front: a packet to create, or a task that is ready for
    /// a stream or ends there. None of these tasks waits for a delivery.
    std::vector<Event> events;
    std::size_t created = 0;
    std::size_t ended = 0;  ///< Tasks of the node that have ended.
    Ends fresh;             ///< Ends that have not been processed; empty between calls.
    std::array<Unit, kComputeUnits> units;
  };

  /// The need of a task for a stream.
  struct Need {
    std::uint64_t number = 0;
    std::uint8_t unit = kComputeUnits;  ///< A ComputeUnit; kComputeUnits: the task needs no stream.
    bool runs = false;
  };

  /// The end of a task.
  struct End {
    Cycle end{};  ///< The first cycle in which its successors may begin.
    /// The task whose end started this task; kNobody if the task began at its own earliest cycle.
    std::uint32_t cause = kNobody;
    std::uint32_t hops = 0;  ///< The hops of the task's packet.
  };

  static Cycle next(const Node& node) {
    return node.events.empty() ? kNever : node.events.front().first;
  }
  Node& node_of(std::uint32_t task) { return nodes_[index(tasks_[task].source)]; }
  bool needs_stream(std::uint32_t task) const {
    return !needs_.empty() && needs_[task].unit != kComputeUnits;
  }
  void begin(std::uint32_t task, Ends& fresh, std::vector<WakeUp>& wake_ups);
  void end(std::uint32_t task, Cycle cycle, Ends& fresh);
  void begin_what_waited(Ends& fresh, std::vector<WakeUp>& wake_ups);
  void schedule(std::uint32_t task, Cycle cycle);
  void take_event(Node& node, std::vector<PacketRequest>& packets);
  void fill_streams(Node& node, Cycle now);
  void compute_to_the_end();
  bool of_one_message(std::uint32_t a, std::uint32_t b) const;
  TaskChain::Message message_of(std::uint32_t task) const;

  const std::vector<std::string> notes_;
  const std::vector<ReplayedCollectives> collectives_;
  const std::array<std::uint32_t, kComputeUnits> streams_;
  const std::size_t node_ports_;
  std::vector<TraceTask> tasks_;  ///< TraceTask::earliest grows as predecessors end.
  const std::size_t packet_count_;
  const Successors successors_;
  /// By task: the number of predecessors that have not ended.
  std::vector<std::uint32_t> awaited_;
  const bool wants_deliveries_;
  std::vector<End> ends_;    ///< By task: its end; empty if no critical path is computed.
  std::vector<Need> needs_;  ///< By task; empty if no task needs a stream.
  std::size_t delivered_ = 0;
  Ends fresh_;  ///< Ends after deliveries that have not been processed.
  std::vector<Node> nodes_;
};

/// Makes the replay of a workload of kind `trace`. A relative path starts in the folder of the
/// configuration file if the trace is there, otherwise in the working directory. Throws ConfigError
/// for a file that cannot be read or whose packets leave the network, and for ranks that it does
/// not have.
/// @param seed  Which random numbers lengthen the computations.
std::unique_ptr<TraceSource> make_trace(const Section& workload, const Topology& topology,
                                        std::uint64_t seed = 1);

/// The keys of a workload of kind `trace`, except `kind`; those of a format apply if it is chosen.
std::vector<Param> trace_params();

}  // namespace flitcast
