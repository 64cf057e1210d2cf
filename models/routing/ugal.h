// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "routing/two_phase.h"
#include "topology/adjacency.h"

namespace flitcast {

/// The decision of UGAL with local information: makes the router of the source choose once between
/// the first hops of two paths, whose weights are their numbers of links. It takes the minimal path
/// if
///
///   links of the minimal path * queue  <=  links of the detour * queue + threshold
///
/// where a queue is the number of flits in the buffers behind a first hop. A large threshold makes
/// all packets minimal, a very negative one makes all take the detour.
/// Sources: Singh, "Load-Balanced Routing in Interconnection Networks", PhD thesis, Stanford, 2005;
/// the threshold: BookSim2 (Jiang et al., ISPASS 2013).
/// @param threshold In flits times links, -kMostThreshold to kMostThreshold.
void offer_ugal(Alternative minimal, Alternative detour, std::int32_t threshold,
                Alternatives& alternatives);
inline constexpr std::int32_t kMostThreshold = 65535;

/// UGAL on any topology for Valiant's routing: a packet goes straight to its destination or by the
/// node that the detour draws, by the decision of offer_ugal(). A direct packet is in its second
/// phase from the start, so it has the VCs of that phase, the last V/2. Needs two phases' VCs.
/// Source: Singh, as above.
class Ugal : public TwoPhase {
 public:
  /// The parameters as for TwoPhase, with at least two VCs; `topology` must outlive the routing.
  Ugal(const Topology& topology, Detour detour, const PhaseMaker& make,
       std::size_t virtual_channels, std::int32_t threshold);

  bool adaptive() const override { return true; }
  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;

 private:
  std::uint32_t links(RouteRequest packet, std::uint32_t from, std::uint32_t to) const;

  const Topology& topology_;
  const Adjacency adjacency_;
  const std::int32_t threshold_;
};

}  // namespace flitcast
