// SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <utility>

#include "network/check/inspection.h"
#include "sim/monitor/flit_monitor.h"

namespace flitcast {
namespace {

class BufferMonitor final : public FlitMonitor {
 public:
  BufferMonitor(const MonitorPlan& plan, std::unique_ptr<const Inspection> inspection)
      : FlitMonitor(plan, inspection->topology()), inspection_(std::move(inspection)) {
    for (const RouterId router : monitored_routers(plan, inspection_->topology())) {
      const RouterState& state = inspection_->state(router);
      for (unsigned port = 0; port < state.input_ports; ++port) {
        for (unsigned vc = 0; vc < state.virtual_channels; ++vc) {
          buffers_.push_back({router, &state, state.vc_index(port, vc)});
        }
      }
    }
  }

 private:
  struct Buffer {
    RouterId router{};
    const RouterState* state = nullptr;  // The address of the state does not change.
    unsigned input = 0;
    std::deque<std::size_t> residencies{};  // Indices of open residencies, in the order of arrival.
    std::uint8_t left = 0;                  // InputVc::left at the last observation.
  };

  void observe(Cycle last) override {
    for (Buffer& buffer : buffers_) compare(buffer, last);
  }
  // A flit that left was in front, and new flits are at the back. InputVc::left changes whenever a
  // flit leaves, even if another arrives in the same cycle.
  void compare(Buffer& buffer, Cycle last) {
    const RouterState& state = *buffer.state;
    const InputVc& vc = state.inputs[buffer.input];
    if (vc.left == buffer.left && vc.count == buffer.residencies.size()) return;
    const unsigned gone = first() || vc.left == buffer.left ? 0 : 1;
    const auto at = [&](unsigned i) {
      return i < gone ? state.left_last(buffer.input) : state.flit_behind(buffer.input, i - gone);
    };
    for (auto i = static_cast<unsigned>(buffer.residencies.size()); i < gone + vc.count; ++i) {
      add(buffer, at(i), first() ? FlitResidency::kBefore : last);
    }
    for (unsigned i = 0; i < gone; ++i) {
      seen_.residencies[buffer.residencies.front()].left = last;
      buffer.residencies.pop_front();
    }
    buffer.left = vc.left;
  }

  void add(Buffer& buffer, const Flit& flit, Cycle arrived) {
    const RouterState& state = *buffer.state;
    const Packet& packet = inspection_->packet(flit.packet);
    FlitResidency residency =
        residency_of(packet, packet.length - 1 - flit.remaining, buffer.router,
                     state.port_of(buffer.input), state.vc_of(buffer.input));
    residency.arrived = arrived;
    buffer.residencies.push_back(seen_.residencies.size());
    seen_.residencies.push_back(residency);
  }

  std::unique_ptr<const Inspection> inspection_;
  std::vector<Buffer> buffers_;
};

}  // namespace

std::unique_ptr<FlitMonitor> monitor_buffers(const MonitorPlan& plan,
                                             std::unique_ptr<const Inspection> inspection) {
  return std::make_unique<BufferMonitor>(plan, std::move(inspection));
}

}  // namespace flitcast
