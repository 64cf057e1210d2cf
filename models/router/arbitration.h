// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "router/bump_allocator.h"
#include "router/router_params.h"

namespace flitcast {

/// The facts about a packet by which routers order it: from its record, not from its flits.
struct Standing {
  Cycle created{};
  std::uint8_t message_class = 0;
};

/// Orders the packets that compete for the output VCs and the switch of one router, as
/// RouterOptions::arbitration says: the lowest rank goes first, and equal ranks take turns. An
/// arbiter always serves one of its requests, so no channel is idle for the sake of an order.
///
/// A rank holds the line to which the request belongs: packets of a class, or of a priority, take
/// turns among themselves, whatever is served in between.
///
///  - Weighted: an output counts the flits that each class has sent in a turn. A class that has
///    sent as many as its weight comes after the others; the turn ends when only such classes have
///    requests. Classes that always have requests share the channel in the ratio of their weights.
///  - Guaranteed: an output has a token bucket for each class, which fills at the rate of the class
///    up to its burst. A class with a token goes first, and its flit takes one. What is left is
///    shared by weight. A bucket is stored as the time at which it is full, so it needs no refill.
///
/// Sources: Dally and Towles, Principles and Practices of Interconnection Networks, 2004, chapters
/// 15 and 18; Abts and Weisser, "Age-Based Packet Arbitration in Large-Radix k-ary n-cubes",
/// SC 2007; Katevenis et al., "Weighted Round-Robin Cell Multiplexing in a General-Purpose ATM
/// Switch Chip", IEEE JSAC 9(8), 1991; ITU-T I.371 (the bucket as virtual scheduling).
class Arbitration {
 public:
  /// The arena keeps its storage; round robin takes none.
  Arbitration(const CoreShape& shape, unsigned input_vcs, detail::BumpAllocator& arena)
      : kind_(shape.params.options.arbitration) {
    if (!on()) return;
    const std::vector<MessageClass>& classes = shape.params.classes;
    classes_ = static_cast<unsigned>(std::max<std::size_t>(classes.size(), 1));
    terms_ = arena.take<Terms>(classes_);
    fronts_ = arena.take<Front>(input_vcs);
    meters_ = arena.take<Meter>(std::size_t{shape.outputs} * classes_);
    if (terms_ == nullptr) return;  // The arena only measures.
    std::transform(classes.begin(), classes.end(), terms_, terms_of);
  }

  bool on() const { return kind_ != ArbitrationKind::kRoundRobin; }

  /// The number of lines, from 1, of which a rank names one.
  static unsigned lines(const RouterParams& params) {
    if (!traits_of(params.options.arbitration).by_class) return 1;
    return static_cast<unsigned>(std::max(params.classes.size(), MessageClass::kPriorities));
  }
  static unsigned line_of(std::uint64_t rank) { return static_cast<unsigned>(rank % kMostLines); }

  /// Begins a cycle.
  void begin(std::uint64_t now) { now_ = now * kTicks; }

  /// A packet has become the first of an input VC.
  void admit(unsigned i, const Standing& packet, unsigned hops) {
    const unsigned priority = terms_[packet.message_class].priority;
    Front& front = fronts_[i];
    front.message_class = packet.message_class;
    if (kind_ == ArbitrationKind::kPriority) {
      front.rank = rank_of(MessageClass::kPriorities - priority, priority);
    } else {
      front.rank =
          rank_of(kind_ == ArbitrationKind::kHops ? UINT16_MAX - hops : index(packet.created), 0);
    }
  }

  /// The rank of the first packet of an input VC at an output.
  std::uint64_t rank(unsigned i, unsigned output) const {
    const unsigned c = fronts_[i].message_class;
    const Meter& meter = meters_[output * classes_ + c];
    if (!has_meters()) return fronts_[i].rank;
    if (has_token(terms_[c], meter)) return rank_of(0, c);
    return rank_of(meter.flits < terms_[c].weight ? 1 : 2, c);
  }

  /// An input VC has sent a flit by an output, whose channel takes the next one `cycles_per_flit`
  /// cycles later. Buckets lose no token of the cycles in which their channel takes a flit.
  void served(unsigned i, unsigned output, std::uint64_t cycles_per_flit = 1) {
    if (!has_meters()) return;
    const unsigned c = fronts_[i].message_class;
    Meter* const meters = meters_ + std::size_t{output} * classes_;
    if (has_token(terms_[c], meters[c])) {
      const std::uint64_t tolerance = terms_[c].tolerance;
      const std::uint64_t kept = std::max(cycles_per_flit * kTicks - 1, tolerance) - tolerance;
      meters[c].full = std::max(meters[c].full + kept, now_) - kept + terms_[c].period;
      return;
    }
    if (meters[c].flits >= terms_[c].weight) {
      std::for_each(meters, meters + classes_, [](Meter& meter) { meter.flits = 0; });
    }
    ++meters[c].flits;
  }

 private:
  /// More than there are message classes.
  static constexpr std::uint64_t kMostLines = 256;
  /// Parts of a cycle in which buckets fill, so that rates need not divide 1.
  static constexpr std::uint64_t kTicks = 1 << 20;
  /// 2^26 cycles, in which no full bucket exceeds 64 bits; lower rates count as one flit in these.
  static constexpr double kLongestPeriod = static_cast<double>(std::uint64_t{1} << 46);

  /// The terms of a message class.
  struct Terms {
    std::uint64_t period = 0;  // Ticks from one token to the next; 0: none come.
    // Ticks until an empty bucket is full, less one period; at least the rest of a cycle, since a
    // flit whose token comes within a cycle leaves in it.
    std::uint64_t tolerance = 0;
    std::uint32_t weight = 1;
    std::uint32_t priority = 0;
  };
  /// The first packet of an input VC.
  struct Front {
    std::uint64_t rank = 0;  // Unless it depends on meters.
    std::uint32_t message_class = 0;
  };
  /// The flits of a class that have left by an output.
  struct Meter {
    std::uint64_t full = 0;   // The time at which the bucket is full, in ticks.
    std::uint64_t flits = 0;  // Sent without a token in this turn.
  };

  static std::uint64_t rank_of(std::uint64_t order, unsigned line) {
    return order * kMostLines + line;
  }

  static Terms terms_of(const MessageClass& one) {
    Terms terms{0, 0, one.weight, one.priority};
    if (one.rate <= 0) return terms;
    const double ticks = std::min(static_cast<double>(kTicks) / one.rate, kLongestPeriod);
    terms.period = static_cast<std::uint64_t>(std::llround(ticks));
    terms.tolerance = std::max(terms.period * (one.burst - 1), kTicks - 1);
    return terms;
  }

  bool has_meters() const {
    return kind_ == ArbitrationKind::kWeighted || kind_ == ArbitrationKind::kGuaranteed;
  }
  bool has_token(const Terms& terms, const Meter& meter) const {
    return kind_ == ArbitrationKind::kGuaranteed && terms.period != 0 &&
           meter.full <= now_ + terms.tolerance;
  }

  ArbitrationKind kind_;
  unsigned classes_ = 1;
  std::uint64_t now_ = 0;    // In ticks.
  Terms* terms_ = nullptr;   // Per message class.
  Front* fronts_ = nullptr;  // Per input VC.
  Meter* meters_ = nullptr;  // Per output and class.
};

/// Has the place of an Arbitration in cores that have none.
struct NoArbitration {
  NoArbitration(const CoreShape& /*shape*/, unsigned /*input_vcs*/,
                const detail::BumpAllocator& /*arena*/) {}
};

/// Keeps the members of lowest rank in a non-empty set, and returns that rank.
template <class Mask, class Rank>
std::uint64_t keep_foremost(Mask& members, Rank&& rank) {
  Mask first{};
  std::uint64_t least = ~std::uint64_t{0};
  members.for_each([&](unsigned member) {
    const std::uint64_t its = rank(member);
    if (its < least) first = Mask{};
    least = std::min(least, its);
    if (its == least) first.set(member);
  });
  members = first;
  return least;
}

}  // namespace flitcast
