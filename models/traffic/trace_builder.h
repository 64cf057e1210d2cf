// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "config/problem.h"
#include "traffic/trace.h"

namespace flitcast {

/// Converts tasks that refer to each other by the ids of their files into a Trace, and refuses
/// dependencies that no network can satisfy.
class TraceBuilder {
 public:
  /// The largest trace: about 7 GB of memory while it is read.
  static constexpr std::size_t kMostTasks = std::size_t{1} << 26;

  /// Builds a trace from one file of packets.
  TraceBuilder(std::string file, Trace::Unit unit) : TraceBuilder(unit, "packet") {
    begin_file(std::move(file));
  }
  /// Builds a trace from several files.
  /// @param thing  The kind of items with ids, for messages.
  TraceBuilder(Trace::Unit unit, std::string thing) : thing_(std::move(thing)) {
    trace_.unit = unit;
  }

  /// The items added from now on belong to this file, which has its own ids. Called before the
  /// first task.
  /// @param node  With several files, each has the tasks of one node.
  void begin_file(std::string name, NodeId node = {});

  /// Adds a task under the id. Returns the task of this file that already has the id; no value if
  /// `task` was added.
  std::optional<TraceTask> add(std::uint64_t id, const TraceTask& task);

  /// Adds a further task of the operation with the id in the file of its node; references to the id
  /// do not denote this task.
  void add_part(std::uint64_t id, const TraceTask& task);

  /// The task added last, which must exist.
  std::uint32_t last() const { return static_cast<std::uint32_t>(trace_.tasks.size() - 1); }

  /// The task added last waits for, or is awaited by, the task with this id in its file, which may
  /// be added later.
  /// @param column  Column of the reference in the line of the task, from 1; 0: unknown.
  void last_waits_for(std::uint64_t id, int column = 0) {
    mentions_.push_back({last(), id, column, false});
  }
  void last_is_awaited_by(std::uint64_t id) { mentions_.push_back({last(), id, 0, true}); }

  /// Adds a dependency between two tasks, both of which have been added.
  void add_dependency(TraceDependency dependency) { trace_.dependencies.push_back(dependency); }

  const TraceTask& task(std::uint32_t number) const { return trace_.tasks[number]; }

  /// A problem in the item of a task.
  Problem problem(std::uint32_t task, const std::string& key, std::string what, std::string hint,
                  int column = 0) const;

  /// The name of a task's item: "packet 3", or with several files "node 3 of ring.0.et".
  std::string name(std::uint32_t task) const;

  /// Finishes the trace. Throws ConfigError, with `key` as the source of the references, for ids
  /// that do not exist, for tasks that wait for themselves and for a trace without packets.
  Trace finish(const std::string& key);

 private:
  struct Mention {
    std::uint32_t task;  ///< The task whose entry in the file names the id.
    std::uint64_t id;
    int column;
    bool downwards;  ///< True if the other task waits for `task`.
  };

  using Ids = std::unordered_map<std::uint64_t, std::uint32_t>;

  void resolve(const std::string& key);
  void refuse_cycles(const std::string& key) const;
  /// Tasks that form a dependency cycle.
  std::vector<std::uint32_t> cycle(const std::vector<std::uint32_t>& waiting) const;

  const std::string thing_;
  Trace trace_;
  std::vector<std::uint64_t> ids_;                               ///< By task: its id.
  std::vector<Ids> task_of_id_;                                  ///< By file: its ids.
  std::unordered_map<std::uint32_t, std::size_t> file_of_node_;  ///< Used with several files.
  std::vector<Mention> mentions_;
};

}  // namespace flitcast
