// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "clos/catalog.h"
#include "rtl/verilated_bench.h"
#include "support/test_catch.h"

namespace flitcast {

/// Uses an RTL controller as the strategy of a network: design `Design` of a Verilated
/// clos_controllers_tb, which must be built for the network's numbers of middle and output
/// switches. The clocks are counted edge by edge. All words have at most 64 bits.
template <class Top, std::size_t Design>
class RtlController : public clos::Strategy {
 public:
  explicit RtlController(const clos::Structure& structure) : structure_(structure) {
    top_->req_valid_i = 0;
    top_->beat_ready_i = kThis;
    top_.reset();
    top_.edge();  // Raises ready.
  }
  static std::unique_ptr<clos::Strategy> make(const clos::StrategyContext& context) {
    return std::make_unique<RtlController>(context.structure);
  }

  void select(const clos::SelectionRequest& request, clos::Selection& selection) override {
    REQUIRE((top_->req_ready_o & kThis) != 0);
    offer(request);
    selection.clear();
    std::size_t passes = 0;
    std::uint64_t clocks = 1;
    for (top_.edge(); !served(); top_.edge(), ++clocks) {
      top_->req_valid_i = 0;
      passes += take_beat(selection);
    }
    passes += take_beat(selection);
    selection.set_passes(passes);
    selection.set_clocks(clocks);
  }

 private:
  static constexpr unsigned kThis = 1U << Design;

  template <class Port>
  static void put(Port& port, std::uint64_t value) {
    port = static_cast<Port>(value);
  }
  std::uint64_t field(std::uint64_t word, std::size_t bits) const {
    return word >> Design * bits & ((std::uint64_t{1} << bits) - 1);
  }
  bool valid() { return (top_->beat_valid_o & kThis) != 0; }
  /// True if the visible beat ends this request; a beat of the request before does not count.
  bool served() { return top_->req_valid_i == 0 && valid() && (top_->beat_last_o & kThis) != 0; }

  void offer(const clos::SelectionRequest& request) {
    std::uint64_t store = 0;
    for (std::size_t j = 0; j < structure_.m; ++j) {
      store |= request.busy.row(j)[0] << j * structure_.r2;
    }
    put(top_->store_i, store);
    put(top_->req_set_i, request.wanted.words()[0]);
    put(top_->req_avail_i, request.candidates.words()[0]);
    put(top_->req_valid_i, kThis);
  }

  /// Adds the visible beat to the selection; returns the number of passes that it stands for.
  std::size_t take_beat(clos::Selection& selection) {
    if (!valid()) return 0;
    if ((top_->beat_fail_o & kThis) != 0) {
      selection.block();
      return 1;
    }
    std::size_t middle_bits = 1;
    while (std::size_t{1} << middle_bits < structure_.m) ++middle_bits;
    const auto middle = static_cast<std::uint32_t>(field(top_->beat_middle_o, middle_bits));
    const SetWord served = field(top_->beat_set_o, structure_.r2);
    selection.add(clos::MiddleId{middle}, &served);
    return 1;
  }

  const clos::Structure structure_;
  VerilatedBench<Top> top_;
};

}  // namespace flitcast
