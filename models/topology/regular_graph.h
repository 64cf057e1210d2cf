// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "topology/graph.h"

namespace flitcast {

/// A graph of routers with one node each, which has the number of the router: the core of the
/// Concentrated forms of slim_fly(), jellyfish() and xpander(). Input p faces the neighbour that
/// output p leads to; the last port is local.
class RegularGraph : public Graph {
 public:
  /// Two different routers with a link in both directions.
  using Link = std::pair<std::uint32_t, std::uint32_t>;

  /// Throws std::invalid_argument beyond kMaxRouters and kMaxPorts.
  RegularGraph(std::string name, std::size_t routers, const std::vector<Link>& links);
};

/// The graph of McKay, Miller and Siran: two groups of q x q routers, with q + q routers in rows.
///
///   (0, x, y) and (0, x, y')  are linked if y - y' is in X
///   (1, m, c) and (1, m, c')  are linked if c - c' is in u X
///   (0, x, y) and (1, m, c)   are linked if y = m x + c       all modulo q
///
/// u is the smallest primitive element modulo q = 4 w + 1 or 4 w - 1, and X has the elements 1,
/// u^2, ..., u^(2 w - 2) and their negatives. Router (i, x, y) has the number (i q + x) q + y. Its
/// 2 q^2 routers of degree (3 q - 1) / 2 or (3 q + 1) / 2 are at most 2 hops apart.
/// Sources: Besta and Hoefler, "Slim Fly: A Cost Effective Low-Diameter Network Topology", SC 2014;
/// McKay, Miller and Siran, "A Note on Large Graphs of Diameter Two and Given Maximum Degree",
/// Journal of Combinatorial Theory B 74(1), 1998.
/// @param q  Throws std::invalid_argument unless is_slim_fly_size(q).
RegularGraph slim_fly(std::size_t q);

/// True for odd primes q; other prime powers, for which there are graphs, are not supported.
bool is_slim_fly_size(std::size_t q);
/// The number of links of each router of a slim fly.
constexpr std::size_t slim_fly_degree(std::size_t q) { return (3 * q + (q % 4 == 3 ? 1 : 0)) / 2; }

/// A random graph among all connected graphs without parallel links whose routers have `degree`
/// links each. It depends on the parameters only, the same on every machine.
///
/// The graph begins as a ring with chords. Pairs of links exchange their ends at random where that
/// makes no parallel links: 16 exchanges for every link, and more until the graph is connected.
/// Sources: Singla, Hong, Popa and Godfrey, "Jellyfish: Networking Data Centers Randomly", NSDI
/// 2012; the exchanges: Cooper, Dyer and Greenhill, "Sampling Regular Graphs and a Peer-to-Peer
/// Network", Combinatorics, Probability and Computing 16(4), 2007.
/// Throws std::invalid_argument unless is_jellyfish().
RegularGraph jellyfish(std::size_t routers, std::size_t degree, std::uint64_t seed);

/// True if 3 <= degree < routers, and routers * degree is even.
constexpr bool is_jellyfish(std::size_t routers, std::size_t degree) {
  return degree >= 3 && degree < routers && routers * degree % 2 == 0;
}

/// The random lift of a complete graph: each of its degree + 1 routers has `copies` copies, and for
/// each two of them a random permutation says which copies are linked. Drawn again until all
/// routers are connected; depends on the parameters only. Copy c of router r has the number
/// r * copies + c.
/// Source: Valadarsky, Shahaf, Dinitz and Schapira, "Xpander: Towards Optimal-Performance
/// Datacenters", CoNEXT 2016, with random lifts of any order in one step.
RegularGraph xpander(std::size_t degree, std::size_t copies, std::uint64_t seed);

}  // namespace flitcast
