// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>
#include <utility>

#include "network/fabric/fabric.h"
#include "network/fabric/terminal.h"
#include "network/pins/process.h"
#include "network/pins/stream_checker.h"
#include "network/report.h"
#include "router/bit_mask.h"

namespace flitcast {

/// Parameters of a StreamTerminal; those of rtl/node/flitcast_node_source.sv with these names.
struct StreamParams {
  std::uint8_t message_class = 0;   ///< The class of the packets of both streams.
  std::uint32_t max_flits = 16;     ///< Longest packet that is sent, from 1 up.
  std::uint32_t store_flits = 0;    ///< From max_flits up; 0: max_flits + 2.
  std::uint32_t store_packets = 4;  ///< From 1 up.
};

/// Returns the parameters of a StreamTerminal at a node, with store_flits filled in. Throws
/// std::invalid_argument for those with which it cannot be built there.
StreamParams sound_stream(const Fabric& fabric, NodeId node, StreamParams params);

/// AXI4-Stream at a node of a fabric: a stream into the network and one out of it, for one message
/// class. tdata has `kWidth` bits, a multiple of 8. A node that has a stream needs one for each
/// message class that it receives: packets of others wait for ever.
///
///   s_tvalid_i, s_tdata_i, s_tlast_i, s_tdest_i --> [ packet store ] --> network
///   s_tready_o                                  <--
///   m_tvalid_o, m_tdata_o, m_tlast_o, m_tid_o   <-- [ flits of each VC ] <-- network
///   m_tready_i                                  -->
///
/// A packet is the beats up to tlast, and a beat is a flit. s_tdest_i is the node that receives the
/// packet, m_tid_o the node that has sent it. Data are bytes, the lowest first: a packet from
/// Terminal::send() has the bytes given there, then zeros. tkeep, tstrb and tuser are not carried.
///
/// Sending: a packet is stored until its last beat, so a stream that stalls holds no VC. It is
/// created in the cycle that begins at the edge which accepts the last beat, and its head can leave
/// in that cycle. s_tready_o follows registers: it is high while fewer than `store_flits` flits and
/// fewer than `store_packets` whole packets are stored, those of the node's Terminal in this class
/// included. A longer packet never leaves.
///
/// Receiving: a flit that arrives in a cycle can be offered in that cycle, and keeps its credit
/// until the edge that accepts its beat, or longer where streams of several classes share the node,
/// which gives back one credit in a cycle. The stream has one packet at a time: VCs take turns, and
/// a VC keeps the stream from the head of its packet to the tail. Packets between two nodes keep
/// their order if the routing keeps them in one VC of their class.
///
/// RTL: flitcast_node_source.sv and flitcast_node_sink.sv around a network of RTL whose channels
/// have a register where those of the fabric have a latency of one cycle, as exported networks do.
/// From the first edge out of reset s_tready_o and m_tvalid_o have the same values in every cycle,
/// and so have m_tdata_o and m_tlast_o while m_tvalid_o is high, with one class or several.
///
/// `clk_i` and `rst_ni` are those of the fabric, which calls the module. At the first edge of a
/// reset, stored and waiting flits are lost, like all packets in the network. A StreamChecker
/// stands at the stream into the network.
template <int kWidth>
class StreamTerminal : public sc_core::sc_module, private CycleModule {
  static_assert(kWidth > 0 && kWidth % 8 == 0, "tdata has whole bytes");

 public:
  using Data = sc_dt::sc_bv<kWidth>;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};  ///< Synchronous, active low.

  sc_core::sc_in<bool> s_tvalid_i{"s_tvalid_i"};
  sc_core::sc_out<bool> s_tready_o{"s_tready_o"};
  sc_core::sc_in<Data> s_tdata_i{"s_tdata_i"};
  sc_core::sc_in<bool> s_tlast_i{"s_tlast_i"};
  sc_core::sc_in<unsigned> s_tdest_i{"s_tdest_i"};

  sc_core::sc_out<bool> m_tvalid_o{"m_tvalid_o"};
  sc_core::sc_in<bool> m_tready_i{"m_tready_i"};
  sc_core::sc_out<Data> m_tdata_o{"m_tdata_o"};
  sc_core::sc_out<bool> m_tlast_o{"m_tlast_o"};
  sc_core::sc_out<unsigned> m_tid_o{"m_tid_o"};

  /// Must not be destroyed before the last cycle of the fabric, which has one port per node.
  /// Reported as an SC_ERROR: parameters out of their ranges; a node that the fabric does not have;
  /// a terminal that listens with slots, a reply queue, or another stream of the class at the node;
  /// when the simulation begins, another clock or reset than the fabric's; and a packet to a node
  /// that the network does not have, which is lost.
  StreamTerminal(const sc_core::sc_module_name& name, Fabric& fabric, NodeId node,
                 const StreamParams& params = {})
      : sc_module(name),
        fabric_(fabric),
        node_(node),
        params_(pins::make_reporting(*this, [&] { return sound_stream(fabric, node, params); })),
        checker_("checker", params.max_flits) {
    checker_.clk_i(clk_i);
    checker_.rst_ni(rst_ni);
    checker_.tvalid_i(s_tvalid_i);
    checker_.tready_i(s_tready_o);
    checker_.tdata_i(s_tdata_i);
    checker_.tlast_i(s_tlast_i);
    checker_.tdest_i(s_tdest_i);
    const Partitions& partitions = fabric.partitions();
    partitions.of(node).stream_ejection(partitions.local_index(node), params.message_class);
    fabric.attach(*this);
    s_tready_o.initialize(true);
  }

 private:
  static constexpr int kBytes = kWidth / 8;

  void end_of_elaboration() override {
    if (clk_i.get_interface() != fabric_.clk_i.get_interface() ||
        rst_ni.get_interface() != fabric_.rst_ni.get_interface()) {
      report_error("stream/clock", name(), "clk_i and rst_ni must be those of the fabric");
    }
  }

  void sample() override {
    if (m_tvalid_o.read() && m_tready_i.read()) {
      ++ejection().accepted[vc_];
      receiving_ = !m_tlast_o.read();
    }
    if (s_tvalid_i.read() && s_tready_o.read()) accept_beat();
    const auto stored = fabric_.node_interface(node_).queues[params_.message_class].backlog(
        fabric_.partitions().of(node_).packets());
    s_tready_o.write(stored.flits + arriving_.size() / kBytes < params_.store_flits &&
                     stored.packets < params_.store_packets);
  }

  void accept_beat() {
    const Data data = s_tdata_i.read();
    for (int low = 0; low < kWidth; low += 8) {
      arriving_.push_back(static_cast<std::uint8_t>(data.range(low + 7, low).to_uint()));
    }
    if (!s_tlast_i.read()) return;
    PacketRequest packet;
    packet.destination = NodeId{s_tdest_i.read()};
    packet.length = static_cast<std::uint32_t>(arriving_.size() / kBytes);
    packet.message_class = params_.message_class;
    fabric_.terminal(node_).send_now(packet, std::exchange(arriving_, {}));
  }

  void drive() override {
    if (!receiving_) choose_vc();
    const Flit* const flit = receiving_ ? next(vc_) : nullptr;
    m_tvalid_o.write(flit != nullptr);
    if (flit != nullptr) show(*flit);
  }

  // VCs take turns, packet by packet.
  void choose_vc() {
    VcSet heads = 0;
    for (unsigned vc = 0; vc < fabric_.params().router.virtual_channels; ++vc) {
      const Flit* const flit = next(vc);
      const bool mine = flit != nullptr && of(*flit).message_class == params_.message_class;
      heads |= VcSet{mine} << vc;
    }
    receiving_ = heads != 0;
    if (receiving_) vc_ = round_robin(heads, vc_);
  }

  void show(const Flit& flit) {
    const Bytes& bytes = fabric_.terminals().carried(of(flit).id);
    std::size_t from = (of(flit).length - 1 - flit.remaining) * kBytes;
    Data data;
    for (int low = 0; low < kWidth && from < bytes.size(); low += 8) {
      data.range(low + 7, low) = bytes[from++];
    }
    m_tdata_o.write(data);
    m_tlast_o.write(flit.tail());
    m_tid_o.write(index(of(flit).source));
  }

  void reset() override {
    arriving_.clear();
    receiving_ = false;
    m_tvalid_o.write(false);
    s_tready_o.write(true);
  }

  EjectionBuffer& ejection() const { return *fabric_.node_interface(node_).bounded; }
  const Packet& of(const Flit& flit) const { return fabric_.partitions().packet(flit.packet); }
  // The first flit of a VC that has not been accepted; null if none has arrived.
  const Flit* next(unsigned vc) const {
    const EjectionBuffer& buffer = ejection();
    const bool arrived = buffer.held[vc].size() > buffer.accepted[vc];
    return arrived ? &buffer.held[vc][buffer.accepted[vc]] : nullptr;
  }

  Fabric& fabric_;
  const NodeId node_;
  const StreamParams params_;
  pins::StreamChecker<kWidth> checker_;
  Bytes arriving_;          // Beats of the packet that is being stored.
  bool receiving_ = false;  // A packet has the stream out of the network.
  unsigned vc_ = 0;         // Its VC, or else that of the last packet.
};

}  // namespace flitcast
