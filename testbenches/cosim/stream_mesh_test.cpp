// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vstream_mesh_pins.h>
#include <Vstream_router.h>
// clang-format on

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "cosim/cosim.h"
#include "cosim/port_bits.h"
#include "network/stream_bench.h"
#include "routing/message_classes.h"
#include "routing/shortest_path.h"
#include "topology/graph.h"

using namespace flitcast;

namespace {

// The values equal the parameters of the RTL in CMakeLists.txt and in stream_router.sv.
NetworkParams params_of(unsigned virtual_channels, unsigned depth) {
  NetworkParams params;
  params.router.virtual_channels = virtual_channels;
  params.router.buffer_depth = depth;
  return params;
}

StreamParams up_to(std::uint32_t max_flits) {
  StreamParams params;
  params.max_flits = max_flits;
  return params;
}

RoutedNetwork single_router() {
  RoutedNetwork network;
  network.topology = std::make_unique<Graph>("single", 1, std::vector<GraphLink>(),
                                             std::vector<RouterId>{RouterId{0}});
  ShortestPath::Params two_vcs;
  two_vcs.virtual_channels = 2;
  network.routing = std::make_unique<MessageClasses>(
      std::make_unique<ShortestPath>(*network.topology, two_vcs), 2, 4);
  return network;
}

/// A network of models with a StreamTerminal for each node and class beside a network of RTL, with
/// streams that pause and stall at random, and resets. Streams have 32 bits.
template <class Top>
class StreamCosim {
 public:
  StreamCosim(RoutedNetwork network, const NetworkParams& params, const StreamParams& streams,
              const RandomStream::Shape& shape, std::size_t dest_width, unsigned reset_every)
      : model_(std::move(network), params, streams),
        shape_(shape),
        dest_width_(dest_width),
        reset_every_(reset_every),
        sources_(model_.streams()) {
    rtl_->s_tvalid_i = 0;
    rtl_->m_tready_i = 0;
    rtl_.reset();
    model_.reset_n.write(false);
    model_.edge();
  }

  void drive() {
    was_reset_ = reset_;
    reset_ = draw(reset_every_) == 0;
    if (draw(100) == 0) pause_ = draw(5);
    if (draw(100) == 0) stall_ = draw(4);
    model_.reset_n.write(!reset_);
    rtl_->rst_ni = !reset_;
    for (std::uint32_t s = 0; s < sources_.size(); ++s) {
      sources_[s].offer(shape_, random_, pause_, !was_reset_ && !reset_);
      drive_source(s);
      const bool ready = draw(4) >= stall_;
      model_.at(s).m_tready.write(ready);
      set_port_bits(rtl_->m_tready_i, s, 1, ready ? 1 : 0);
    }
    model_.settle();
    rtl_.settle();
  }

  // tready counts for nothing before the first edge out of reset, as tvalid is low there.
  void compare(Lockstep& lockstep) {
    for (std::uint32_t s = 0; s < sources_.size(); ++s) {
      StreamSignals<32>& pins = model_.at(s);
      if (!was_reset_) {
        lockstep.compare("s_tready_o", s, pins.s_tready, port_bit(rtl_->s_tready_o, s));
      }
      lockstep.compare("m_tvalid_o", s, pins.m_tvalid, port_bit(rtl_->m_tvalid_o, s));
      if (!pins.m_tvalid) continue;
      lockstep.compare("m_tdata_o", s, pins.m_tdata.read().to_uint(),
                       port_bits(rtl_->m_tdata_o, std::size_t{32} * s, 32));
      lockstep.compare("m_tlast_o", s, pins.m_tlast, port_bit(rtl_->m_tlast_o, s));
    }
  }

  void edge() {
    for (std::uint32_t s = 0; s < sources_.size(); ++s) {
      if (sources_[s].valid && model_.at(s).s_tready) sources_[s].accepted();
    }
    if (reset_) sources_.assign(sources_.size(), {});
    model_.edge();
    rtl_.edge();
  }

  VerilatedBench<Top>& rtl() { return rtl_; }

 private:
  unsigned draw(unsigned count) { return static_cast<unsigned>(random_() % count); }

  void drive_source(std::uint32_t s) {
    const RandomStream& source = sources_[s];
    StreamSignals<32>& pins = model_.at(s);
    pins.s_tvalid.write(source.valid);
    pins.s_tdata.write(source.data);
    pins.s_tlast.write(source.last());
    pins.s_tdest.write(source.dest);
    set_port_bits(rtl_->s_tvalid_i, s, 1, source.valid ? 1 : 0);
    set_port_bits(rtl_->s_tdata_i, std::size_t{32} * s, 32, source.data);
    set_port_bits(rtl_->s_tlast_i, s, 1, source.last() ? 1 : 0);
    set_port_bits(rtl_->s_tdest_i, dest_width_ * s, dest_width_, source.dest);
  }

  StreamFabric<32> model_;
  const RandomStream::Shape shape_;
  const std::size_t dest_width_;
  const unsigned reset_every_;
  std::vector<RandomStream> sources_;
  bool reset_ = true;
  bool was_reset_ = true;
  unsigned pause_ = 1;  ///< How often of 4 a source pauses; 4: always.
  unsigned stall_ = 1;  ///< How often of 4 a sink is not ready.
  std::mt19937 random_{5};
  VerilatedBench<Top> rtl_;
};

}  // namespace

TEST_CASE("a mesh of models with streams has the pins of a mesh of RTL in every cycle", "[cosim]") {
  check_cosim("stream_mesh_pins", cosim_cycles(20'000), [] {
    return StreamCosim<Vstream_mesh_pins>(mesh_network({4, 4}, 2), params_of(2, 4), {}, {}, 4,
                                          2000);
  });
}

TEST_CASE("streams of two classes at a node have the pins of the RTL in every cycle", "[cosim]") {
  check_cosim("stream_router", cosim_cycles(), [] {
    return StreamCosim<Vstream_router>(single_router(), params_of(4, 3), up_to(5), {1, 5}, 1, 100);
  });
}
