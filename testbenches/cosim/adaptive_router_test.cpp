// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vadaptive_router_deep.h>
#include <Vadaptive_router_turn.h>
#include <Vadaptive_router_uneven.h>
// clang-format on

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "cosim/faults.h"
#include "cosim/router_cosim.h"
#include "cosim/router_neighbours.h"
#include "cosim/rtl_vc_router.h"
#include "network/pins/core_router.h"

using namespace flitcast;

namespace {

/// One to five outputs with any sets of VCs and any priorities, drawn for every input VC and
/// destination.
class DrawnChoices : public OnAllVcs<AdaptiveRouting> {
 public:
  DrawnChoices(const pins::Site& place, std::uint32_t nodes, std::uint8_t levels)
      : OnAllVcs(vc_range(0, place.core.virtual_channels), place.core.selection), nodes_(nodes) {
    std::mt19937 random(9);
    vcs_ = place.core.virtual_channels;
    for (std::size_t i = 0; i < std::size_t{place.inputs} * vcs_ * nodes; ++i) {
      choices_.emplace_back();
      for (auto left = 1 + random() % 5; left > 0; --left) {
        Alternative option;
        option.output = PortId{static_cast<std::uint16_t>(random() % place.outputs)};
        option.vcs = static_cast<VcSet>(1 + random() % all_);
        option.priority = static_cast<std::uint8_t>(random() % levels);
        choices_.back().push_back(option);
      }
    }
  }

  /// Packets wait for the options of the lowest priority.
  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override {
    const auto& choice = choices_[(index(request.input) * vcs_ + index(request.vc)) * nodes_ +
                                  index(request.destination)];
    std::uint8_t lowest = 255;
    for (const Alternative& option : choice) lowest = std::min(lowest, option.priority);
    for (Alternative option : choice) {
      option.route_field = request.route_field;
      option.waits = option.priority == lowest;
      alternatives.add(option);
    }
  }

 private:
  std::size_t nodes_;
  std::size_t vcs_;
  std::vector<std::vector<Alternative>> choices_;
};

/// A router for the lock-step. The values equal the parameters of the models in CMakeLists.txt.
struct Case {
  pins::Site place;
  std::uint32_t nodes = 0;
  std::uint8_t levels = 1;
  VcFlit flit;
  unsigned max_length = 1;
};

/// The routing that stands beside a flitcast_adaptive_router: for each input VC and destination a
/// set of output VCs for each level.
struct ChoiceTable {
  VcFlit flit;
  std::uint8_t levels = 1;
  std::vector<std::vector<std::vector<std::uint32_t>>> answers;

  std::size_t input_vcs() const { return answers.size(); }

  template <class Rtl>
  void answer(Rtl& rtl, const pins::Site& place, std::size_t i, bool request,
              std::uint32_t header) const {
    const std::size_t width = std::size_t{place.outputs} * place.core.virtual_channels;
    for (std::size_t level = 0; level < levels; ++level) {
      std::uint32_t set = ~0U;
      if (request) set = header < answers[i].size() ? answers[i][header][level] : 0;
      set_port_bits(rtl.options_i, (i * levels + level) * width, width, set);
    }
  }
};

/// The level of an option: the number of priorities below its own.
std::size_t level_of(const Alternative& option, const Alternatives& all) {
  std::vector<std::uint8_t> lower;
  for (const Alternative& one : all) {
    if (one.priority < option.priority) lower.push_back(one.priority);
  }
  std::sort(lower.begin(), lower.end());
  return static_cast<std::size_t>(std::unique(lower.begin(), lower.end()) - lower.begin());
}

std::vector<std::uint32_t> sets_of(const Alternatives& all, std::uint8_t levels, std::size_t vcs) {
  std::vector<std::uint32_t> sets(levels);
  for (const Alternative& option : all) {
    sets[level_of(option, all)] |= static_cast<std::uint32_t>(option.vcs)
                                   << (index(option.output) * vcs);
  }
  return sets;
}

ChoiceTable table_of(const Routing& routing, const Case& at) {
  ChoiceTable table{at.flit, at.levels, {}};
  const std::size_t vcs = at.place.core.virtual_channels;
  for (std::size_t i = 0; i < at.place.inputs * vcs; ++i) {
    table.answers.emplace_back();
    for (std::uint32_t node = 0; node < at.nodes; ++node) {
      Alternatives all;
      routing.alternatives({at.place.router, PortId{static_cast<std::uint16_t>(i / vcs)},
                            VcId{static_cast<std::uint8_t>(i % vcs)}, NodeId{node}},
                           all);
      table.answers.back().push_back(sets_of(all, at.levels, vcs));
    }
  }
  return table;
}

RouterParams params(unsigned vcs, unsigned depth, const Pipeline& pipeline, bool whole_packets,
                    OutputSelection selection) {
  RouterParams result;
  result.virtual_channels = vcs;
  result.buffer_depth = depth;
  result.pipeline = pipeline;
  result.whole_packet_credit = whole_packets;
  result.selection = selection;
  result.adaptive = true;
  return result;
}

Case turn_router() {
  return {{RouterId{0}, 4, 4, params(2, 4, {1, 1, 1, 1}, false, OutputSelection::kFreeCredits)},
          16,
          1,
          {4, 4},
          16};
}
Case deep_router() {
  return {{RouterId{0}, 3, 4, params(2, 3, {2, 0, 1, 0}, false, OutputSelection::kRoundRobin)},
          16,
          2,
          {4, 3},
          8};
}
Case uneven_router() {
  return {{RouterId{0}, 2, 3, params(3, 3, {0, 2, 2, 1}, true, OutputSelection::kFreeCredits)},
          32,
          3,
          {5, 2},
          3};
}

template <class Rtl>
using Cosim = RouterCosim<pins::AdaptiveRouter, RtlVcRouter<Rtl, ChoiceTable>, WormholeNeighbours>;

/// The nodes by one of the outputs that lead to them from VC 0 of input 0.
std::vector<std::vector<NodeId>> groups_of(const Routing& routing, const Case& at) {
  std::vector<std::vector<NodeId>> groups(at.place.outputs);
  for (std::uint32_t node = 0; node < at.nodes; ++node) {
    Alternatives all;
    routing.alternatives({at.place.router, PortId{0}, VcId{0}, NodeId{node}}, all);
    groups[index(all.begin()->output)].push_back(NodeId{node});
  }
  return groups;
}

/// `change` may put a fault into the table of the RTL.
template <class Rtl, class Change>
auto twins(const Case& at, Change change) {
  return [at, change] {
    const auto routing = std::make_shared<DrawnChoices>(at.place, at.nodes, at.levels);
    ChoiceTable table = table_of(*routing, at);
    change(table);
    return Cosim<Rtl>(table, at.place, routing, groups_of(*routing, at), at.max_length);
  };
}
template <class Rtl>
auto twins(const Case& at) {
  return twins<Rtl>(at, [](ChoiceTable&) {});
}

template <class Change>
bool differs(Change change) {
  testing::install_fresh_kernel();
  auto bench = twins<Vadaptive_router_uneven>(uneven_router(), change)();
  Lockstep lockstep;
  while (!lockstep.first_difference() && lockstep.cycles() < 3000) step_cosim(bench, lockstep);
  return lockstep.first_difference().has_value();
}

/// Applies `change` to the sets of every input VC and destination.
template <class Change>
auto everywhere(Change change) {
  return [change](ChoiceTable& table) {
    for (auto& of_input_vc : table.answers) {
      for (auto& sets : of_input_vc) change(sets);
    }
  };
}

using Sets = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("the adaptive routers in SystemC and RTL agree with one level, by free credits",
          "[cosim]") {
  check_cosim("adaptive_router_turn", cosim_cycles(), twins<Vadaptive_router_turn>(turn_router()));
}

TEST_CASE("the adaptive routers in SystemC and RTL agree with two levels, in turn", "[cosim]") {
  check_cosim("adaptive_router_deep", cosim_cycles(), twins<Vadaptive_router_deep>(deep_router()));
}

TEST_CASE("the adaptive routers in SystemC and RTL agree with three levels, cut-through",
          "[cosim]") {
  check_cosim("adaptive_router_uneven", cosim_cycles(),
              twins<Vadaptive_router_uneven>(uneven_router()));
}

TEST_CASE("lock-step finds wrong levels and sets beside an adaptive router", "[cosim]") {
  CHECK_FALSE(differs(everywhere([](Sets&) {})));
  CHECK(differs(everywhere([](Sets& sets) {
    if (sets[1] != 0) std::swap(sets[0], sets[1]);
  })));
  CHECK(differs(everywhere([](Sets& sets) { sets[0] |= sets[1], sets[1] = 0; })));
  CHECK(differs(everywhere([](Sets& sets) { sets[2] = 0; })));
  CHECK(differs(everywhere([](Sets& sets) { sets[1] &= sets[1] - 1; })));
}

TEST_CASE("lock-step finds a fault in the register bits of an adaptive router", "[faults]") {
  const auto missed = [](const auto& make, std::size_t stride, std::vector<std::string> rules) {
    rules.push_back(kRequester0IsLater);
    return unexplained(faults_not_found(make, stride, "", 50'000), rules, stride);
  };
  const std::vector<std::string> none;
  CHECK(missed(twins<Vadaptive_router_uneven>(uneven_router()), 37, {}) == none);
}
