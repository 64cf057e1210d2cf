// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/random.h"
#include "base/sequences.h"
#include "base/span.h"
#include "router/unicast_core.h"

namespace flitcast {

/// The routing options of the packet at the front of an input VC.
struct AdaptiveHead {
  std::uint64_t coins = 0;  ///< Random bits for this packet at this router, if any are needed.
  std::uint32_t count = 0;  ///< Number of options.
};

/// The state of an AdaptiveCore with any number of mask words, for deadlock searches.
struct AdaptiveState : RouterState {
  AdaptiveHead* heads = nullptr;    ///< Per input VC.
  Alternative* options = nullptr;   ///< Per input VC: max_options entries.
  Alternatives* offered = nullptr;  ///< The options that the routing offered last.
  std::uint32_t max_options = 0;

  /// Options of the packet at the front of an input VC, once it has a route.
  Span<Alternative> options_of(unsigned i) const {
    const Alternative* const first = options + std::size_t{i} * max_options;
    return {first, first + heads[i].count};
  }

  unsigned free_slots(unsigned output_port) const {
    unsigned slots = 0;
    for (unsigned vc = 0; vc < virtual_channels; ++vc) {
      slots += outputs[vc_index(output_port, vc)].credits;
    }
    return slots;
  }
};

/// The virtual-channel router of WormholeCore with adaptive routing: packets choose among several
/// outputs by the credits of the current cycle.
///
/// A waiting head asks each cycle for one output VC. Of the open options that the routing has
/// offered to the head, those of the highest priority are candidates. RouterParams::selection
/// decides among the candidates, and the round-robin pointer of the input VC, which runs over all
/// output VCs, decides between equal candidates. An option is open if one of its VCs is free and,
/// unless packets may wait for it, has space for a flit (under virtual cut-through, for the whole
/// packet). The choice of the output VC among its requests, and all later stages, are as in
/// WormholeCore, with the same latency and throughput.
///
/// If the routing lets the router decide at once (Alternatives::decide_at_once()), the router
/// decides in the first cycle of route computation, and the head uses only the chosen option.
///
/// Sources: Duato, "A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks", IEEE
/// Trans. Parallel and Distributed Systems 4(12), 1993. In that theory a buffer holds flits of one
/// packet only; here packets share buffers, so a packet must not hold a VC without space unless it
/// may wait for that VC: compare Ma, Enright Jerger and Wang, "Whole Packet Forwarding", HPCA 2012.
///
/// `Host` provides, instead of route(), inline:
///   void alternatives(unsigned input_port, unsigned vc, const Flit& head, Alternatives&);
///   std::uint64_t coins(const Flit& head);  random bits for a packet
template <int kWords>
class AdaptiveCore : public UnicastCore<AdaptiveCore<kWords>, AdaptiveState, kWords> {
  using Base = UnicastCore<AdaptiveCore<kWords>, AdaptiveState, kWords>;
  friend Base;
  friend typename Base::VcCore;

 public:
  using Base::inputs, Base::outputs, Base::port_of, Base::vc_index, Base::vc_of;
  using typename Base::Mask;

  /// The arena keeps the storage of the core.
  AdaptiveCore(const CoreShape& shape, detail::BumpAllocator& arena)
      : Base(shape, arena), selection_(shape.params.selection) {
    const std::size_t input_vcs = vc_index(shape.inputs, 0);
    Base::max_options = static_cast<std::uint32_t>(
        std::min<std::size_t>(Alternatives::kMost, std::size_t{2} * shape.outputs));
    Base::heads = arena.take<AdaptiveHead>(input_vcs);
    Base::options = arena.take<Alternative>(input_vcs * Base::max_options);
    Base::offered = arena.take<Alternatives>(1);
  }

 private:
  using Base::free_, Base::whole_packet_credit_;

  template <class Host>
  [[gnu::noinline]] void compute_route(unsigned i, Flit& head, Host& host) {
    const InputVc& in = inputs[i];
    Alternatives& answer = *Base::offered;
    answer.clear();
    host.alternatives(in.port, in.vc, head, answer);
    if (answer.size() == 0 || answer.size() > Base::max_options) {
      broken_invariant("packet with no routing option, or with too many", in.port, in.vc);
    }
    const bool draws = answer.drawn() != 0;
    if (draws || selection_ == OutputSelection::kRandom) Base::heads[i].coins = host.coins(head);
    if (!draws) return keep(i, answer.begin(), answer.size());
    const Alternative option = decide(Base::heads[i].coins);
    head.route_field = option.route_field;
    keep(i, &option, 1);
  }

  // Picks the option with the lowest cost, then with the highest priority, then at random.
  Alternative decide(std::uint64_t coins) const {
    Random random(coins);
    const std::size_t count = std::min(Base::offered->drawn(), Base::offered->size());
    draw(count, random);
    const auto cost = [this](const Alternative& option) {
      return std::pair(
          std::uint64_t{option.weight} * occupancy(index(option.output)) + option.surcharge,
          -int{option.priority});
    };
    const Alternative* best = Base::offered->begin();
    auto lowest = cost(*best);
    unsigned equals = 1;
    for (const Alternative* option = best + 1; option != Base::offered->begin() + count; ++option) {
      const auto its = cost(*option);
      if (its > lowest) continue;
      equals = its == lowest ? equals + 1 : 1;
      if (random.below(equals) == 0) best = option;
      lowest = its;
    }
    return *best;
  }

  // Moves `count` of the offered options, drawn uniformly at random, to the front.
  void draw(std::size_t count, Random& random) const {
    Alternative* const first = Base::offered->begin();
    const std::size_t size = Base::offered->size();
    for (std::size_t n = 0; n < count && count < size; ++n) {
      std::swap(first[n], first[n + random.below(size - n)]);
    }
  }

  // Flits in the buffers behind an output and in flight to them, according to its credits.
  unsigned occupancy(unsigned output_port) const {
    const unsigned slots = Base::paces_[output_port].space;
    return slots * Base::virtual_channels - Base::free_slots(output_port);
  }

  void keep(unsigned i, const Alternative* chosen, std::size_t count) {
    std::copy_n(chosen, count, Base::options + std::size_t{i} * Base::max_options);
    Base::heads[i].count = static_cast<std::uint32_t>(count);
    inputs[i].route_vcs = chosen->vcs;
  }

  template <class Ask>
  [[gnu::always_inline]] inline void for_each_request(unsigned i, Ask&& ask) const {
    const Alternative* best = nullptr;
    unsigned chosen = InputVc::kNone;
    for (const Alternative& option : Base::options_of(i)) {
      if (best != nullptr && option.priority < best->priority) continue;
      const unsigned j = open_vc(i, option);
      if (j == InputVc::kNone) continue;
      const bool equal = best != nullptr && option.priority == best->priority;
      if (equal && preference(i, j) < preference(i, chosen)) continue;
      best = &option;
      chosen = j;
    }
    if (best != nullptr) ask(chosen);
  }

  // The next open VC of an option in round-robin order; InputVc::kNone if there is none.
  unsigned open_vc(unsigned i, const Alternative& option) const {
    const unsigned first = vc_index(index(option.output), 0);
    const unsigned needed = whole_packet_credit_ ? Base::front(i).remaining + 1U : 1U;
    std::uint64_t open = free_.from(first) & option.vcs;
    while (open != 0) {
      const unsigned vc = round_robin(open, Base::place_from(first, inputs[i].last_output));
      if (option.waits || outputs[first + vc].credits >= needed) return first + vc;
      open ^= std::uint64_t{1} << vc;
    }
    return InputVc::kNone;
  }

  // Returns the preference for output VC j as one number: the result of the selection in the higher
  // bits, then the round-robin order.
  std::uint64_t preference(unsigned i, unsigned j) const {
    std::uint64_t selected = 0;
    if (selection_ == OutputSelection::kFreeCredits) selected = Base::free_slots(port_of(j));
    if (selection_ == OutputSelection::kRandom) {
      selected = Random(Base::heads[i].coins + j).next() >> 40;
    }
    const unsigned behind = (j - inputs[i].last_output - 1) % Mask::kBits;
    return selected << 16 | (0xffffU - behind);
  }

  void grant_vc(unsigned i, unsigned j) {
    const unsigned port = port_of(j);
    for (const Alternative& option : Base::options_of(i)) {
      if (index(option.output) != port || (option.vcs >> vc_of(j) & 1) == 0) continue;
      Base::front(i).route_field = option.route_field;
      break;
    }
    inputs[i].route_port = static_cast<std::uint8_t>(port);
    Base::grant_vc(i, j);
  }

  OutputSelection selection_;
};

}  // namespace flitcast
