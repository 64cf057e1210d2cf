// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <deque>
#include <string>
#include <vector>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/controllers/controller.h"
#include "rtl/verilated_bench.h"
#include "support/test_catch.h"

namespace flitcast {

struct ClosDesign {
  std::string name;
  clos::ControllerDesign model;
};

/// Lists the controllers of clos_controllers_tb.sv in its order.
template <std::size_t RowsPerClock>
const std::vector<ClosDesign>& clos_designs() {
  static const std::vector<ClosDesign> designs = [] {
    std::vector<ClosDesign> result;
    for (const auto& entry : clos::controllers()) result.push_back({entry.name, entry.make});
    result.push_back({"seq_adder_rows", clos::seq_adder_of(RowsPerClock)});
    result.push_back({"seq_counter_pruned", clos::pruned_seq_counter()});
    return result;
  }();
  return designs;
}

/// Inputs of the designs in a cycle; bit d of `valid` and `ready` belongs to design d.
struct ClosCycle {
  BitSet wanted;
  BitSet available;
  unsigned valid = 0;
  unsigned ready = ~0U;
};

/// Outputs of one controller: ready, and the beat. mask() sets the fields without a meaning to 0.
struct ClosOutputs {
  bool ready = false;
  bool valid = false;
  bool last = false;
  bool fail = false;
  std::size_t middle = 0;
  std::uint64_t served = 0;

  void mask() {
    if (!valid) last = fail = false;
    if (!valid || fail) middle = served = 0;
  }
  bool operator==(const ClosOutputs& other) const {
    return ready == other.ready && valid == other.valid && last == other.last &&
           fail == other.fail && middle == other.middle && served == other.served;
  }
  std::string text() const {
    return fmt::format("ready {:d}, valid {:d}, last {:d}, fail {:d}, {}:{:x}", ready, valid, last,
                       fail, middle, served);
  }
};

/// Runs a Verilated clos_controllers_tb in lock-step with the models of its designs and fails the
/// test if their outputs differ after an edge. All words, including the m r bits of a store, have
/// at most 64 bits.
template <class Top, std::size_t RowsPerClock>
class ClosLockStep {
 public:
  explicit ClosLockStep(const clos::ControllerParams& params)
      : params_(params), store_(params.m, params.r) {
    for (const ClosDesign& design : designs()) models_.emplace_back(design.model, params);
    reset();
  }

  static const std::vector<ClosDesign>& designs() { return clos_designs<RowsPerClock>(); }

  /// Sets the store; allowed only while no design serves a request.
  void set_store(const BitMatrix& store) {
    store_ = store;
    std::uint64_t word = 0;
    for (std::size_t j = 0; j < params_.m; ++j) word |= store.row(j)[0] << j * params_.r;
    drive(top_->store_i, word);
  }

  void reset() {
    top_.reset();
    for (auto& model : models_) model.reset();
    compare();
  }

  void edge(const ClosCycle& cycle) {
    drive(top_->req_set_i, *cycle.wanted.words());
    drive(top_->req_avail_i, *cycle.available.words());
    drive(top_->req_valid_i, cycle.valid & all_);
    drive(top_->beat_ready_i, cycle.ready & all_);
    top_.edge();
    const clos::ControllerOffer offer{cycle.wanted, cycle.available};
    for (std::size_t d = 0; d < designs().size(); ++d) {
      const bool valid = (cycle.valid >> d & 1) != 0;
      models_[d].edge(store_, (cycle.ready >> d & 1) != 0, valid ? &offer : nullptr);
    }
    compare();
  }

  /// Applies edges without a request until all designs are ready for one.
  void drain() {
    const ClosCycle idle{BitSet(params_.r), BitSet(params_.m)};
    do edge(idle);
    while (top_->req_ready_o != all_);
  }

  /// Offers the request to every design until that design accepts it, and returns when all designs
  /// are ready again. `sinks()` returns the mask of designs whose sink takes a beat at the next
  /// edge.
  template <class Sinks>
  void serve(ClosCycle cycle, Sinks&& sinks) {
    for (cycle.valid = all_; cycle.valid != 0 || top_->req_ready_o != all_;) {
      const unsigned taken = top_->req_ready_o;
      cycle.ready = sinks();
      edge(cycle);
      cycle.valid &= ~taken;
    }
  }

  ClosOutputs outputs(std::size_t design) {
    ClosOutputs result;
    result.ready = (top_->req_ready_o >> design & 1) != 0;
    result.valid = (top_->beat_valid_o >> design & 1) != 0;
    result.last = (top_->beat_last_o >> design & 1) != 0;
    result.fail = (top_->beat_fail_o >> design & 1) != 0;
    result.middle = field(top_->beat_middle_o, middle_bits(), design);
    result.served = field(top_->beat_set_o, params_.r, design);
    result.mask();
    return result;
  }

  /// Number of cycles, summed over the designs, that show the last beat of a request.
  std::uint64_t served() const { return served_; }
  /// Number of cycles, summed over the designs, that show a blocked request.
  std::uint64_t blocked() const { return blocked_; }

 private:
  template <class Pin>
  static void drive(Pin& pin, std::uint64_t value) {
    pin = static_cast<Pin>(value);
  }
  std::size_t middle_bits() const {
    std::size_t bits = 1;
    while (std::size_t{1} << bits < params_.m) ++bits;
    return bits;
  }
  static std::uint64_t field(std::uint64_t word, std::size_t bits, std::size_t index) {
    return word >> index * bits & ((std::uint64_t{1} << bits) - 1);
  }

  ClosOutputs expected(std::size_t design) const {
    const clos::Controller& model = models_[design];
    const clos::Beat& beat = model.beat();
    ClosOutputs result{model.request_ready(), model.beat_valid(),  beat.last, beat.fail,
                       index(beat.middle),    *beat.served.words()};
    result.mask();
    return result;
  }

  void compare() {
    ++edges_;
    for (std::size_t d = 0; d < designs().size(); ++d) {
      const ClosOutputs now = outputs(d);
      served_ += now.last && !now.fail ? 1 : 0;
      blocked_ += now.fail ? 1 : 0;
      const ClosOutputs wanted = expected(d);
      if (now == wanted) continue;
      INFO(designs()[d].name << ", edge " << edges_);
      REQUIRE(now.text() == wanted.text());
    }
  }

  const clos::ControllerParams params_;
  const unsigned all_ = (1U << designs().size()) - 1;
  BitMatrix store_;
  VerilatedBench<Top> top_;
  std::deque<clos::Controller> models_;  // A deque never moves its elements.
  std::uint64_t edges_ = 0;
  std::uint64_t served_ = 0;
  std::uint64_t blocked_ = 0;
};

}  // namespace flitcast
