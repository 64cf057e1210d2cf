// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <array>
#include <deque>
#include <string>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/controllers/controller.h"
#include "rtl/verilated_bench.h"
#include "support/test_catch.h"

namespace flitcast {

/// The models of the designs in clos_controllers_tb.sv, in its order. The last two differ in gates
/// alone.
inline const std::array<std::string, 5> kDesigns{"seq_counter", "seq_adder", "par_counter",
                                                 "par_adder", "par_adder"};

/// What the designs are given in a cycle; bit d of `valid` and `ready` is that of design d.
struct ClosCycle {
  BitSet wanted;
  BitSet available;
  unsigned valid = 0;
  unsigned ready = ~0U;
};

/// Ready, and the beat; what of it means nothing is 0.
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
  std::string text() const {
    return fmt::format("ready {:d}, valid {:d}, last {:d}, fail {:d}, {}:{:x}", ready, valid, last,
                       fail, middle, served);
  }
};

/// A Verilated clos_controllers_tb and the models of its designs, equal after every edge or else
/// the test ends. Words of all designs have 64 bits at most: m r, too.
template <class Top>
class ClosLockStep {
 public:
  explicit ClosLockStep(const clos::ControllerParams& params)
      : params_(params), store_(params.m, params.r) {
    for (const auto& name : kDesigns) {
      models_.emplace_back(find(clos::controllers(), name)->make, params);
    }
    reset();
  }

  /// Only while no design serves a request.
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
    drive(top_->req_valid_i, cycle.valid & kAll);
    drive(top_->beat_ready_i, cycle.ready & kAll);
    top_.edge();
    const clos::ControllerOffer offer{cycle.wanted, cycle.available};
    for (std::size_t d = 0; d < kDesigns.size(); ++d) {
      const bool valid = (cycle.valid >> d & 1) != 0;
      models_[d].edge(store_, (cycle.ready >> d & 1) != 0, valid ? &offer : nullptr);
    }
    compare();
  }

  /// Edges without a request until all designs are ready for one.
  void drain() {
    const ClosCycle idle{BitSet(params_.r), BitSet(params_.m)};
    do edge(idle);
    while (top_->req_ready_o != kAll);
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

  /// Cycles, summed over the designs, that show the last beat of a request,
  std::uint64_t served() const { return served_; }
  /// and such that show one blocked.
  std::uint64_t blocked() const { return blocked_; }

 private:
  static constexpr unsigned kAll = (1U << kDesigns.size()) - 1;

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
    for (std::size_t d = 0; d < kDesigns.size(); ++d) {
      const ClosOutputs now = outputs(d);
      served_ += now.last && !now.fail ? 1 : 0;
      blocked_ += now.fail ? 1 : 0;
      const std::string seen = now.text();
      const std::string wanted = expected(d).text();
      if (seen == wanted) continue;
      INFO("design " << d << " (" << kDesigns[d] << "), edge " << edges_);
      REQUIRE(seen == wanted);
    }
  }

  const clos::ControllerParams params_;
  BitMatrix store_;
  VerilatedBench<Top> top_;
  std::deque<clos::Controller> models_;  // They do not move.
  std::uint64_t edges_ = 0;
  std::uint64_t served_ = 0;
  std::uint64_t blocked_ = 0;
};

}  // namespace flitcast
