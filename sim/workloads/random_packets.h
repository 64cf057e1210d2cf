// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/experiment/workload.h"
#include "traffic/load.h"
#include "traffic/pattern.h"

namespace flitcast {

/// Random packets without an end, measured in a window.
class RandomPackets : public Workload {
 public:
  explicit RandomPackets(const WorkloadContext& context) : context_(context) {}

  std::uint32_t longest_packet() const final;
  std::uint32_t shortest_packet() const final;
  bool ends() const final { return false; }
  std::vector<std::string> notes() const final { return notes_; }

 protected:
  const WorkloadContext& context() const { return context_; }
  const Section& section() const { return context_.section(); }
  /// The lengths of packets in flits.
  virtual std::vector<std::int64_t> lengths() const { return section().integers("packet_length"); }

  void note(const std::string& text) { notes_.push_back(text); }
  /// Adds notes about the pattern that the section names, each after the prefix.
  void note_pattern(const Pattern& pattern, const Section& section, const Topology& topology,
                    const std::string& prefix = "");
  /// Returns "at 0.1 flits per node and cycle, packets of 1 or 5 flits".
  std::string rates_text(const Load& load) const;
  /// Adds a note if a load exceeds what nodes can inject; called at the end of join().
  /// @param name  Begins the note: "workload.load is".
  /// @param load  The highest load of a node, in flits per cycle.
  void compare_with_injection(const NetworkPlan& network, const std::string& name, double load);

 private:
  const WorkloadContext context_;
  std::vector<std::string> notes_;
};

/// Makes the workload `traffic` with several classes; throws ConfigError.
std::unique_ptr<Workload> make_classed_packets(const WorkloadContext& context);

/// Returns the mean load, "0.1", and its range if nodes differ: "0.1 (0 to 0.4)".
std::string load_text(const Load& load);

/// Returns "5 flits", "1 or 5 flits" or "1, 3 or 5 flits".
std::string lengths_text(const std::vector<std::int64_t>& lengths);

}  // namespace flitcast
