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

/// Turns tasks that name each other by their files' own ids into a Trace, and refuses dependencies
/// that no network could ever fulfil.
class TraceBuilder {
 public:
  /// For one file of packets.
  TraceBuilder(std::string file, Trace::Unit unit) : TraceBuilder(unit, "packet") {
    begin_file(std::move(file));
  }
  /// For several files.
  /// @param thing  What has ids, for messages.
  TraceBuilder(Trace::Unit unit, std::string thing) : thing_(std::move(thing)) {
    trace_.unit = unit;
  }

  /// The things added from now on are those of this file, which has ids of its own. To be called
  /// before the first task.
  /// @param node  Of several files each tells of the tasks of one node.
  void begin_file(std::string name, NodeId node = {});

  /// The task of this file that has the id already, or nothing when `task` has been added under it.
  std::optional<TraceTask> add(std::uint64_t id, const TraceTask& task);

  /// Adds a part of what has the id in the file of its node, which does not stand for it.
  void add_part(std::uint64_t id, const TraceTask& task);

  /// The task added last; there must be one.
  std::uint32_t last() const { return static_cast<std::uint32_t>(trace_.tasks.size() - 1); }

  /// The task added last waits for, or is awaited by, the one with this id in its file, which may
  /// be added later.
  /// @param column  Where the line of the task mentions it, from 1; 0: unknown.
  void last_waits_for(std::uint64_t id, int column = 0) {
    mentions_.push_back({last(), id, column, false});
  }
  void last_is_awaited_by(std::uint64_t id) { mentions_.push_back({last(), id, 0, true}); }

  /// One task waits for another, both added already.
  void add_dependency(TraceDependency dependency) { trace_.dependencies.push_back(dependency); }

  void add_note(std::string note) { trace_.notes.push_back(std::move(note)); }

  const TraceTask& task(std::uint32_t number) const { return trace_.tasks[number]; }

  /// A fault of what a task is about.
  Problem problem(std::uint32_t task, const std::string& key, std::string what, std::string hint,
                  int column = 0) const;

  /// What a task is about: "packet 3", of several files "node 3 of ring.0.et".
  std::string name(std::uint32_t task) const;

  /// Ends the building. Throws ConfigError, with `key` as the place where ids are mentioned, for
  /// ids that nothing has, for tasks that wait for themselves and for a trace without packets.
  Trace finish(const std::string& key);

 private:
  struct Mention {
    std::uint32_t task;  ///< Whose entry in the file mentions the other's id.
    std::uint64_t id;
    int column;
    bool downwards;  ///< The mentioned one waits, not the mentioning one.
  };

  using Ids = std::unordered_map<std::uint64_t, std::uint32_t>;

  /// Those of the file that tells of the task.
  const Ids& ids_beside(std::uint32_t task) const;

  bool of_one_thing(std::uint32_t a, std::uint32_t b) const {
    return ids_[a] == ids_[b] && trace_.tasks[a].source == trace_.tasks[b].source;
  }
  std::string name_in_chain(std::uint32_t task) const;
  /// Where the line of `task` says that it waits for `before`; 0: unknown.
  int column_of(std::uint32_t task, std::uint32_t before) const;
  void resolve(const std::string& key);
  void refuse_cycles(const std::string& key) const;
  /// Tasks of which each waits for the next and the last for the first.
  std::vector<std::uint32_t> cycle(const std::vector<std::uint32_t>& waiting) const;

  const std::string thing_;
  Trace trace_;
  std::vector<std::uint64_t> ids_;                               ///< By task.
  std::vector<Ids> task_of_id_;                                  ///< By file.
  std::unordered_map<std::uint32_t, std::size_t> file_of_node_;  ///< Of several files.
  std::vector<Mention> mentions_;
};

}  // namespace flitcast
