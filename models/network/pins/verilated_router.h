// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "network/fabric/external_router.h"
#include "network/pins/process.h"
#include "network/pins/router.h"
#include "network/pins/verilated_ports.h"

namespace flitcast::pins {

/// A router in RTL behind the pins of its model: `Model` is the class that Verilator makes of
/// rtl/wormhole/flitcast_vc_router.sv, or of a module with its ports. The wires are sampled at the
/// rising edge, and outputs change after it. The routing answers the requests of the RTL.
///
/// The parameters of the RTL must be those of the site: NumInputs, NumOutputs, NumVcs, Depth, the
/// cycles of the pipeline (DepartureCycles is Pipeline::departure()), WholePacketCredit and, for
/// slow channels, FlitTimes. A header for a node that the topology does not have, like any other
/// exception, is reported as an SC_ERROR. Assertions of the RTL stop the program.
template <class Model>
class VerilatedRouter : public Router {
 public:
  /// Throws std::invalid_argument for a site that needs another kind of router, for a routing that
  /// is adaptive, multicast or reads more of a head than its destination (ties, choices), and where
  /// the flits of all inputs of the RTL take another number of 32-bit words than by `layout`; a
  /// smaller difference is not seen. `routing` must outlive the router.
  VerilatedRouter(const sc_core::sc_module_name& name, const Site& site, const Routing& routing,
                  const FlitLayout& layout, std::unique_ptr<Model> rtl = std::make_unique<Model>())
      : Router(name, site.inputs, site.outputs),
        site_(site),
        routing_(routing),
        layout_(layout),
        vc_width_(std::max(1U, detail::log2_ceil(site.core.virtual_channels))),
        rtl_(std::move(rtl)) {
    if (site.unit != BufferUnit::kFlit || site.node_ports > 1 || site.core.options.any() ||
        routing.adaptive() || routing.multicast() || routing.tie_dimensions() > 0 ||
        routing.most_choices() > 1 ||
        sizeof(rtl_->in_flit_i) != (site.inputs * layout.width() + 31) / 32 * 4) {
      throw std::invalid_argument("the RTL has another kind of router, routing or width of flits");
    }
    SC_HAS_PROCESS(VerilatedRouter);
    SC_METHOD(on_clock);
    sensitive << clk_i.pos();
    dont_initialize();
  }

 private:
  void on_clock() {
    rtl_->rst_ni = rst_ni.read();
    do_reporting("pins/invariant", *this, edges_++, [this] {
      drive();
      rtl_->clk_i = 1;
      rtl_->eval();
      answer();
      rtl_->clk_i = 0;
      rtl_->eval();
      show();
    });
  }

  void drive() {
    for (std::size_t port = 0; port < site_.inputs; ++port) {
      set_port_bits(rtl_->in_valid_i, port, 1, in_valid_i[port].read());
      set_port_bits(rtl_->in_vc_i, port * vc_width_, vc_width_, in_vc_i[port].read());
      if (!in_valid_i[port].read()) continue;
      layout_.put(rtl_->in_flit_i, port * layout_.width(), in_flit_i[port].read());
    }
    for (std::size_t port = 0; port < site_.outputs; ++port) {
      set_port_bits(rtl_->out_credit_valid_i, port, 1, out_credit_valid_i[port].read());
      set_port_bits(rtl_->out_credit_vc_i, port * vc_width_, vc_width_,
                    out_credit_vc_i[port].read());
    }
  }

  // The RTL requests a route in one cycle for each head.
  void answer() {
    const unsigned vcs = site_.core.virtual_channels;
    const std::size_t width = layout_.header_width;
    for (unsigned i = 0; i < site_.inputs * vcs; ++i) {
      if (port_bits(rtl_->request_o, i, 1) == 0) continue;
      const Flit head{to_id<NodeId>(port_bits(rtl_->header_o, i * width, width))};
      require_destination(site_, routing_, i / vcs, i % vcs, head);
      const Route route = routing_.route(
          {site_.router, to_id<PortId>(i / vcs), to_id<VcId>(i % vcs), head.destination});
      set_port_bits(rtl_->route_i, i * site_.outputs, site_.outputs, 0);
      set_port_bits(rtl_->route_i, i * site_.outputs + index(route.output), 1, 1);
      set_port_bits(rtl_->vcs_i, i * vcs, vcs, route.vcs);
    }
  }

  void show() {
    const auto vc_at = [this](const auto& vcs, std::size_t port) {
      return static_cast<unsigned>(port_bits(vcs, port * vc_width_, vc_width_));
    };
    for (std::size_t port = 0; port < site_.inputs; ++port) {
      in_credit_valid_o[port].write(port_bits(rtl_->in_credit_valid_o, port, 1) != 0);
      in_credit_vc_o[port].write(vc_at(rtl_->in_credit_vc_o, port));
    }
    for (std::size_t port = 0; port < site_.outputs; ++port) {
      out_valid_o[port].write(port_bits(rtl_->out_valid_o, port, 1) != 0);
      out_vc_o[port].write(vc_at(rtl_->out_vc_o, port));
      out_flit_o[port].write(layout_.take(rtl_->out_flit_o, port * layout_.width()));
    }
  }

  const Site site_;
  const Routing& routing_;
  const FlitLayout layout_;
  const std::size_t vc_width_;
  std::uint64_t edges_ = 0;
  const std::unique_ptr<Model> rtl_;
};

/// The slot that puts a VerilatedRouter into a fabric, which resets it.
template <class Model>
ExternalSlot verilated_slot(RouterId router, const Routing& routing, const FlitLayout& layout) {
  return {router, [&routing, layout](const sc_core::sc_module_name& name, const Site& site) {
            return std::make_unique<VerilatedRouter<Model>>(name, site, routing, layout);
          }};
}

}  // namespace flitcast::pins
