// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/sequences.h"
#include "traffic/successors.h"

namespace flitcast {
namespace {

/// By task: the number of its predecessors that never finish, which is 0 for all tasks unless there
/// is a cycle. Runs every task without open dependencies, as an ideal network would (Kahn, 1962,
/// topological sorting).
std::vector<std::uint32_t> waiting_for_ever(const Trace& trace) {
  const Successors successors(trace.tasks.size(), trace.dependencies);
  std::vector<std::uint32_t> waiting = predecessor_counts(trace.tasks.size(), trace.dependencies);
  std::vector<std::uint32_t> ready =
      filtered(NumberRange<std::uint32_t>(waiting.size()),
               [&](std::uint32_t task) { return waiting[task] == 0; });
  while (!ready.empty()) {
    const std::uint32_t task = ready.back();
    ready.pop_back();
    for (const std::uint32_t after : successors.of(task)) {
      if (--waiting[after] == 0) ready.push_back(after);
    }
  }
  return waiting;
}

}  // namespace

void TraceBuilder::begin_file(std::string name, NodeId node) {
  file_of_node_[index(node)] = trace_.files.size();
  trace_.files.push_back({std::move(name), node});
  task_of_id_.emplace_back();
}

std::optional<TraceTask> TraceBuilder::add(std::uint64_t id, const TraceTask& task) {
  const auto number = static_cast<std::uint32_t>(trace_.tasks.size());
  const auto [entry, added] = task_of_id_.back().emplace(id, number);
  if (!added) return trace_.tasks[entry->second];
  add_part(id, task);
  return std::nullopt;
}

void TraceBuilder::add_part(std::uint64_t id, const TraceTask& task) {
  trace_.tasks.push_back(task);
  if (trace_.tasks.size() > kMostTasks) {
    throw ConfigError(problem(last(), "", fmt::format("more than {} {}s", kMostTasks, thing_),
                              "use a part of the trace"));
  }
  ids_.push_back(id);
}

Trace TraceBuilder::finish(const std::string& key) {
  const bool sends = any_of(trace_.tasks, [](const TraceTask& task) { return task.sends(); });
  if (!sends) {
    fail({trace_.files.front().name, 0, 0}, "no packets", "use a trace with at least one packet");
  }
  resolve(key);
  refuse_cycles(key);
  return std::move(trace_);
}

Problem TraceBuilder::problem(std::uint32_t task, const std::string& key, std::string what,
                              std::string hint, int column) const {
  return trace_problem(trace_.file_of(task).name, trace_.unit, trace_.tasks[task].origin, key,
                       std::move(what), std::move(hint), column);
}

std::string TraceBuilder::name(std::uint32_t task) const {
  std::string name = fmt::format("{} {}", thing_, ids_[task]);
  if (trace_.files.size() == 1) return name;
  return name + " of " + std::filesystem::path(trace_.file_of(task).name).filename().string();
}

void TraceBuilder::resolve(const std::string& key) {
  ProblemList problems;
  trace_.dependencies.reserve(mentions_.size());
  for (const Mention& mention : mentions_) {
    const NodeId node = trace_.tasks[mention.task].source;
    const std::size_t file = trace_.files.size() == 1 ? 0 : file_of_node_.at(index(node));
    const Ids& ids = task_of_id_[file];
    const auto other = ids.find(mention.id);
    if (other == ids.end()) {
      problems.add(problem(mention.task, key,
                           fmt::format("no {} has the id {}", thing_, mention.id),
                           fmt::format("name a {} of this file", thing_), mention.column));
    } else if (mention.downwards) {
      trace_.dependencies.push_back({mention.task, other->second});
    } else {
      trace_.dependencies.push_back({other->second, mention.task});
    }
  }
  problems.throw_if_any();
}

void TraceBuilder::refuse_cycles(const std::string& key) const {
  const std::vector<std::uint32_t> waiting = waiting_for_ever(trace_);
  if (all_of(waiting, [](std::uint32_t n) { return n == 0; })) return;
  const std::vector<std::uint32_t> tasks = cycle(waiting);
  const auto name_in_chain = [this](std::uint32_t task) {
    return trace_.files.size() == 1 ? std::to_string(ids_[task]) : name(task);
  };
  constexpr std::size_t kShown = 8;
  std::string chain = name(tasks.front()) + " waits for ";
  for (std::size_t i = 1; i < std::min(tasks.size(), kShown); ++i) {
    chain += name_in_chain(tasks[i]) + ", which waits for ";
  }
  chain += tasks.size() > kShown ? fmt::format("... {} {}s in a cycle", tasks.size(), thing_)
                                 : name_in_chain(tasks.front());
  const std::uint64_t before = ids_[tasks[1 % tasks.size()]];
  const Mention* const named = first_where(mentions_, [&](const Mention& mention) {
    return mention.task == tasks.front() && !mention.downwards && mention.id == before;
  });
  throw ConfigError(problem(tasks.front(), key, chain, "remove one of these dependencies",
                            named == nullptr ? 0 : named->column));
}

std::vector<std::uint32_t> TraceBuilder::cycle(const std::vector<std::uint32_t>& waiting) const {
  // A task that never finishes waits for another such task, so following these tasks ends in a
  // cycle.
  std::vector<std::uint32_t> awaited(waiting.size());
  for (const TraceDependency& dependency : trace_.dependencies) {
    if (waiting[dependency.before] != 0) awaited[dependency.after] = dependency.before;
  }
  std::uint32_t task = 0;
  while (waiting[task] == 0) ++task;
  for (std::size_t step = 0; step < waiting.size(); ++step) task = awaited[task];
  std::vector<std::uint32_t> tasks{task};
  for (std::uint32_t next = awaited[task]; next != task; next = awaited[next]) {
    const bool of_one_thing = ids_[next] == ids_[tasks.back()] &&
                              trace_.tasks[next].source == trace_.tasks[tasks.back()].source;
    if (!of_one_thing) tasks.push_back(next);
  }
  return tasks;
}

}  // namespace flitcast
