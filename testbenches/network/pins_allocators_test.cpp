// SPDX-License-Identifier: Apache-2.0
// The pin-level allocators decide like the core of the wormhole router in every cycle.
#include <deque>
#include <random>
#include <utility>

#include "network/pins/allocators.h"
#include "router/core_bench.h"
#include "support/collected_errors.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

constexpr unsigned kDepth = 3;

/// Derives the requests to the allocators for the next cycle from the state of a core between two
/// cycles; routing and grants take one cycle each.
class Requests {
 public:
  explicit Requests(const RouterState& core) : core_(core) {}

  bool waits(unsigned i) const {
    return core_.inputs[i].route_vcs != 0 && core_.inputs[i].output == InputVc::kNone;
  }
  bool can_send(unsigned i) const {
    const InputVc& in = core_.inputs[i];
    return in.output != InputVc::kNone && in.count != 0 && core_.outputs[in.output].credits != 0;
  }
  VcSet free(unsigned port) const {
    VcSet vcs = 0;
    for (unsigned vc = 0; vc < core_.virtual_channels; ++vc) {
      if (core_.outputs[core_.vc_index(port, vc)].owner == OutputVc::kNone) vcs |= VcSet{1} << vc;
    }
    return vcs;
  }

 private:
  const RouterState& core_;
};

/// The core between random neighbours; each packet may use some VCs of one output.
class OpenBench : public BenchOf<WormholeCore<1>, OpenBench> {
 public:
  OpenBench(const pins::AllocatorShape& shape, unsigned seed)
      : BenchOf(params_of(shape), shape.ports, shape.ports), shape_(shape), random_(seed) {
    left_.resize(shape.numbers());
  }

  Route route(unsigned, unsigned, const Flit& head) const {
    const auto vcs = static_cast<VcSet>(head.route_field);
    return {PortId{static_cast<std::uint16_t>(index(head.destination))}, vcs};
  }
  void depart(unsigned output, unsigned vc, unsigned slot, const Flit& flit) {
    departures.push_back({cycle, output, vc, slot, index(flit.packet), flit.remaining});
    owed_.emplace_back(output, vc);
  }

  /// Drives the next cycle: a flit at some inputs, and credits for some flits that have left.
  void play() {
    for (unsigned port = 0; port < shape_.ports; ++port) {
      const unsigned vc = pick(shape_.virtual_channels);
      if (pick(4) != 0 && core.inputs[core.vc_index(port, vc)].count < kDepth) offer(port, vc);
    }
    std::vector<bool> paid(shape_.ports, false);
    for (std::size_t owed = owed_.size(); owed > 0; --owed) {
      const auto [output, vc] = owed_.front();
      owed_.pop_front();
      if (paid[output] || pick(3) == 0) {
        owed_.emplace_back(output, vc);
      } else {
        paid[output] = true;
        credit(output, vc);
      }
    }
  }

 private:
  static RouterParams params_of(const pins::AllocatorShape& shape) {
    RouterParams params;
    params.virtual_channels = shape.virtual_channels;
    params.buffer_depth = kDepth;
    return params;
  }

  unsigned pick(unsigned choices) { return static_cast<unsigned>(random_() % choices); }

  void offer(unsigned port, unsigned vc) {
    std::deque<Flit>& packet = left_[port * shape_.virtual_channels + vc];
    if (packet.empty()) {
      const std::vector<Flit> flits = make_packet(packets_++, pick(shape_.ports), 1 + pick(4));
      packet.assign(flits.begin(), flits.end());
      packet.front().route_field =
          static_cast<std::uint16_t>(1 + pick((1U << shape_.virtual_channels) - 1));
    }
    arrive(port, vc, packet.front());
    packet.pop_front();
  }

  const pins::AllocatorShape shape_;
  std::mt19937 random_;
  std::vector<std::deque<Flit>> left_;  // By input VC, flits still to come.
  std::deque<std::pair<unsigned, unsigned>> owed_;
  unsigned packets_ = 0;
};

/// A signal at each port of a vector of ports.
template <class T>
using Wires = sc_core::sc_vector<sc_core::sc_signal<T>>;

struct AllocatorPins {
  explicit AllocatorPins(const pins::AllocatorShape& its_shape)
      : shape(its_shape),
        vc_allocator("vc_allocator", shape),
        switch_allocator("switch_allocator", shape) {
    for (auto* clocked : {&vc_allocator.clk_i, &switch_allocator.clk_i}) (*clocked)(clk);
    for (auto* reset : {&vc_allocator.rst_ni, &switch_allocator.rst_ni}) (*reset)(rst_n);
    vc_allocator.waiting_i(waiting);
    vc_allocator.route_i(route);
    vc_allocator.vcs_i(vcs);
    vc_allocator.free_i(free);
    vc_allocator.granted_o(granted);
    vc_allocator.vc_o(vc);
    vc_allocator.taken_o(taken);
    switch_allocator.ready_i(ready);
    switch_allocator.route_i(route);
    switch_allocator.sends_o(sends);
    switch_allocator.valid_o(valid);
    switch_allocator.source_o(source);
    half(false);
  }

  /// Drives the requests of the core on the pins and waits for the grants.
  void ask(const RouterState& core) {
    const Requests requests(core);
    for (unsigned n = 0; n < shape.numbers(); ++n) {
      const unsigned i = core.vc_index(n / shape.virtual_channels, n % shape.virtual_channels);
      waiting[n] = requests.waits(i);
      ready[n] = requests.can_send(i);
      route[n] = core.inputs[i].route_port;
      vcs[n] = core.inputs[i].route_vcs;
    }
    for (unsigned port = 0; port < shape.ports; ++port) {
      free[port] = requests.free(port);
    }
    half(false);
  }
  void half(bool level) {
    clk = level;
    sc_core::sc_start(0.5, sc_core::SC_NS);
  }

  const pins::AllocatorShape shape;
  sc_core::sc_signal<bool> clk{"clk"};
  sc_core::sc_signal<bool> rst_n{"rst_n", true};
  Wires<bool> waiting{"waiting", shape.numbers()};
  Wires<bool> ready{"ready", shape.numbers()};
  Wires<unsigned> route{"route", shape.numbers()};
  Wires<VcSet> vcs{"vcs", shape.numbers()};
  Wires<VcSet> free{"free", shape.ports};
  Wires<bool> granted{"granted", shape.numbers()};
  Wires<unsigned> vc{"vc", shape.numbers()};
  Wires<VcSet> taken{"taken", shape.ports};
  Wires<bool> sends{"sends", shape.numbers()};
  Wires<bool> valid{"valid", shape.ports};
  Wires<unsigned> source{"source", shape.ports};
  pins::VcAllocator vc_allocator;
  pins::SwitchAllocator switch_allocator;
};

/// Counts decisions, so that a test can require enough of them.
struct Decisions {
  unsigned vcs = 0;
  unsigned refused = 0;  ///< Input VCs that got no output VC though one was free.
  unsigned flits = 0;
};

void compare_vcs(const AllocatorPins& pins, const RouterState& core, Decisions& seen) {
  std::vector<VcSet> taken(pins.shape.ports, 0);
  for (unsigned n = 0; n < pins.shape.numbers(); ++n) {
    if (!pins.waiting[n]) {
      CHECK_FALSE(pins.granted[n]);
      continue;
    }
    const unsigned i =
        core.vc_index(n / pins.shape.virtual_channels, n % pins.shape.virtual_channels);
    const bool got = core.inputs[i].output != InputVc::kNone;
    REQUIRE(pins.granted[n] == got);
    seen.refused += !got && (pins.free[pins.route[n]].read() & pins.vcs[n].read()) != 0;
    if (!got) continue;
    ++seen.vcs;
    REQUIRE(core.inputs[i].output == core.vc_index(pins.route[n], pins.vc[n]));
    taken[pins.route[n]] |= VcSet{1} << pins.vc[n].read();
  }
  for (unsigned port = 0; port < pins.shape.ports; ++port) REQUIRE(pins.taken[port] == taken[port]);
}

/// Compares departures, and the buffer slots that they freed, beginning with index `from`.
void compare_senders(const AllocatorPins& pins, const OpenBench& bench, std::size_t from,
                     Decisions& seen) {
  std::vector<bool> sends(pins.shape.numbers(), false);
  std::vector<int> sources(pins.shape.ports, -1);
  for (std::size_t d = from; d < bench.departures.size(); ++d) {
    const Freed& freed = bench.freed[d];
    sends[freed.input * pins.shape.virtual_channels + freed.vc] = true;
    sources[bench.departures[d].output] = static_cast<int>(freed.input);
    ++seen.flits;
  }
  for (unsigned n = 0; n < sends.size(); ++n) REQUIRE(pins.sends[n] == sends[n]);
  for (unsigned port = 0; port < pins.shape.ports; ++port) {
    REQUIRE(pins.valid[port] == (sources[port] >= 0));
    if (sources[port] >= 0) REQUIRE(pins.source[port] == static_cast<unsigned>(sources[port]));
  }
}

template <class Work>
std::string told(Work&& work) {
  try {
    work();
  } catch (const sc_core::sc_report& report) {
    return report.what();
  }
  return "";
}

}  // namespace

TEST_CASE("allocators behind pins grant what the core grants, in every cycle", "[network]") {
  const pins::AllocatorShape shape =
      GENERATE(pins::AllocatorShape{5, 2}, pins::AllocatorShape{3, 3}, pins::AllocatorShape{2, 8},
               pins::AllocatorShape{7, 1});
  OpenBench bench(shape, 3);
  AllocatorPins pins(shape);
  Decisions seen;
  for (int cycle = 0; cycle < 2000; ++cycle) {
    bench.play();
    pins.ask(bench.core);
    const std::size_t departed = bench.departures.size();
    bench.tick();
    compare_vcs(pins, bench.core, seen);
    compare_senders(pins, bench, departed, seen);
    pins.half(true);
  }
  CHECK(seen.vcs > 500);
  CHECK(seen.flits > 1500);
  CHECK(seen.refused > 20);
}

TEST_CASE("reset lets the lowest numbers of an allocator go first again", "[network]") {
  AllocatorPins pins({2, 2});
  const auto first_sender = [&] {
    pins.half(false);
    unsigned n = 0;
    while (!pins.sends[n]) ++n;
    return n;
  };
  for (unsigned n = 0; n < 4; ++n) {
    pins.ready[n] = true;
    pins.route[n] = 1;
  }
  CHECK(first_sender() == 0);
  pins.half(true);
  CHECK(first_sender() == 2);  // The other port is next.
  pins.half(true);
  CHECK(first_sender() == 1);  // The other VC is next.
  pins.rst_n = false;
  pins.half(true);
  pins.rst_n = true;
  CHECK(first_sender() == 0);
}

TEST_CASE("allocators report requests for what there is not, and shapes of no router",
          "[network]") {
  const auto cycle = [](AllocatorPins& pins) {
    return told([&] {
      pins.half(false);
      pins.half(true);
    });
  };
  AllocatorPins routed({2, 2});
  routed.waiting[3] = true;
  routed.route[3] = 2;
  CHECK(cycle(routed).find("vc_allocator: request for an unknown output (port 1, VC 1)") !=
        std::string::npos);
  testing::install_fresh_kernel();
  AllocatorPins offered({2, 2});
  offered.waiting[0] = true;
  offered.vcs[0] = 4;
  CHECK(cycle(offered).find("request for an unknown virtual channel (port 0, VC 0)") !=
        std::string::npos);
  testing::install_fresh_kernel();
  AllocatorPins sending({2, 2});
  sending.ready[2] = true;
  sending.route[2] = 7;
  CHECK(cycle(sending).find("switch_allocator: request for an unknown output (port 1, VC "
                            "0)") != std::string::npos);
  for (const pins::AllocatorShape& shape :
       {pins::AllocatorShape{0, 1}, pins::AllocatorShape{3, 22}, pins::AllocatorShape{1, 33}}) {
    testing::install_fresh_kernel();
    CHECK(told([&] { pins::VcAllocator("v", shape); }).find("v: an allocator has") !=
          std::string::npos);
    testing::install_fresh_kernel();
    CHECK(told([&] { pins::SwitchAllocator("s", shape); }).find("s: an allocator has") !=
          std::string::npos);
    testing::install_fresh_kernel();
    const testing::Silenced parameters("/flitcast/pins/parameters");
    const pins::VcAllocator v("v", shape);
    CHECK(parameters.count() == 1);
    const pins::SwitchAllocator s("s", shape);
    CHECK(parameters.count() == 2);
  }
}
