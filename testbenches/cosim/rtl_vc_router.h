// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cosim/rtl_wormhole_router.h"

namespace flitcast {

/// FlitLayout, also for flitcast_packet_router.sv with PacketWidth = 32, whose packet number is the
/// first 32 bits of the payload.
struct VcFlit : FlitLayout {
  bool hops_in_all = false;  ///< In routers that store packets every flit has the hops of the head.

  template <class Port>
  void put(Port& port, std::size_t low, Flit flit) const {
    if (hops_in_all && !flit.head) ++flit.hops;
    FlitLayout::put(port, low, flit);
  }
};

/// Parameters with which a flitcast_vc_router or flitcast_packet_router is Verilated, and the table
/// that stands beside it as its routing: the answers to the heads of each input VC, by destination.
struct VcRouterTable {
  VcFlit flit;
  std::vector<std::vector<Route>> answers;  ///< By input VC (port * VCs + VC) and destination.

  std::size_t input_vcs() const { return answers.size(); }

  /// Answers the head of input VC i. Without a request the answer, which then counts for nothing,
  /// is what disturbs most. With a seeded fault the header may be unknown.
  template <class Rtl>
  void answer(Rtl& rtl, const pins::Site& place, std::size_t i, bool request,
              std::uint32_t header) const {
    const unsigned vcs = place.core.virtual_channels;
    std::uint32_t outputs = ~0U, set = ~0U;
    if (request) {
      const bool known = header < answers[i].size();
      outputs = known ? 1U << index(answers[i][header].output) : 0;
      set = known ? answers[i][header].vcs : 0;
    }
    set_port_bits(rtl.route_i, i * place.outputs, place.outputs, outputs);
    set_port_bits(rtl.vcs_i, i * vcs, vcs, set);
  }
};

/// The table of a routing at a place, for the destinations below `nodes`.
inline VcRouterTable table_of(const Routing& routing, const pins::Site& place, std::uint32_t nodes,
                              const VcFlit& flit) {
  VcRouterTable table{flit, {}};
  for (std::uint16_t port = 0; port < place.inputs; ++port) {
    for (std::uint8_t vc = 0; vc < place.core.virtual_channels; ++vc) {
      table.answers.emplace_back();
      for (std::uint32_t node = 0; node < nodes; ++node) {
        table.answers.back().push_back(
            routing.route({place.router, PortId{port}, VcId{vc}, NodeId{node}}));
      }
    }
  }
  return table;
}

/// RTL of flitcast_vc_router or flitcast_packet_router, or of a router with the same ports except
/// for the answers of the `Table` beside it, behind the pins of its SystemC model.
template <class Model, class Table = VcRouterTable>
class RtlVcRouter : public pins::Router {
 public:
  RtlVcRouter(const sc_core::sc_module_name& name, const pins::Site& place, const Table& table)
      : Router(name, place.inputs, place.outputs), place_(place), table_(table) {
    while (place.core.virtual_channels > 1U << vc_width_) ++vc_width_;
    SC_HAS_PROCESS(RtlVcRouter);
    SC_METHOD(on_clock);
    sensitive << clk_i.pos();
    dont_initialize();
    rtl_.reset();
  }

  VerilatedBench<Model>& rtl() { return rtl_; }

  /// Lets the RTL ask and the table answer.
  void settle() {
    rtl_.settle();
    for (std::size_t i = 0; i < table_.input_vcs(); ++i) {
      const auto header = static_cast<std::uint32_t>(
          port_bits(rtl_->header_o, i * table_.flit.header_width, table_.flit.header_width));
      table_.answer(*rtl_.operator->(), place_, i, port_bit(rtl_->request_o, i), header);
    }
    rtl_.settle();
  }

  /// Values of a port: the inputs' credits, the outputs' flits. What the stages behind the crossbar
  /// had at a reset is not reset and counts as no flit.
  RtlOutputs outputs(std::size_t port) {
    const auto vc_at = [this, port](const auto& vcs) {
      return static_cast<unsigned>(port_bits(vcs, port * vc_width_, vc_width_));
    };
    RtlOutputs result;
    if (port < place_.inputs) {
      result.credit_valid = port_bit(rtl_->in_credit_valid_o, port);
      result.credit_vc = vc_at(rtl_->in_credit_vc_o);
    }
    if (port >= place_.outputs) return result;
    result.valid = port_bit(rtl_->out_valid_o, port);
    if (!result.valid && edges_ + 1 < place_.core.pipeline.departure()) return result;
    result.vc = vc_at(rtl_->out_vc_o);
    result.flit = table_.flit.take(rtl_->out_flit_o, port * table_.flit.width());
    return result;
  }

 private:
  // The RTL samples the wires before the edge; its outputs follow registers.
  void on_clock() {
    rtl_->rst_ni = rst_ni.read();
    edges_ = rst_ni.read() ? edges_ + 1 : 0;
    for (std::size_t port = 0; port < place_.inputs; ++port) drive_flit(port);
    for (std::size_t port = 0; port < place_.outputs; ++port) drive_credit(port);
    settle();
    rtl_.edge();
    settle();
    for (std::size_t port = 0; port < place_.inputs; ++port) show_credit(port);
    for (std::size_t port = 0; port < place_.outputs; ++port) show_flit(port);
  }

  void drive_flit(std::size_t port) {
    set_port_bits(rtl_->in_valid_i, port, 1, in_valid_i[port].read());
    if (!in_valid_i[port].read()) return;
    const Flit flit = in_flit_i[port].read();
    set_port_bits(rtl_->in_vc_i, port * vc_width_, vc_width_, in_vc_i[port].read());
    table_.flit.put(rtl_->in_flit_i, port * table_.flit.width(), flit);
  }

  void drive_credit(std::size_t port) {
    set_port_bits(rtl_->out_credit_valid_i, port, 1, out_credit_valid_i[port].read());
    set_port_bits(rtl_->out_credit_vc_i, port * vc_width_, vc_width_, out_credit_vc_i[port].read());
  }

  void show_credit(std::size_t port) {
    const RtlOutputs now = outputs(port);
    in_credit_valid_o[port].write(now.credit_valid);
    in_credit_vc_o[port].write(now.credit_vc);
  }

  void show_flit(std::size_t port) {
    const RtlOutputs now = outputs(port);
    out_valid_o[port].write(now.valid);
    out_vc_o[port].write(now.vc);
    out_flit_o[port].write(now.flit);
  }

  const pins::Site place_;
  const Table table_;
  std::size_t vc_width_ = 1;
  std::uint64_t edges_ = 0;  // Edges since a reset.
  VerilatedBench<Model> rtl_;
};

}  // namespace flitcast
