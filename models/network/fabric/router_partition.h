// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/random.h"
#include "network/fabric/core_host.h"
#include "network/fabric/partition.h"
#include "router/bump_allocator.h"

namespace flitcast {

/// The host of a core while the core is ticked: gives access to the router's channels by inlined
/// functions.
template <bool kSlowChannels>
struct RouterHost : CoreHost<RouterHost<kSlowChannels>> {
  static constexpr bool kPaced = kSlowChannels;

  RouterHost(const PartitionContext& its_context, Partition& its_partition)
      : routing(its_context.routing),
        row_mask(its_context.rows - 1),
        ring(its_partition.ring()),
        priority(its_context.params.priority.get()),
        node_ports(its_context.node_ports),
        context(its_context),
        partition(its_partition) {}

  RouterId id() const { return node->id; }
  const std::uint16_t* further_ports() const { return node->further_ports; }
  Route route(unsigned input_port, unsigned vc, const Flit& head) const {
    const Route known = partition.routes().find(id(), head.destination);
    if (known.vcs != 0) return known;
    return partition.routes().keep(id(), head.destination,
                                   CoreHost<RouterHost>::route(input_port, vc, head));
  }
  const Packet& packet(const Flit& head) const {
    return context.peers[PacketStore::partition_of(head.packet)]->packets().packet(head.packet);
  }
  std::uint64_t packet_id(const Flit& head) const {
    return index(number_in_queues(packet(head), context.params));
  }
  Standing standing(const Flit& head) const {
    return {packet(head).created, packet(head).message_class};
  }
  const Flit& landed(unsigned input_port) const {
    return node->landing[input_port * (row_mask + 1) + (now & row_mask)];
  }
  [[gnu::always_inline]] void depart(unsigned output_port, unsigned vc, unsigned slot,
                                     const Flit& flit) {
    node->outputs[output_port].send(now, row_mask, vc, vc * ring + slot, flit);
  }
  void depart(unsigned output_port, unsigned vc, const Flit& flit) {
    node->outputs[output_port].send(now, row_mask, vc, flit);
  }
  void combine(PacketSlot into, PacketSlot part) const { partition.combine(into, part); }
  [[gnu::always_inline]] void return_credit(const InputVc& in) const {
    node->inputs[in.port].give_back(now, row_mask, in.vc, in.count);
  }

  const Routing& routing;
  const std::uint32_t row_mask;
  const unsigned ring;
  const QueuePriority* const priority;
  const std::size_t node_ports;
  const PartitionContext& context;
  Partition& partition;
  RouterNode* node = nullptr;
  std::uint64_t now = 0;
  std::uint64_t first = 0;   // Bit k: router k of 64 must be ticked in the first cycle.
  std::uint64_t second = 0;  // Bit k: router k of 64 must be ticked in the second cycle.
  std::uint64_t ticks = 0;   // Ticks of all routers.
};

/// A partition whose routers are cores of one type. All memory of a router lies in one block of the
/// partition's arena.
template <class Core>
class RouterPartition final : public Partition {
 public:
  RouterPartition(unsigned number, PartitionContext& context, RouterId first_router,
                  const std::vector<RouterShape>& shapes, std::vector<NodeId> nodes, Probe* probe)
      : Partition(number, context, first_router, shapes.size(), std::move(nodes), probe) {
    std::size_t bytes = 0;
    for (const RouterShape& shape : shapes) bytes += lay_out(nullptr, shape, {});
    arena_.reset(new (std::align_val_t{kAlignment}) std::byte[bytes]());
    fill_arena(shapes);
  }

  void connect_output(RouterId router, PortId port, const OutputChannel& channel) override {
    slot(router_offset(router)).core.connect_output(index(port), channel);
    paced_ = paced_ || channel.cycles_per_flit > 1;
  }
  void connect_node_input(RouterId router, PortId port) override {
    slot(router_offset(router)).core.connect_node_input(index(port));
  }

  Cycle busy_until(RouterId router, PortId port) const override {
    return Cycle{slot(router_offset(router)).core.busy_until(index(port))};
  }

 private:
  static constexpr int kWords = Core::Mask::kBits / 64;
  static constexpr std::size_t kAlignment = 64;
  /// A router and its core, which the tick finds at one address.
  struct Slot : RouterNode {
    Core core;
  };
  struct Free {
    void operator()(std::byte* block) const {
      ::operator delete[](block, std::align_val_t{kAlignment});
    }
  };

  [[gnu::cold, gnu::noinline]] void fill_arena(const std::vector<RouterShape>& shapes) {
    std::byte* at = arena_.get();
    for (std::size_t r = 0; r < shapes.size(); ++r) {
      const RouterId id{static_cast<std::uint32_t>(index(first_router_) + r)};
      routers_[r] = reinterpret_cast<Slot*>(at);
      at += lay_out(at, shapes[r], id);
    }
  }
  [[gnu::cold]] void remake_routers() override {
    std::vector<RouterShape> shapes;
    for (const RouterNode* node : routers_) {
      shapes.push_back({node->state->input_ports, node->state->output_ports, node->copies});
    }
    fill_arena(shapes);
  }
  Slot& slot(std::size_t offset) const { return static_cast<Slot&>(*routers_[offset]); }

  // Lays out a router at `at` and returns its size; without a block the function only measures the
  // size. Cores are trivially destructible, so the arena is simply released.
  std::size_t lay_out(std::byte* at, const RouterShape& shape, RouterId id) {
    static_assert(std::is_trivially_destructible_v<Core>);
    const std::size_t words = std::size_t{kWords} * shape.writers;
    const CoreShape core{context_.params.router, shape.inputs, shape.outputs};
    detail::BumpAllocator arena(at);
    std::byte* const block = arena.take<std::byte>(sizeof(Slot));
    std::uint64_t* const arrivals = arena.take<std::uint64_t>(words * context_.rows);
    std::uint64_t* const credits = arena.take<std::uint64_t>(words * context_.rows);
    FlitOutput* const outputs = arena.take<FlitOutput>(shape.outputs);
    CreditReturn* const inputs = arena.take<CreditReturn>(shape.inputs);
    std::byte* const state = arena.take<std::byte>(storage_bytes<Core>(core));
    Flit* const landing = Core::kUnit == BufferUnit::kPacket
                              ? arena.take<Flit>(shape.inputs * context_.rows)
                              : nullptr;
    const bool wide = context_.node_ports > 1;
    std::uint16_t* const further = wide ? arena.take<std::uint16_t>(shape.outputs) : nullptr;
    if (at != nullptr) {
      detail::BumpAllocator storage(state);
      auto* const made = new (block)
          Slot{{nullptr, arrivals, credits, outputs, inputs,
                static_cast<std::uint16_t>(shape.writers), kWords, false, id, landing, further},
               Core(core, storage)};
      made->state = &made->core;
    }
    return (arena.used() + kAlignment - 1) / kAlignment * kAlignment;
  }

  void tick_routers(Cycle now, std::uint32_t cycles) override {
    if (paced_) return tick_with<RouterHost<true>>(now, cycles);
    tick_with<RouterHost<(kWords > 1)>>(now, cycles);
  }

  // Ticks the routers that have a flit or credit due or unfinished work from the last cycle.
  template <class Host>
  void tick_with(Cycle now, std::uint32_t cycles) {
    if (context_.params.shuffle_seed != 0) return tick_shuffled(now);
    Host host(context_, *this);
    const std::uint64_t last = index(now) + cycles - 1;
    const auto next = [&, mask = host.row_mask](std::size_t word) {
      return next_awake(awake_routers_, router_wakes_, word, index(now) & mask, last & mask);
    };
    for (std::size_t w = next(0); w < awake_routers_.size(); w = next(w + 1)) {
      host.first = awake_routers_[w] | take_wakes(w, index(now));
      host.second = cycles == 1 ? 0 : take_wakes(w, index(now) + 1);
      const std::uint64_t due = host.first | host.second;
      if (due == 0) continue;
      std::uint64_t busy = 0;
      for (std::uint64_t rest = due; rest != 0; rest &= rest - 1) {
        const unsigned bit = lowest_bit(rest);
        busy |= std::uint64_t{visit(host, slot(w * 64 + bit), bit, index(now), last)} << bit;
      }
      awake_routers_[w] = busy;
      host.ticks += static_cast<unsigned>(__builtin_popcountll(due));
    }
    totals_.router_ticks += host.ticks;
  }

  // Runs all cycles of a router up to `last` at once, while its memory is in the cache. Host.first
  // or Host.second has the router's bit if the router must be ticked in that cycle even if the
  // cycle before left no work. Returns whether it must be ticked after `last`.
  template <class Host>
  [[gnu::always_inline]] inline bool visit(Host& host, Slot& node, unsigned bit, std::uint64_t now,
                                           std::uint64_t last) {
    host.node = &node;
    host.now = now + (~host.first >> bit & 1);
    if (node.copies != 1) gather(node, host.now, last);
    for (;;) {
      const bool more = tick_router(host, node);
      if (host.now == last) return more;
      if (!more && (host.second >> bit & 1) == 0) return false;
      ++host.now;
      ++host.ticks;
    }
  }

  template <class Host>
  [[gnu::always_inline]] inline bool tick_router(Host& host, Slot& node) {
    const std::size_t row = host.now & host.row_mask;
    const typename Core::Mask credits = take(node.credits, row);
    if (credits.any()) node.core.credit(credits);
    const typename Core::Mask arrivals = take(node.arrivals, row);
    if (arrivals.any()) node.core.accept(arrivals, host);
    return node.core.tick(host, host.now);
  }

  // Merges the words that other partitions have written into the words of the first copy, in the
  // rows of all cycles from `now` to `last`.
  [[gnu::noinline]] void gather(const RouterNode& node, std::uint64_t now,
                                std::uint64_t last) const {
    for (; now <= last; ++now) {
      const std::size_t row = now & (context_.rows - 1);
      for (std::size_t word = kWords; word < node.row_words(); ++word) {
        for (std::uint64_t* const words : {node.arrivals, node.credits}) {
          words[word % kWords * context_.rows + row] |=
              std::exchange(words[word * context_.rows + row], 0);
        }
      }
    }
  }

  std::uint64_t& word_in(std::uint64_t* words, int w, std::size_t row) const {
    return words[static_cast<std::size_t>(w) * context_.rows + row];
  }

  // Takes the flits and credits due in a row, and leaves the row empty for its next turn.
  [[gnu::always_inline]] inline typename Core::Mask take(std::uint64_t* words,
                                                         std::size_t row) const {
    typename Core::Mask due{};
    for (int w = 0; w < kWords; ++w) due.word(w) = word_in(words, w, row);
    if (!due.any()) return due;
    for (int w = 0; w < kWords; ++w) word_in(words, w, row) = 0;
    return due;
  }

  // Ticks the routers of one cycle in random order, to show that the order does not change any
  // result.
  [[gnu::noinline]] void tick_shuffled(Cycle now) {
    RouterHost<true> host(context_, *this);
    shuffled_.clear();
    for (std::size_t w = 0; w < awake_routers_.size(); ++w) {
      std::uint64_t due = std::exchange(awake_routers_[w], 0) | take_wakes(w, index(now));
      for (; due != 0; due &= due - 1) shuffled_.push_back(w * 64 + lowest_bit(due));
    }
    Random random = Random::stream(context_.params.shuffle_seed, index(now));
    host.first = ~std::uint64_t{0};
    host.ticks = shuffled_.size();
    for (std::size_t rest = shuffled_.size(); rest > 0; --rest) {
      std::swap(shuffled_[rest - 1], shuffled_[random.below(rest)]);
      const std::size_t r = shuffled_[rest - 1];
      const bool more = visit(host, slot(r), r % 64, index(now), index(now));
      awake_routers_[r / 64] |= std::uint64_t{more} << (r % 64);
    }
    totals_.router_ticks += host.ticks;
  }

  // Takes the wake bits of the routers of a word that have a flit or credit due in this cycle.
  std::uint64_t take_wakes(std::size_t word, std::uint64_t now) {
    std::uint64_t wakes = 0;
    for (WakeRows& rows : router_wakes_) {
      std::uint64_t& due = rows.at(word, now & (context_.rows - 1));
      wakes |= due;
      if (due != 0) due = 0;
    }
    if (const std::uint64_t external = wakes & ~native_routers_[word]; external != 0) {
      totals_.router_ticks += static_cast<unsigned>(__builtin_popcountll(external));
    }
    if (!context_.params.sleep) wakes = members_of_word(word, routers_.size());
    return wakes & native_routers_[word];
  }

  bool paced_ = false;  // True if some channel takes more than one cycle per flit.
  std::unique_ptr<std::byte[], Free> arena_;
  std::vector<std::size_t> shuffled_;
};

}  // namespace flitcast
