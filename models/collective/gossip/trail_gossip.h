// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "collective/precondition.h"
#include "collective/schedule.h"
#include "topology/grid.h"

namespace flitcast {

/// One position of a trail: a node, and the output by which the trail leaves it.
struct TrailPosition {
  NodeId node{};
  PortId output{};

  friend constexpr bool operator==(TrailPosition a, TrailPosition b) {
    return a.node == b.node && a.output == b.output;
  }
};

/// A closed walk on a grid that uses no link twice: every position's output leads to the node of
/// the next position, the last one's to the first. A trail may visit a node more than once.
using Trail = std::vector<TrailPosition>;

/// Time-independent forwarding: the output for all packets that enter a node by an input. Different
/// inputs of a node must give different outputs.
using ForwardingRule = std::function<PortId(NodeId node, PortId input)>;

/// The trail that begins at `start` and follows the rule until it returns there.
Trail follow(const Grid& torus, TrailPosition start, const ForwardingRule& forward);

/// An entry of a loaded trail without a chunk: a channel that should carry it stays idle.
inline constexpr ChunkId kNoChunk{~std::uint32_t{0}};

/// A closed trail and the chunks that its nodes put on it, as one cyclic sequence of entries.
///
///   position      0     1     2   ..        every position owns at least one entry,
///   entries     | 0 | 1   2 | 3 | ..        empty if its node puts nothing on the trail there
///
/// Position numbers and entry numbers are cyclic: the last is followed by 0.
class LoadedTrail {
 public:
  /// Adds the next position of the trail and the chunks that its node puts on the trail there.
  void append(TrailPosition position, const std::vector<ChunkId>& chunks);

  std::uint32_t positions() const { return static_cast<std::uint32_t>(trail_.size()); }
  std::uint32_t entries() const { return static_cast<std::uint32_t>(chunks_.size()); }
  ChunkId chunk(std::uint32_t entry) const { return chunks_[entry]; }

  NodeId node(std::uint32_t position) const { return trail_[position].node; }
  PortId output(std::uint32_t position) const { return trail_[position].output; }
  std::uint32_t next(std::uint32_t position) const {
    return position + 1 < positions() ? position + 1 : 0;
  }
  std::uint32_t first_entry(std::uint32_t position) const { return first_entry_[position]; }
  std::uint32_t last_entry(std::uint32_t position) const {
    return (position + 1 < positions() ? first_entry_[position + 1] : entries()) - 1;
  }
  std::uint32_t owned(std::uint32_t position) const {
    return last_entry(position) - first_entry(position) + 1;
  }

 private:
  Trail trail_;
  std::vector<std::uint32_t> first_entry_;
  std::vector<ChunkId> chunks_;
};

/// The direction in which chunks travel along a trail.
enum class Heading { kForward, kBackward };

/// The entries that one channel carries in a gossip along trails, one a round.
///
/// The first entries pass the sender in the direction of the heading, beginning with its own:
/// start, start -+ 1, start -+ 2, .. (entries that travel forward come from behind, so they
/// descend). After that, on channels that only feed a node beside the trail, the sender repeats
/// from its memory entries that passed it in the other direction before: start +- 1, start +- 2, ..
struct Stream {
  NodeId from{};
  NodeId to{};
  PortId output{};
  Heading heading{};
  std::uint32_t start = 0;    ///< The first entry sent.
  std::uint32_t passing = 0;  ///< Rounds from the first on in which entries pass.
  /// Rounds after the passing ones in which entries come from memory.
  std::uint32_t remembered = 0;

  /// The entry sent in a round, counted from 0, on a trail of `entries` entries.
  std::optional<std::uint32_t> entry(std::uint32_t round, std::uint32_t entries) const {
    if (round < passing) return moved(heading == Heading::kBackward, round, entries);
    if (round >= passing + remembered) return std::nullopt;
    return moved(heading == Heading::kForward, round - passing + 1, entries);
  }

 private:
  std::uint32_t moved(bool up, std::uint32_t steps, std::uint32_t entries) const {
    if (up) return start + steps < entries ? start + steps : start + steps - entries;
    return start >= steps ? start - steps : start + entries - steps;
  }
};

/// The number of entries that a position receives from either side of a trail.
struct Intake {
  std::uint32_t from_behind = 0;  ///< Entries that travel forward.
  std::uint32_t from_ahead = 0;   ///< Entries that travel backward.
};

/// By position: the intakes with which no node receives an entry twice in `rounds` rounds.
///
/// The entries between two positions of a node (all others, if it has only one position) go to the
/// nearer of the two, the middle one to the later; none comes from a distance above `rounds`.
/// @param nodes  The number of nodes of the network.
std::vector<Intake> intakes(const LoadedTrail& trail, std::size_t nodes, std::uint32_t rounds);

/// The streams of a circulation: in round t, from 1 up, the channel that leaves a position forward
/// carries the (t-1)-th entry before the position's last one, the channel that leaves it backward
/// the (t-1)-th after its first one, both until the receiver's intake is complete. A position that
/// owns w entries thus delays the others by w rounds, and no channel idles in between.
///
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori" (1998), section 2, which
/// leaves open in which order the two packets of a node go out.
std::vector<Stream> circulation(const LoadedTrail& trail, const std::vector<Intake>& intakes);

/// A position of a trail that feeds a node beside it through an output the trail does not use.
struct Supplier {
  std::uint32_t position = 0;
  PortId output{};
};

/// The two streams that bring a node the `wanted` entries of a trail that it receives in no other
/// way, each entry once, half of them from either supplier.
///
///   .. b b b b|a a a a X a a|b b b Y b b b b|..     a: from X, b: from Y
///         <-- wanted, centred on the pair -->
///
/// X and Y are the suppliers in the order in which fewer entries lie between them. X first sends
/// the entries that pass it forward, beginning with its own, and Y those that pass it backward,
/// until they have served the side away from the other supplier; then each sends half of the
/// entries between them from memory, the nearest first. They take ceil(wanted / 2) and
/// floor(wanted / 2) rounds.
///
/// @param wanted  At least the entries from X to Y, both included; all entries for a node that is
///                not on the trail. They must be those around the pair, as above.
///
/// Source: Meyer and Sibeyn (1998), section 2, "Changing Direction". There each supplier changes
/// once between the packets running forward and those running backward, without memory; that
/// cannot work, because the entries between the suppliers pass both of them in the first rounds.
std::pair<Stream, Stream> feeding(const LoadedTrail& trail, NodeId fed, Supplier one,
                                  Supplier other, std::uint32_t wanted);

/// The number of entries between two suppliers of a trail, on the side with fewer of them.
std::uint32_t entries_between(const LoadedTrail& trail, Supplier one, Supplier other);

/// By node and port: true if a trail uses the link, in either direction. The other links can feed
/// nodes beside a trail.
using LinksInUse = std::vector<std::vector<bool>>;
LinksInUse links_in_use(const Grid& torus, const std::vector<LoadedTrail>& trails);

/// The position of a node that is not on a trail.
inline constexpr std::uint32_t kOffTrail = ~std::uint32_t{0};
/// By node: one of its positions on the trail, or kOffTrail.
std::vector<std::uint32_t> positions_of(const LoadedTrail& trail, std::size_t nodes);
/// The neighbours of a node that are on the trail, over links that no trail uses.
/// @param position  From positions_of().
std::vector<Supplier> suppliers_of(NodeId fed, const Grid& torus, const LinksInUse& used,
                                   const std::vector<std::uint32_t>& position);

/// Gossip along edge-disjoint closed trails: the chunks of a trail circulate on it in both
/// directions, and a node that does not receive all of them that way gets the rest from two
/// neighbours on the trail, over links that no trail uses.
///
/// Every node receives every chunk but its own once, in `rounds` rounds if the circulation and the
/// suppliers take no longer. Throws std::logic_error if a node needs suppliers for a trail and does
/// not have exactly two.
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori" (1998).
Schedule trail_gossip(const Grid& torus, const std::vector<LoadedTrail>& trails,
                      std::uint32_t rounds);

/// The pairs of sides between which the nodes of a column of a 2-D torus pass packets on, for T
/// top, B bottom, L left, R right. The value has the bits in which the ports of a pair differ: 1
/// for opposite directions, 2 for the two dimensions.
enum class Coupling : std::uint16_t {
  kStraight = 1,  ///< L <-> R, T <-> B
  kTopLeft = 2,   ///< T <-> L, B <-> R
  kTopRight = 3,  ///< T <-> R, B <-> L
};
using CouplingOfColumn = std::function<Coupling(std::size_t column)>;

/// The rule by which all nodes of a column forward alike. Rows are counted along one dimension and
/// columns along the other.
/// @param torus  Must outlive the rule.
ForwardingRule rule_by_columns(const Grid& torus, std::size_t row_dimension,
                               const CouplingOfColumn& coupling);

/// The coupling of a column on the zigzag cycles; see zigzag_cycles().
Coupling zigzag_coupling(std::size_t column, std::size_t columns);

/// The two cycles on which the gossip `zigzag_cycles` circulates its chunks. They are
/// edge-disjoint, each visits a node at most once, and both visit all nodes except those of one
/// column.
///
/// Rows are counted along dimension 0 and columns along dimension 1, or the other way round if only
/// dimension 1 is of even size. A fixed rule maps the side by which a packet enters a node to the
/// side by which it leaves (T top, B bottom, L left, R right):
///
///   even columns, and the last   T <-> R, B <-> L
///   odd columns                  T <-> L, B <-> R
///   the last but one, if odd     L <-> R            (of an odd number of columns)
///
/// With an even number of columns the cycles are Hamiltonian. With an odd number their length is P
/// minus half the rows, because a node of the last column but one is on one of them only.
/// Throws PreconditionError unless the torus has two dimensions, both of size 3 or more and at
/// least one of even size: with both odd the rule gives one trail of about twice the length.
std::vector<Trail> zigzag_cycles(const Grid& torus);

/// The trails of the one-packet gossip on d-dimensional tori: long straight lines along axis 1,
/// joined by zigzags that shift each lap by d places in axis 2 (and, where that is full, in higher
/// axes). All moves are upwards.
///
/// Trail c starts at (0, c, 0, ..) and makes laps l = 1, 2, .. until it returns there. A lap is
/// the moves 2,1, 2,1, 3,1, .., j+1,1 and then 2,1 until there are d pairs (zigzag j), followed by
/// moves in axis 1 up to coordinate 0. j is the largest number below d for which l is a multiple of
/// (n_2 / d) n_3 .. n_j; j = 1 is always possible.
///
/// The result is d trails of P / d + P / n_1 positions each, or one trail of twice that length if
/// d = 2 and n_2 is odd. Every node is entered once by axis 1, and more often only at coordinates
/// below d. The trails close and use no link twice for d = 2 with n_1 >= 3, and for d = 3 or 4 with
/// n_1 >= d, n_2 a multiple of d and all further sizes multiples of n_2; for other sizes the
/// function may not return.
///
/// @param axes  The dimensions of the torus that serve as axis 1, axis 2, and so on.
///
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori" (1998), section 3. It
/// requires multiples of d only; then trails collide or stay open, for example on T(4,6,3).
std::vector<Trail> zigzag_laps(const Grid& torus, const std::vector<std::size_t>& axes);

/// The axes, counted from 1, along which zigzag j of d dimensions moves: 2d moves.
std::vector<std::size_t> zigzag_moves(std::size_t dimensions, std::size_t j);

/// The precondition that gossip along zigzag trails is known to work on the torus; the hint names
/// the nearest sizes that work. With sizes of 3 or more the working sizes are
///
///   two dimensions   all
///   three            n_2 a multiple of 3, n_3 of n_2
///   four             n_1 = 4, n_2 a multiple of 4, n_3 and n_4 of n_2
///
/// Sizes are in the order of the dimensions. "Nearest" is by the sum of the differences.
///
/// Source: the rules were found by exhaustive search. Meyer and Sibeyn (1998), theorems 3 and 4,
/// require multiples of d only: then the trails of T(4,6,3) stay open and collide, and on
/// T(5,4,4,4) some nodes have no neighbour on a trail that they need. Five dimensions were never
/// verified.
Precondition with_zigzag_sizes(const Grid& grid);

}  // namespace flitcast
