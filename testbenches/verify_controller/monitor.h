// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "verify_controller/coverage.h"
#include "verify_controller/dut.h"
#include "verify_controller/fault.h"
#include "verify_controller/golden.h"

namespace flitcast::verify {

/// Checks the contract of flitcast_clos_controller.sv at its ports, edge by edge.
///
/// Beats are those of Golden, in order, each for a request taken before; a beat is stable until it
/// is taken; ready is low from the edge that takes a request to the one that makes its last beat
/// visible, and then high until a request is taken; reset clears everything. Without a claimed
/// number of clocks a pass may take up to some hundred clocks, and ready may rise later.
class Monitor {
 public:
  /// @param pass_clocks  The claimed c; 0: no claim.
  /// @param coverage     Must outlive the monitor.
  Monitor(const clos::ControllerParams& params, std::uint64_t pass_clocks, Coverage& coverage);

  /// Checks an edge with these inputs, between these outputs; an offered request belongs to `step`.
  /// Throws a Fault without its position in the scenario.
  void edge(const Step& step, const Inputs& inputs, const Outputs& before, const Outputs& after);

  /// True if a request was taken and its last beat is not visible yet.
  bool serving() const { return serving_; }
  /// The beat that is visible, or the next one; null if none is due.
  const Pass* front() const { return due_.empty() ? nullptr : &due_.front(); }
  /// Edges for which the visible beat has been waiting.
  unsigned waited() const { return waited_; }
  /// Edges since the one that took the request, while it is served.
  unsigned edges() const { return edges_; }

  /// The fewest and the most clocks of a pass without a delaying beat; 0 and 0 before the first.
  std::uint64_t least_clocks() const { return least_clocks_; }
  std::uint64_t most_clocks() const { return most_clocks_; }

 private:
  void in_reset(const Inputs& inputs, const Outputs& before, const Outputs& after);
  void out_of_reset(const Step& step, const Inputs& inputs, const Outputs& before,
                    const Outputs& after);
  void check_waiting(const Outputs& before, const Outputs& after);
  void check_clocks(bool can_update, bool is_new);
  void check_new_beat(const Outputs& after);
  void show_beat();
  void take(const Step& step);
  void check_ready(bool waits, bool must_stay, const Outputs& after);
  void check_progress(const Inputs& inputs, const Outputs& after);
  void cover_reset(const Inputs& inputs, const Outputs& before);
  void cover_request(const Step& step);
  void cover_pass(const Pass& pass);
  void cover_wait();

  const clos::ControllerParams params_;
  const std::uint64_t pass_clocks_;
  Coverage& coverage_;
  Golden golden_;

  std::deque<Pass> due_;      // The pass of the visible beat first.
  std::optional<Pass> last_;  // The pass whose beat was taken last.
  bool serving_ = false;
  // Reset was active at the last edge; outputs are arbitrary at power-up.
  bool was_reset_ = true;
  std::uint64_t stretch_ = 0;  // Requests since the last reset.
  unsigned edges_ = 0;
  unsigned waited_ = 0;
  unsigned ready_edges_ = 0;      // Edges that left ready high.
  std::uint64_t idle_edges_ = 0;  // Edges at which the contract requires nothing.
  std::uint64_t pass_edges_ = 0;  // Edges of the current pass.
  bool delayed_ = false;          // A waiting beat may have stalled it.
  std::uint64_t scan_edges_ = 0;  // Claimed edges left before its UPDATE.
  bool late_ = false;
  std::uint64_t least_clocks_ = 0;
  std::uint64_t most_clocks_ = 0;
};

}  // namespace flitcast::verify
