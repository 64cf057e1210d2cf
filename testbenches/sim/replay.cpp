// SPDX-License-Identifier: Apache-2.0
#include "replay.h"

#include <algorithm>
#include <map>
#include <queue>
#include <sstream>
#include <utility>

namespace flitcast::program {

namespace {

/// Computes when packets of a trace are due, given the arrivals of their predecessors.
class Due {
 public:
  Due(const Trace& trace, bool dependencies)
      : successors_(trace.tasks.size()), awaited_(trace.tasks.size()) {
    for (const TraceTask& packet : trace.tasks) earliest_.push_back(index(packet.earliest));
    if (dependencies) {
      for (const TraceDependency& dependency : trace.dependencies) {
        successors_[dependency.before].push_back(dependency.after);
        ++awaited_[dependency.after];
      }
    }
    for (std::size_t packet = 0; packet < awaited_.size(); ++packet) release(packet);
  }

  bool none() const { return queue_.empty(); }

  /// Returns the next packet in order of time and then of the trace, with its cycle.
  std::pair<std::uint64_t, std::size_t> pop() {
    const auto first = queue_.top();
    queue_.pop();
    return first;
  }

  void arrived(std::size_t packet, std::uint64_t cycle) {
    for (const std::size_t after : successors_[packet]) {
      earliest_[after] = std::max(earliest_[after], cycle + 1);
      --awaited_[after];
      release(after);
    }
  }

 private:
  void release(std::size_t packet) {
    if (awaited_[packet] == 0) queue_.emplace(earliest_[packet], packet);
  }

  using Entry = std::pair<std::uint64_t, std::size_t>;

  std::vector<std::uint64_t> earliest_;
  std::vector<std::vector<std::size_t>> successors_;
  std::vector<std::size_t> awaited_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

bool matches(const LoggedPacket& row, const TraceTask& packet, std::uint64_t due) {
  return row.source == index(packet.source) && row.destination == index(packet.destination) &&
         row.length == packet.length && row.created == due;
}

}  // namespace

std::vector<LoggedPacket> read_packet_log(const std::string& csv) {
  std::vector<LoggedPacket> rows;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);  // Column names.
  while (std::getline(lines, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    LoggedPacket row;
    std::uint64_t latency = 0;
    std::uint64_t network_latency = 0;
    fields >> row.packet >> row.source >> row.destination >> row.length >> row.created >>
        row.injected >> row.arrived >> latency >> network_latency >> row.hops;
    if (!fields) break;  // The rows of packets that have not arrived are at the end.
    fields >> row.message_class;
    rows.push_back(row);
  }
  return rows;
}

std::string contradiction(const Trace& trace, const std::vector<LoggedPacket>& log,
                          bool dependencies) {
  std::map<std::string, const LoggedPacket*> rows;
  for (const LoggedPacket& row : log) rows[row.packet] = &row;
  std::map<std::uint64_t, std::uint64_t> created;  // Packets by source.
  std::size_t replayed = 0;
  for (Due due(trace, dependencies); !due.none(); ++replayed) {
    const auto [cycle, packet] = due.pop();
    const std::uint64_t source = index(trace.tasks[packet].source);
    const std::string which =
        "packet " + std::to_string(packet) + " of the trace, due in cycle " + std::to_string(cycle);
    const auto row = rows.find(std::to_string(source) + "." + std::to_string(created[source]++));
    if (row == rows.end()) return which + ", did not arrive";
    if (!matches(*row->second, trace.tasks[packet], cycle)) {
      return which + ", is another, created in " + std::to_string(row->second->created);
    }
    due.arrived(packet, row->second->arrived);
  }
  if (replayed != trace.tasks.size() || log.size() != replayed) return "packets too many";
  return {};
}

}  // namespace flitcast::program
