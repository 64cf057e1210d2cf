// SPDX-License-Identifier: Apache-2.0
// Modules with AXI4-Stream ports at the nodes of a mesh: cameras send lines of pixels to displays.
#include <flitcast/fabric.h>

#include <deque>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr int kWidth = 64;
constexpr unsigned kPixels = 12;  // Beats of a line.
constexpr unsigned kLines = 50;
using Data = sc_dt::sc_bv<kWidth>;

/// The wires of a stream; `to` is the node of the receiver, or that of the sender.
struct Wires {
  sc_core::sc_signal<bool> valid, ready, last;
  sc_core::sc_signal<Data> data;
  sc_core::sc_signal<unsigned> to;
};

/// Sends lines to a node, with a pause of a cycle before each.
struct Camera : sc_core::sc_module {
  Camera(const sc_core::sc_module_name& name, unsigned its_display) : sc_module(name) {
    SC_HAS_PROCESS(Camera);
    SC_METHOD(on_clock);
    sensitive << clk_i.pos();
    dont_initialize();
    m.to.write(its_display);
  }
  void on_clock() {
    if (!rst_ni || (m.valid && !m.ready)) return;
    if (m.valid) ++pixel;
    const bool pauses = m.valid && m.last;
    m.valid.write(!pauses && pixel < kPixels * kLines);
    m.data.write(pixel * 0x0001'0001'0001ULL);
    m.last.write(pixel % kPixels == kPixels - 1);
  }
  sc_core::sc_in<bool> clk_i, rst_ni;
  Wires m;
  unsigned pixel = 0;
};

/// Takes a beat in two cycles of three, and counts whole lines.
struct Display : sc_core::sc_module {
  explicit Display(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Display);
    SC_METHOD(on_clock);
    sensitive << clk_i.pos();
    dont_initialize();
  }
  void on_clock() {
    if (s.valid && s.ready) {
      right += s.data.read() == Data(sc_dt::uint64(beats) * 0x0001'0001'0001ULL);
      ++beats;
      lines += s.last && beats % kPixels == 0;
    }
    s.ready.write(++cycle % 3 != 0);
  }
  sc_core::sc_in<bool> clk_i;
  Wires s;
  unsigned beats = 0, right = 0, lines = 0, cycle = 0;
};

}  // namespace

int sc_main(int, char*[]) {
  const flitcast::Grid mesh = flitcast::mesh({4, 4});
  flitcast::NetworkParams params;
  params.router.virtual_channels = 2;
  const flitcast::DimensionOrder routing(mesh, {});
  sc_core::sc_clock clock("clock", 2, sc_core::SC_NS);
  sc_core::sc_signal<bool> reset_n("reset_n", false);
  flitcast::Fabric fabric("fabric", mesh, routing, params);
  fabric.clk_i(clock);
  fabric.rst_ni(reset_n);

  using Stream = flitcast::StreamTerminal<kWidth>;
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<std::unique_ptr<Camera>> cameras;
  std::vector<std::unique_ptr<Display>> displays;
  std::deque<Wires> open;  // A camera receives nothing, and a display sends nothing.
  for (unsigned node = 0; node < 16; ++node) {
    const std::string number = std::to_string(node);
    streams.push_back(
        std::make_unique<Stream>(("stream_" + number).c_str(), fabric, flitcast::NodeId{node}));
    streams.back()->clk_i(clock);
    streams.back()->rst_ni(reset_n);
    const bool sends = node < 8;
    if (sends) {
      cameras.push_back(std::make_unique<Camera>(("camera_" + number).c_str(), 15 - node));
      cameras.back()->clk_i(clock);
      cameras.back()->rst_ni(reset_n);
    } else {
      displays.push_back(std::make_unique<Display>(("display_" + number).c_str()));
      displays.back()->clk_i(clock);
    }
    Wires& s = sends ? cameras.back()->m : open.emplace_back();
    streams.back()->s_tvalid_i(s.valid);
    streams.back()->s_tready_o(s.ready);
    streams.back()->s_tdata_i(s.data);
    streams.back()->s_tlast_i(s.last);
    streams.back()->s_tdest_i(s.to);
    Wires& m = sends ? open.emplace_back() : displays.back()->s;
    streams.back()->m_tvalid_o(m.valid);
    streams.back()->m_tready_i(m.ready);
    streams.back()->m_tdata_o(m.data);
    streams.back()->m_tlast_o(m.last);
    streams.back()->m_tid_o(m.to);
  }
  sc_core::sc_start(10, sc_core::SC_NS);
  reset_n = true;
  sc_core::sc_start(10, sc_core::SC_US);

  unsigned lines = 0, right = 0;
  for (const auto& display : displays) lines += display->lines, right += display->right;
  fabric.audit();
  std::cout << lines << " of 400 lines, " << right << " of 4800 pixels\n";
  return 0;
}
