// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/flit.h"
#include "collective/catalog.h"
#include "collective/cost.h"
#include "collective/paths.h"
#include "collective/verification.h"
#include "sim/experiment/workload.h"
#include "traffic/collective_player.h"
#include "traffic/vector_ledger.h"

namespace flitcast {

/// The results of a collective operation on the abstract machine, and its time on the network.
struct CollectiveVerdict {
  std::string algorithm;
  Verification verification{};
  bool has_paths = true;  ///< The plan, or the routers that copy its messages, fix their paths.
  /// The number of channels used by all messages of a multicast; absent for other operations.
  std::optional<std::size_t> links{};
  LowerBound bound{};
  CostModel cost{};  ///< The cost model of the configured network; its length is that of the
                     ///< longest message.
  /// Absent if there is no formula: for channels with individual latencies, gossip by routers that
  /// do not store packets, messages without certain paths, and rounds under a central control that
  /// the formulas do not cover. A lower bound if messages of a round share a channel.
  std::optional<std::uint64_t> analytic_cycles{};
  std::optional<std::uint64_t> cycles{};  ///< The measured cycles, once the operation is finished.
  std::vector<NodeId> rank_nodes{};       ///< The result of Placement::nodes().
  /// The paths of messages whose plan has no paths, if their routing makes them certain.
  std::optional<MessagePaths> paths{};
  bool self_timed = false;

  /// True if the path of every message is known.
  bool knows_paths() const { return has_paths || paths.has_value(); }
  /// Measured minus analytic cycles of messages whose plan has no paths; the messages wait for each
  /// other. Absent if either time is absent, and for self-timed sends.
  std::optional<std::uint64_t> contention_cycles() const;
};

/// Reads the operation of an experiment, its source and receivers, and the nodes of its ranks from
/// the section `workload` and from `node.ports`. Throws ConfigError for a placement under an
/// algorithm that places its ranks itself, a source that does not take part, and receivers that do
/// not exist.
CollectiveContext collective_instance(const WorkloadContext& context);

/// The node of every rank of a collective operation: workload.nodes lists the nodes that take part,
/// workload.mapping puts them in order.
///
///   identity        the order of `nodes`, which by default are all nodes in rising order
///   snake           the order of a walk through a grid that reverses at the end of every row,
///                   dimension 0 first: every node is a neighbour of the previous one
///   gray            rank r at position r XOR (r >> 1) of `nodes`, of which there must be 2^k: on a
///                   hypercube consecutive ranks are neighbours, and so are the last and the first
///   {random: SEED}  the order of the random permutation of that seed
///   [list]          the nodes themselves, each once
///
/// Throws one ConfigError with all problems of the two keys: nodes that do not exist or occur
/// twice, a list that is not an order of the nodes, a mapping that is not defined for them.
std::vector<NodeId> nodes_of_ranks(const Section& workload, const Topology& topology);

/// A collective operation of an experiment. `context` must outlive the task, and the task its
/// executor.
struct CollectiveTask {
  const WorkloadContext& context;
  CollectiveContext instance;  ///< The context for which an algorithm is made.
  Collective collective{};
  CollectiveVerdict verdict{};

  const Configuration& configuration() const { return context.configuration; }
  const Section& section() const { return context.section(); }
  const NetworkParams& params() const { return context.params; }
  const Schedule& schedule() const { return collective.plan.schedule; }
  std::uint64_t length() const { return section().count("length"); }
  std::uint64_t longest_message() const { return verdict.cost.length; }
  std::uint32_t longest_packet() const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(longest_message(), kMaxPacketLength));
  }
  /// The cost model if a chunk has `length` flits.
  CostModel cost_at(std::uint64_t length) const {
    CostModel cost = verdict.cost;
    cost.length = flitcast::longest_message(collective.demand, schedule(), length);
    return cost;
  }
  /// The number of router 0 in a plan in which routers take part; else above all numbers of nodes.
  std::size_t first_router() const {
    const bool take_part = collective.discipline.switching == Switching::kThroughRouters;
    return take_part ? collective.demand.nodes : std::size_t{kMaxRouters};
  }
  bool self_timed() const {
    return section().has("timing") && section().text("timing") == "self_timed";
  }
  Switching router_switching() const {
    return context.can.unit == BufferUnit::kPacket ? Switching::kStoreAndForward
                                                   : Switching::kWormhole;
  }

  // The functions below are conditions for routers that replicate packets.

  /// Requires that every message is one packet.
  Precondition with_single_packets() const;
  /// Requires that routers have buffers from which they copy packets.
  Precondition with_buffers(const std::string& hint) const;
  /// Requires that the order of queues does not depend on the destination: the header of a
  /// multicast packet names its source, not its distance.
  Precondition with_order_without_distance() const;
};

/// The way in which a collective operation is carried out on a network: by nodes that send
/// messages, with sums of checksums or of real data; by routers that copy messages of the plan; or
/// by routers that forward or combine packets by their own rules. There is one executor for each.
class CollectiveExecutor {
 public:
  explicit CollectiveExecutor(const CollectiveTask& task) : task_(task) {}
  virtual ~CollectiveExecutor() = default;

  /// The routing of routers that take part; null: the configured one.
  virtual std::shared_ptr<Routing> routing() const { return nullptr; }
  /// Throws ConfigError for keys that exclude each other, and for a configured routing that does
  /// not carry the messages.
  virtual void check() const {}
  /// Adds the paths of messages and their channels to the verdict.
  virtual void measure_paths(CollectiveVerdict& verdict) const { static_cast<void>(verdict); }
  /// The time by the formulas if a chunk has `length` flits.
  /// @param in_turn  As in flitcast::analytic_cycles().
  virtual std::optional<std::uint64_t> analytic_cycles(std::uint64_t length,
                                                       bool in_turn) const = 0;
  virtual void adapt(NetworkPlan& network) const { static_cast<void>(network); }
  /// Throws ConfigError for a network that cannot carry out the operation.
  virtual void check_fit() const {}
  /// Makes the source of packets; null if the network has a problem that is reported elsewhere.
  /// The network must pass check_fit().
  virtual std::unique_ptr<CollectivePlayer> join(const NetworkPlan& network) = 0;

  /// Text added to the description of the operation, such as ", copied by routers".
  virtual const char* manner() const { return ""; }
  /// Text on the data, added to the description of the operation, such as ", add of float32".
  virtual std::string data_text() const { return ""; }
  /// The name of the items that a player counts as wrong.
  virtual const char* parts() const { return "chunks"; }
  virtual std::vector<std::string> notes() const { return {}; }
  /// Adds figures of a finished operation to those of `collective`.
  virtual void add_figures(nlohmann::ordered_json&) const {}
  /// Summary lines of a finished operation.
  virtual std::vector<SummaryLine> summary() const { return {}; }

 protected:
  const CollectiveTask& task() const { return task_; }

 private:
  const CollectiveTask& task_;
};

/// Makes the executor that the experiment selects. Throws PreconditionError if routers cannot carry
/// out the operation.
std::unique_ptr<CollectiveExecutor> make_executor(const CollectiveTask& task);

/// Nodes send the messages of the plan; routers only route them.
class NodeExecutor : public CollectiveExecutor {
 public:
  using CollectiveExecutor::CollectiveExecutor;

  void check() const override;
  void measure_paths(CollectiveVerdict& verdict) const override;
  std::optional<std::uint64_t> analytic_cycles(std::uint64_t length, bool in_turn) const override;
  void check_fit() const override;
  std::unique_ptr<CollectivePlayer> join(const NetworkPlan& network) override;

 protected:
  virtual std::unique_ptr<CollectivePlayer> make_player(DestinationGroups* groups);
};

/// Nodes send the messages of the plan and combine vectors of real data.
std::unique_ptr<CollectiveExecutor> data_executor(const CollectiveTask& task);

// The functions below are for real data in the contributions of an operation that combines them.

/// The keys workload.data.*.
std::vector<Param> collective_data_params();

/// True if the contributions are data; by default they are checksums.
bool has_collective_data(const Section& workload);

/// The data of an operation that has some.
///
/// Throws ConfigError if there is no space for the data.
VectorData vectors_of(const CollectiveTask& task);

/// The results of an operation with data: its sums, and the number of elements that nodes or
/// routers have combined.
void write_data_figures(const VectorLedger& sums, std::uint64_t combined,
                        nlohmann::ordered_json& collective);
std::vector<SummaryLine> data_summary(const VectorLedger& sums, std::uint64_t combined);

/// The meanings of the figures collective.data.*.
std::vector<FigureMeaning> data_figure_meanings();

}  // namespace flitcast
