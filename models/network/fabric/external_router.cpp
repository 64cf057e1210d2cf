// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/external_router.h"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "network/fabric/fabric.h"
#include "network/pins/channel.h"
#include "network/pins/process.h"
#include "network/pins/router.h"
#include "router/invariant.h"

namespace flitcast {

namespace {

/// Clears a row and calls visit(port, vc) for each VC whose bit was set in it.
template <class Visit>
void take_row(std::uint64_t* words, std::uint64_t row, std::uint32_t rows, const RouterNode& node,
              Visit&& visit) {
  for (std::uint32_t w = 0; w < node.row_words(); ++w) {
    for (std::uint64_t due = std::exchange(words[w * rows + row], 0); due != 0; due &= due - 1) {
      const unsigned i = w % node.words * 64 + lowest_bit(due);
      visit(node.state->port_of(i), node.state->vc_of(i));
    }
  }
}

}  // namespace

struct ExternalRouter::Wires {
  using Channels = sc_core::sc_vector<pins::ChannelWires>;
  /// The flits that arrive on an input VC.
  struct Arriving {
    unsigned slot = 0;  // Position of the next head in the ring.
    Flit flit{};        // The last flit; initially a tail.
  };

  Wires(std::size_t input_ports, std::size_t output_ports, std::size_t virtual_channels)
      : inputs("in", input_ports),
        outputs("out", output_ports),
        arriving(input_ports * virtual_channels),
        held(input_ports * virtual_channels, 0),
        next_slots(output_ports * virtual_channels, 0) {}

  sc_core::sc_signal<bool> reset_n{"reset_n", false};
  Channels inputs;
  Channels outputs;
  std::vector<Arriving> arriving;
  std::vector<unsigned> held;        // Credits that have not returned, per input VC.
  std::int64_t inside = 0;           // Flits, or packets, that have entered and have not left.
  std::vector<unsigned> next_slots;  // Position of the next head downstream, per output VC.
};

namespace {

// Refuses input_speedup > 1: the router's pins carry one credit per port and cycle.
void refuse_input_speedup(const RouterOptions& options) {
  if (options.input_speedup <= 1) return;
  throw std::invalid_argument(
      "with input_speedup a router returns several credits at once, for which an external router "
      "beside it has no pins");
}

}  // namespace

ExternalRouter::ExternalRouter(const sc_core::sc_module_name& name, Fabric& fabric,
                               const ExternalSlot& slot)
    : sc_module(name), fabric_(fabric), router_(slot.router) {
  refuse_input_speedup(fabric.params().router.options);
  const auto inputs = static_cast<unsigned>(fabric.topology().input_count(router_));
  const auto outputs = static_cast<unsigned>(fabric.topology().output_count(router_));
  module_ = slot.make("router", site_of(fabric, router_));
  wires_ = std::make_unique<Wires>(inputs, outputs, fabric.params().router.virtual_channels);
  // The port of the base class, as the fabric's has another policy than an sc_in.
  static_cast<sc_core::sc_port_b<sc_core::sc_signal_in_if<bool>>&>(module_->clk_i)
      .bind(fabric.clk_i);
  module_->rst_ni(wires_->reset_n);
  for (unsigned port = 0; port < inputs; ++port) bind_input(*module_, port, wires_->inputs[port]);
  for (unsigned port = 0; port < outputs; ++port) {
    bind_output(*module_, port, wires_->outputs[port]);
  }
  SC_HAS_PROCESS(ExternalRouter);
  SC_METHOD(on_falling_edge);
  sensitive << module_->clk_i.neg();
  dont_initialize();
}

ExternalRouter::~ExternalRouter() = default;

void ExternalRouter::on_falling_edge() {
  cycle_ = index(fabric_.now()) - 1;
  if (is_reset_ && !misused_) {
    misused_ = !pins::do_reporting(*this, cycle_, [this] {
      collect_flits();
      collect_credits();
    });
  }
  drive_inputs();
  drive_credits();
  wires_->reset_n.write(is_reset_);
  is_reset_ = fabric_.now() != Cycle{0} && !fabric_.in_reset();
}

void ExternalRouter::reset() {
  fabric_.router_node(router_).external = true;
  wires_->arriving.assign(wires_->arriving.size(), {});
  for (auto* counts : {&wires_->held, &wires_->next_slots}) counts->assign(counts->size(), 0);
  wires_->inside = 0;
  is_reset_ = misused_ = false;
}

bool ExternalRouter::counts(const Flit& flit) const {
  return flit.head || fabric_.params().unit() == BufferUnit::kFlit;
}

unsigned ExternalRouter::sound(unsigned port, unsigned vc) const {
  if (vc < fabric_.params().router.virtual_channels) return vc;
  broken_invariant("no such virtual channel", port, vc);
}

// A flit on the outputs in cycle t was granted departure() - 1 cycles earlier, and the channel
// counts its latency from the grant.
void ExternalRouter::collect_flits() {
  RouterNode& node = fabric_.router_node(router_);
  const unsigned virtual_channels = fabric_.params().router.virtual_channels;
  const unsigned ring = ring_slots(fabric_.params().router);
  const std::uint64_t granted = cycle_ + 1 - fabric_.params().router.pipeline.departure();
  for (unsigned port = 0; port < wires_->outputs.size(); ++port) {
    const pins::ChannelWires& wires = wires_->outputs[port];
    if (!wires.valid.read()) continue;
    const unsigned vc = sound(port, wires.vc.read());
    const Flit& flit = wires.flit.read();
    wires_->inside -= counts(flit);
    last_move_ = cycle_;
    unsigned& slot = wires_->next_slots[port * virtual_channels + vc];
    node.outputs[port].send(granted, fabric_.rows() - 1, vc, vc * ring + slot, flit);
    if (flit.head) slot = (slot + 1) % ring;
  }
}

void ExternalRouter::collect_credits() {
  RouterNode& node = fabric_.router_node(router_);
  for (unsigned port = 0; port < wires_->inputs.size(); ++port) {
    const pins::ChannelWires& wires = wires_->inputs[port];
    if (!wires.credit_valid.read()) continue;
    const unsigned vc = sound(port, wires.credit_vc.read());
    unsigned& held = wires_->held[port * node.state->virtual_channels + vc];
    if (held == 0) broken_invariant("credit that no flit has taken", port, vc);
    --held;
    node.inputs[port].post(cycle_, fabric_.rows() - 1, vc);
    last_move_ = cycle_;
  }
}

void ExternalRouter::drive_inputs() {
  RouterNode& node = fabric_.router_node(router_);
  for (pins::ChannelWires& wires : wires_->inputs) wires.valid.write(false);
  const std::uint64_t row = (cycle_ + 1) & (fabric_.rows() - 1);
  take_row(node.arrivals, row, fabric_.rows(), node, [&](unsigned port, unsigned vc) {
    wires_->inputs[port].valid.write(true);
    wires_->inputs[port].vc.write(vc);
    const Flit& flit = arriving(port, vc, row);
    wires_->inputs[port].flit.write(flit);
    wires_->held[port * node.state->virtual_channels + vc] += counts(flit);
    wires_->inside += counts(flit);
    last_move_ = cycle_;
  });
}

// If packets are stored as a whole, each flit is in the row in which it is due. Otherwise only
// heads are in the ring, and the other flits are derived from them.
const Flit& ExternalRouter::arriving(unsigned port, unsigned vc, std::uint64_t row) {
  const RouterNode& node = fabric_.router_node(router_);
  if (node.landing != nullptr) return node.landing[port * fabric_.rows() + row];
  const RouterState& state = *node.state;
  Wires::Arriving& arriving = wires_->arriving[port * state.virtual_channels + vc];
  if (arriving.flit.tail()) {
    arriving.flit = state.packets[state.vc_index(port, vc) * state.ring + arriving.slot];
    arriving.slot = state.behind(arriving.slot);
  } else {
    step_behind(arriving.flit);
  }
  return arriving.flit;
}

void ExternalRouter::drive_credits() {
  RouterNode& node = fabric_.router_node(router_);
  for (pins::ChannelWires& wires : wires_->outputs) wires.credit_valid.write(false);
  const std::uint64_t row = (cycle_ + 1) & (fabric_.rows() - 1);
  take_row(node.credits, row, fabric_.rows(), node, [&](unsigned port, unsigned vc) {
    wires_->outputs[port].credit_valid.write(true);
    wires_->outputs[port].credit_vc.write(vc);
  });
}

void ExternalRouter::audit() const {
  const RouterParams& params = fabric_.params().router;
  const bool copies = fabric_.routing().multicast();
  const std::vector<unsigned>& held = wires_->held;
  const std::int64_t in_buffers = std::accumulate(held.begin(), held.end(), std::int64_t{0});
  const bool at_rest = index(fabric_.now()) - last_move_ > fabric_.longest_standstill();
  const auto in_pipeline =
      static_cast<std::int64_t>(at_rest ? 0 : wires_->outputs.size() * params.pipeline.departure());
  if (!copies && wires_->inside > in_buffers + in_pipeline) {
    throw InvariantError(fmt::format(
        "flits are lost in external router {}: {} more have entered than left; its buffers hold {}",
        index(router_), wires_->inside, in_buffers));
  }
  const Totals totals = fabric_.totals();
  const bool all_left =
      totals.receivers == totals.receivers_retired() || (!copies && in_buffers > wires_->inside);
  for (std::size_t i = 0; at_rest && all_left && i < held.size(); ++i) {
    if (held[i] == 0) continue;
    throw InvariantError(fmt::format(
        "credits = depth where nothing is in flight, on the channel to external router {} port {}, "
        "VC {}: {} of {} have not returned",
        index(router_), i / params.virtual_channels, i % params.virtual_channels, held[i],
        params.buffer_depth));
  }
}

pins::Site site_of(const Fabric& fabric, RouterId router) {
  pins::Site site = pins::sites_of(fabric.topology(), fabric.params())[index(router)];
  site.packet_id = [&fabric](const Flit& head) {
    return number_in_queues(fabric.partitions().packet(head.packet), fabric.params());
  };
  return site;
}

}  // namespace flitcast
