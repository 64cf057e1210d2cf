// SPDX-License-Identifier: Apache-2.0
#include "sim/measure/buffer_survey.h"

#include <algorithm>
#include <utility>

#include "base/sequences.h"
#include "network/fabric/router_cores.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;

/// The maximum number of buffers that a result lists.
constexpr std::size_t kMostBuffers = 1024;

/// A buffer together with all samples, for shares.
struct BufferShare {
  const BufferSamples& all;
  const SurveyedBuffer& buffer;

  double mean(std::uint64_t sum) const {
    return static_cast<double>(sum) / static_cast<double>(all.samples);
  }
};

const FigureTable<BufferShare> kMemberFigures{
    {"router", "router", "Where the buffer is.",
     [](const BufferShare& b) { return index(b.buffer.router); }},
    {"port", "", "The input of that router.",
     [](const BufferShare& b) { return index(b.buffer.port); }},
    {"vc", "", "The virtual channel of that input.",
     [](const BufferShare& b) { return index(b.buffer.vc); }},
    {"mean", "flits or packets", "Held on average, in the unit of router.buffer_depth.",
     [](const BufferShare& b) { return b.mean(b.buffer.held); }},
    {"most", "flits or packets", "Held in any sample.",
     [](const BufferShare& b) { return b.buffer.most; }},
    {"stalled", "",
     "Share of the samples in which the first flit was there and did not leave in the next "
     "cycle, "
     "for want of a channel, of credits or of the crossbar, or in the stages of the router; "
     "absent where packets are kept whole.",
     [](const BufferShare& b) {
       return b.all.whole_packets ? ordered_json() : ordered_json(b.mean(b.buffer.stalled));
     }},
};

/// Sorts buffers by decreasing contents, then by router, port and VC.
ordered_json fullest(const BufferSamples& samples) {
  std::vector<const SurveyedBuffer*> used;
  for (const SurveyedBuffer& buffer : samples.buffers) {
    if (buffer.most > 0) used.push_back(&buffer);
  }
  std::stable_sort(used.begin(), used.end(), [](auto a, auto b) { return a->held > b->held; });
  used.resize(std::min(used.size(), kMostBuffers));
  return kMemberFigures.list(mapped(used, [&](const SurveyedBuffer* buffer) {
    return BufferShare{samples, *buffer};
  }));
}

}  // namespace

const FigureTable<BufferSamples> kBufferFigures{
    {"buffers.samples", "samples",
     "Taken in the window, every measure.buffers cycles from its first one on.",
     &BufferSamples::samples},
    {"buffers.vcs", "(list)", "The 1024 input VCs that held most, by falling mean.", fullest},
};

std::vector<FigureMeaning> buffer_member_meanings() {
  return kMemberFigures.meanings("buffers.vcs.");
}

BufferSurvey::BufferSurvey(std::uint64_t cycles, std::unique_ptr<const Inspection> inspection)
    : cycles_(cycles), inspection_(std::move(inspection)) {
  samples_.whole_packets = inspection_->params().cores->unit == BufferUnit::kPacket;
  for_each_buffer([this](RouterId router, const RouterState& state, unsigned input) {
    samples_.buffers.push_back(
        {router, to_id<PortId>(state.port_of(input)), to_id<VcId>(state.vc_of(input))});
  });
  fronts_.resize(samples_.buffers.size());
}

/// Visits buffers by router, port and VC.
template <class Visit>
void BufferSurvey::for_each_buffer(Visit&& visit) {
  for (std::uint32_t r = 0; r < inspection_->topology().router_count(); ++r) {
    const RouterState& state = inspection_->state(RouterId{r});
    for (unsigned port = 0; port < state.input_ports; ++port) {
      for (unsigned vc = 0; vc < state.virtual_channels; ++vc) {
        visit(RouterId{r}, state, state.vc_index(port, vc));
      }
    }
  }
}

void BufferSurvey::look(const Network& network) {
  const Cycle now = network.now();
  if (stalls_at_ == now) {
    count_stalls();
    stalls_at_ = kNever;
  }
  if (sample_at_ == now) {
    take_sample();
    sample_at_ = now + cycles_;
    stalls_at_ = now + 1;
  }
}

void BufferSurvey::close(const Network& network, bool goes_on) {
  const Cycle sample = std::exchange(sample_at_, kNever);
  if (next() == network.now()) look(network);
  closed_ = samples_;
  if (goes_on) sample_at_ = sample;
}

auto BufferSurvey::front_of(const RouterState& state, unsigned input) const -> Front {
  const InputVc& vc = state.inputs[input];
  if (vc.count == 0 || samples_.whole_packets) return {vc.count, 0, PacketSlot{}, 0};
  const Flit& front = state.front(input);
  return {vc.count, vc.left, front.packet, front.remaining};
}

void BufferSurvey::take_sample() {
  ++samples_.samples;
  std::size_t place = 0;
  for_each_buffer([&](RouterId, const RouterState& state, unsigned input) {
    SurveyedBuffer& buffer = samples_.buffers[place];
    const Front front = front_of(state, input);
    buffer.held += front.flits;
    buffer.most = std::max<std::uint32_t>(buffer.most, front.flits);
    fronts_[place++] = front;
  });
}

// A buffer with one slot may have replaced its flit, which only the flit itself shows.
void BufferSurvey::count_stalls() {
  std::size_t place = 0;
  for_each_buffer([&](RouterId, const RouterState& state, unsigned input) {
    const Front now = front_of(state, input);
    const Front before = fronts_[place];
    const bool stays = before.flits > 0 && now.flits > 0 && now.left == before.left &&
                       now.packet == before.packet && now.remaining == before.remaining;
    samples_.buffers[place++].stalled += stays ? 1 : 0;
  });
}

}  // namespace flitcast
