// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "collective/gossip/trail_gossip.h"
#include "collective/schedule.h"
#include "sim/experiment/workload.h"
#include "topology/grid.h"
#include "topology/topology.h"

namespace flitcast {

/// Lines, arrows and nodes that become an SVG element, which fits around them.
class Drawing {
 public:
  /// Adds a line. Positions are about 1 apart. Colours are numbers from 0, which repeat after
  /// eight.
  void line(Position from, Position to, std::size_t colour);
  /// An arrow between two nodes, curved to its left, so that arrows in both directions differ.
  /// @param curve  The distance of its middle from the straight line.
  /// @param title  For readers who point at the arrow.
  void arrow(Position from, Position to, double curve, const std::string& label,
             const std::string& title, std::size_t colour);
  void node(Position at, const std::string& label, std::size_t colour = kInk);
  /// @param title  For readers who do not see the picture, and for its caption.
  std::string svg(const std::string& title) const;

  static constexpr std::size_t kInk = ~std::size_t{0};  ///< The colour of text.

 private:
  void include(Position at);

  Position least_{1e9, 1e9};
  Position most_{-1e9, -1e9};
  std::string lines_;
  std::string nodes_;
};

/// The largest network that is drawn for a statement.
inline constexpr std::size_t kMostNodesDrawn = 400;

/// Trails on a torus of two dimensions, or of three as planes side by side, one colour a trail.
/// Links round the torus end at its border; moves from plane to plane are not drawn.
std::string drawing_of(const Grid& torus, const std::vector<Trail>& trails);

/// The first message to every node, one colour a round; every node shows the round of that message,
/// from 1; 0: no message.
std::string drawing_of(const Topology& topology, const Schedule& schedule);

/// True for meshes, tori, rings and hypercubes, whose nodes have places in a picture.
bool is_drawable(const Topology& topology);

/// The largest number of arrows in a picture.
inline constexpr std::size_t kMostArrows = 20000;

/// An SVG file with an arrow for every transmission, labelled with its step and coloured by it.
/// If there are at least as many transmissions as nodes, every step has a separate copy of the
/// network.
std::string drawing_of(const Topology& topology, const std::vector<Transmission>& transmissions,
                       const std::string& title);

}  // namespace flitcast
