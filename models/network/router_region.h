// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/random.h"
#include "network/region.h"
#include "router/wormhole_core.h"

namespace flitcast {

/// What a core sees of the network while it is ticked: the ends of its channels, inlined.
struct RouterSurroundings {
  const Routing& routing;
  std::uint64_t now;
  std::uint32_t row_mask;
  unsigned depth;
  RouterNode* node = nullptr;

  Route route(unsigned input_port, unsigned vc, const Flit& head) const {
    return routing.route({node->id, PortId{static_cast<std::uint16_t>(input_port)},
                          VcId{static_cast<std::uint8_t>(vc)}, head.destination, head.ties});
  }
  void depart(unsigned output_port, unsigned vc, unsigned slot, const Flit& flit) {
    node->outputs[output_port].send(now, row_mask, vc, vc * depth + slot, flit);
  }
  void return_credit(unsigned input_port, unsigned vc) const {
    node->inputs[input_port].post(now, row_mask, vc);
  }
};

/// Ports of one router, by which its memory is laid out.
struct RouterShape {
  unsigned inputs = 0;
  unsigned outputs = 0;
  unsigned writers = 1;  ///< Regions that send flits or credits to it.
};

/// A region whose routers are wormhole cores of kWords mask words. All that a router touches lies
/// together in one block of the region's arena.
template <int kWords>
class RouterRegion final : public Region {
 public:
  using Core = WormholeCore<kWords>;

  RouterRegion(const sc_core::sc_module_name& name, unsigned number, RegionContext& context,
               RouterId first_router, const std::vector<RouterShape>& shapes,
               std::vector<NodeId> nodes, Probe* probe)
      : Region(name, number, context, first_router, shapes.size(), std::move(nodes), probe) {
    std::size_t bytes = 0;
    for (const RouterShape& shape : shapes) bytes += lay_out(nullptr, shape, {}, nullptr);
    arena_.reset(new (std::align_val_t{kAlignment}) std::byte[bytes]());
    std::byte* at = arena_.get();
    for (std::size_t r = 0; r < shapes.size(); ++r) {
      const RouterId id{static_cast<std::uint32_t>(index(first_router) + r)};
      at += lay_out(at, shapes[r], id, &routers_[r]);
    }
  }

  void connect_output(RouterId router, PortId port, std::uint32_t period) override {
    Core& core = static_cast<Core&>(*routers_[router_offset(router)].state);
    core.connect_output(index(port));
    core.set_channel_period(index(port), period);
  }

 private:
  static constexpr std::size_t kAlignment = 64;
  struct Free {
    void operator()(std::byte* block) const {
      ::operator delete[](block, std::align_val_t{kAlignment});
    }
  };

  std::size_t lay_out(std::byte* at, const RouterShape& shape, RouterId id, RouterNode* node);
  void tick_routers(Cycle now) override;
  RouterSurroundings surroundings(Cycle now);
  [[gnu::always_inline]] inline bool tick_router(RouterSurroundings& around, std::size_t offset);
  [[gnu::always_inline]] static inline typename Core::Mask take(std::uint64_t* row,
                                                                unsigned copies);
  void tick_shuffled(Cycle now);
  std::uint64_t take_due(std::size_t word, std::size_t row);

  std::unique_ptr<std::byte[], Free> arena_;
  std::vector<std::size_t> shuffled_;
};

// Measures without a block. Cores are trivially destructible, so the arena is simply released.
template <int kWords>
std::size_t RouterRegion<kWords>::lay_out(std::byte* at, const RouterShape& shape, RouterId id,
                                          RouterNode* node) {
  static_assert(std::is_trivially_destructible_v<Core>);
  const std::size_t words = std::size_t{kWords} * shape.writers;
  const std::size_t storage =
      Core::storage_bytes(context_.params.router, shape.inputs, shape.outputs);
  detail::Carver carver(at);
  std::byte* const core = carver.take<std::byte>(sizeof(Core));
  std::uint64_t* const arrivals = carver.take<std::uint64_t>(words * context_.rows);
  std::uint64_t* const credits = carver.take<std::uint64_t>(words * context_.rows);
  FlitEnd* const outputs = carver.take<FlitEnd>(shape.outputs);
  CreditEnd* const inputs = carver.take<CreditEnd>(shape.inputs);
  std::byte* const state = carver.take<std::byte>(storage);
  if (at != nullptr) {
    *node = {new (core) Core(context_.params.router, shape.inputs, shape.outputs, state),
             arrivals,
             credits,
             outputs,
             inputs,
             static_cast<std::uint16_t>(shape.writers),
             kWords,
             false,
             id};
  }
  return (carver.used() + kAlignment - 1) / kAlignment * kAlignment;
}

template <int kWords>
std::uint64_t RouterRegion<kWords>::take_due(std::size_t word, std::size_t row) {
  std::uint64_t due = awake_routers_[word];
  for (WakeRows& wakes : router_wakes_) due |= std::exchange(wakes.row(row)[word], 0);
  return context_.params.sleep ? due : members_of_word(word, routers_.size());
}

template <int kWords>
void RouterRegion<kWords>::tick_routers(Cycle now) {
  if (context_.params.shuffle_seed != 0) return tick_shuffled(now);
  const std::size_t row = index(now) & (context_.rows - 1);
  RouterSurroundings around = surroundings(now);
  for (std::size_t w = 0; w < awake_routers_.size(); ++w) {
    std::uint64_t busy = 0;
    std::uint64_t due = take_due(w, row);
    totals_.router_ticks += static_cast<unsigned>(__builtin_popcountll(due));
    for (; due != 0; due &= due - 1) {
      const unsigned bit = lowest_bit(due);
      busy |= std::uint64_t{tick_router(around, w * 64 + bit)} << bit;
    }
    awake_routers_[w] = busy;
  }
}

// The same in random order, to show that the order does not matter.
template <int kWords>
void RouterRegion<kWords>::tick_shuffled(Cycle now) {
  const std::size_t row = index(now) & (context_.rows - 1);
  RouterSurroundings around = surroundings(now);
  shuffled_.clear();
  for (std::size_t w = 0; w < awake_routers_.size(); ++w) {
    for (std::uint64_t due = take_due(w, row); due != 0; due &= due - 1) {
      shuffled_.push_back(w * 64 + lowest_bit(due));
    }
    awake_routers_[w] = 0;
  }
  totals_.router_ticks += shuffled_.size();
  Random random = Random::stream(context_.params.shuffle_seed, index(now));
  for (std::size_t rest = shuffled_.size(); rest > 0; --rest) {
    std::swap(shuffled_[rest - 1], shuffled_[random.below(rest)]);
    const std::size_t r = shuffled_[rest - 1];
    if (tick_router(around, r)) awake_routers_[r / 64] |= std::uint64_t{1} << (r % 64);
  }
}

template <int kWords>
RouterSurroundings RouterRegion<kWords>::surroundings(Cycle now) {
  return {context_.routing, index(now), context_.rows - 1, context_.params.router.buffer_depth};
}

// What is due in a row, from all regions that write it; leaves the row empty for its next turn.
template <int kWords>
auto RouterRegion<kWords>::take(std::uint64_t* row, unsigned copies) -> typename Core::Mask {
  typename Core::Mask due{};
  for (unsigned copy = 0; copy < copies; ++copy) {
    for (int w = 0; w < kWords; ++w) due.word(w) |= std::exchange(*row++, 0);
  }
  return due;
}

template <int kWords>
bool RouterRegion<kWords>::tick_router(RouterSurroundings& around, std::size_t offset) {
  RouterNode& node = routers_[offset];
  if (node.foreign) return false;
  Core& core = static_cast<Core&>(*node.state);
  around.node = &node;
  const std::size_t row = (around.now & around.row_mask) * node.copies * kWords;
  core.credit(take(node.credits + row, node.copies));
  core.accept(take(node.arrivals + row, node.copies));
  return core.tick(around, around.now);
}

}  // namespace flitcast
