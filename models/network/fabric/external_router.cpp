// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/external_router.h"

#include <stdexcept>
#include <utility>
#include <vector>

#include "network/fabric/fabric.h"
#include "network/pins/sites.h"

namespace flitcast {

namespace {

/// Empties a row and calls visit(port, vc) for each VC that it announced.
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
  template <class T>
  using Signals = sc_core::sc_vector<sc_core::sc_signal<T>>;

  Wires(std::size_t inputs, std::size_t outputs, std::size_t virtual_channels)
      : in_valid("in_valid", inputs),
        in_vc("in_vc", inputs),
        in_flit("in_flit", inputs),
        in_credit_valid("in_credit_valid", inputs),
        in_credit_vc("in_credit_vc", inputs),
        out_valid("out_valid", outputs),
        out_vc("out_vc", outputs),
        out_flit("out_flit", outputs),
        out_credit_valid("out_credit_valid", outputs),
        out_credit_vc("out_credit_vc", outputs),
        arriving(inputs * virtual_channels),
        out_places(outputs * virtual_channels, 0) {}

  sc_core::sc_signal<bool> reset{"reset"};
  Signals<bool> in_valid;
  Signals<unsigned> in_vc;
  Signals<Flit> in_flit;
  Signals<bool> in_credit_valid;
  Signals<unsigned> in_credit_vc;
  Signals<bool> out_valid;
  Signals<unsigned> out_vc;
  Signals<Flit> out_flit;
  Signals<bool> out_credit_valid;
  Signals<unsigned> out_credit_vc;
  /// What comes by an input VC.
  struct Arriving {
    unsigned slot = 0;  // Of the next head in the ring.
    Flit flit{};        // The last one; a tail before the first.
  };
  std::vector<Arriving> arriving;
  std::vector<unsigned> out_places;  // Of the next head downstream, per output VC.
};

namespace {

// Its pins bring one credit of an output in a cycle.
void require_one_credit_a_cycle(const RouterOptions& options) {
  if (options.input_speedup <= 1) return;
  throw std::invalid_argument(
      "with input_speedup a router gives several credits back at once, for which a external router "
      "beside it has no pins");
}

}  // namespace

ExternalRouter::ExternalRouter(const sc_core::sc_module_name& name, Fabric& fabric,
                               const ExternalSlot& slot, sc_core::sc_clock& clock)
    : sc_module(name), fabric_(fabric), router_(slot.router) {
  require_one_credit_a_cycle(fabric.params().router.options);
  const auto inputs = static_cast<unsigned>(fabric.topology().input_count(router_));
  const auto outputs = static_cast<unsigned>(fabric.topology().output_count(router_));
  module_ = slot.make("router", site_of(fabric, router_));
  wires_ = std::make_unique<Wires>(inputs, outputs, fabric.params().router.virtual_channels);
  module_->clk_i(clock);
  module_->rst_ni(wires_->reset);
  wires_->reset.write(true);
  module_->in_valid_i(wires_->in_valid);
  module_->in_vc_i(wires_->in_vc);
  module_->in_flit_i(wires_->in_flit);
  module_->in_credit_valid_o(wires_->in_credit_valid);
  module_->in_credit_vc_o(wires_->in_credit_vc);
  module_->out_valid_o(wires_->out_valid);
  module_->out_vc_o(wires_->out_vc);
  module_->out_flit_o(wires_->out_flit);
  module_->out_credit_valid_i(wires_->out_credit_valid);
  module_->out_credit_vc_i(wires_->out_credit_vc);
  SC_HAS_PROCESS(ExternalRouter);
  SC_METHOD(on_falling_edge);
  sensitive << clock.negedge_event();
  dont_initialize();
}

ExternalRouter::~ExternalRouter() = default;

void ExternalRouter::on_falling_edge() {
  collect_flits();
  collect_credits();
  drive_inputs();
  drive_credits();
  ++cycle_;
}

// A flit on the outputs in cycle t was granted departure() - 1 cycles earlier; the channel counts
// its latency from the grant.
void ExternalRouter::collect_flits() {
  RouterNode& node = fabric_.router_node(router_);
  const unsigned virtual_channels = fabric_.params().router.virtual_channels;
  const unsigned ring = ring_slots(fabric_.params().router);
  const std::uint64_t granted = cycle_ + 1 - fabric_.params().router.pipeline.departure();
  for (unsigned port = 0; port < wires_->out_valid.size(); ++port) {
    if (!wires_->out_valid[port].read()) continue;
    const unsigned vc = wires_->out_vc[port].read();
    const Flit& flit = wires_->out_flit[port].read();
    unsigned& place = wires_->out_places[port * virtual_channels + vc];
    node.outputs[port].send(granted, fabric_.rows() - 1, vc, vc * ring + place, flit);
    if (flit.head) place = (place + 1) % ring;
  }
}

void ExternalRouter::collect_credits() {
  RouterNode& node = fabric_.router_node(router_);
  for (unsigned port = 0; port < wires_->in_credit_valid.size(); ++port) {
    if (!wires_->in_credit_valid[port].read()) continue;
    node.inputs[port].post(cycle_, fabric_.rows() - 1, wires_->in_credit_vc[port].read());
  }
}

void ExternalRouter::drive_inputs() {
  RouterNode& node = fabric_.router_node(router_);
  for (auto& valid : wires_->in_valid) valid.write(false);
  const std::uint64_t row = (cycle_ + 1) & (fabric_.rows() - 1);
  take_row(node.arrivals, row, fabric_.rows(), node, [&](unsigned port, unsigned vc) {
    wires_->in_valid[port].write(true);
    wires_->in_vc[port].write(vc);
    wires_->in_flit[port].write(arriving(port, vc, row));
  });
}

// Flits of packets that are kept whole land in the row in which they are due; of others the heads
// are in the ring, and the rest follows from them.
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
  for (auto& valid : wires_->out_credit_valid) valid.write(false);
  const std::uint64_t row = (cycle_ + 1) & (fabric_.rows() - 1);
  take_row(node.credits, row, fabric_.rows(), node, [&](unsigned port, unsigned vc) {
    wires_->out_credit_valid[port].write(true);
    wires_->out_credit_vc[port].write(vc);
  });
}

pins::Site site_of(const Fabric& fabric, RouterId router) {
  pins::Site place = pins::sites_of(fabric.topology(), fabric.params())[index(router)];
  place.packet_id = [&fabric](const Flit& head) {
    PacketStore& store = fabric.partitions()[PacketStore::partition_of(head.packet)]->packets();
    return number_in_queues(store.packet(head.packet), fabric.params());
  };
  return place;
}

}  // namespace flitcast
