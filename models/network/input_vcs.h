// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "network/inspection.h"
#include "network/wait_graph.h"

namespace flitcast {

/// All input VCs of a fabric numbered in one row, as members of a wait graph.
class InputVcs {
 public:
  using Member = WaitGraph::Member;

  struct Place {
    RouterId router{};
    unsigned vc_index = 0;
  };

  explicit InputVcs(const Inspection& network);

  const Inspection& network() const { return network_; }
  const RouterState& state(RouterId router) const {
    return *network_.fabric().router_node(router).state;
  }
  /// Ticked by somebody else, whose state is not to be seen.
  bool foreign(RouterId router) const { return network_.fabric().router_node(router).foreign; }

  /// How many in the fabric, and in a router.
  std::size_t size() const { return size_; }
  unsigned size_of(RouterId router) const {
    return state(router).vc_index(state(router).input_ports, 0);
  }

  Member number(RouterId router, unsigned vc_index) const {
    return first_[index(router)] + vc_index;
  }
  Place place(Member member) const;

  /// The VC behind an output VC that has to move on before there are `needed` credits; kNobody if
  /// they are there, or if something on the way to or from that VC can change their number. Nodes
  /// take all that comes.
  Member before_credits(RouterId router, unsigned output_vc, unsigned needed) const;

 private:
  const Inspection& network_;
  std::vector<Member> first_;  // Per router: the number of its input VC 0.
  Member size_ = 0;
};

}  // namespace flitcast
