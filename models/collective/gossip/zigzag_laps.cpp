// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/zigzag_laps.h"

#include <cstdint>

#include "collective/paths.h"

namespace flitcast {

namespace {

// A trail as it grows. Axes are counted from 1, as in the literature.
class Walk {
 public:
  Walk(const Grid& torus, const std::vector<std::size_t>& axes, std::size_t number)
      : torus_(torus),
        axes_(axes),
        start_(shifted(torus, NodeId{0}, axes[1], static_cast<std::int64_t>(number))),
        here_(start_) {}

  Trail go() {
    std::size_t lap = 0;
    do {
      ++lap;
      zigzag(kind(lap));
      while (torus_.coordinate(here_, axes_[0]) != 0) move(1);
    } while (here_ != start_);
    return trail_;
  }

 private:
  // The zigzag of a lap: the largest j such that lap is a multiple of (n_2 / d) n_3 .. n_j.
  std::size_t kind(std::size_t lap) const {
    std::size_t j = 1;
    std::size_t laps_to_fill = size(2) / axes_.size();  // Axes 1 .. j + 1.
    while (j + 1 < axes_.size() && lap % laps_to_fill == 0) {
      ++j;
      laps_to_fill *= size(j + 1);
    }
    return j;
  }

  void zigzag(std::size_t kind) {
    move_and_advance(2);
    for (std::size_t axis = 2; axis <= kind + 1; ++axis) move_and_advance(axis);
    for (std::size_t pair = kind + 1; pair < axes_.size(); ++pair) move_and_advance(2);
  }

  void move_and_advance(std::size_t axis) {
    move(axis);
    move(1);
  }

  void move(std::size_t axis) {
    const PortId output = Grid::plus(axes_[axis - 1]);
    trail_.push_back({here_, output});
    here_ = neighbour(torus_, here_, output);
  }

  std::size_t size(std::size_t axis) const { return torus_.size(axes_[axis - 1]); }

  const Grid& torus_;
  const std::vector<std::size_t>& axes_;
  NodeId start_;
  NodeId here_;
  Trail trail_;
};

}  // namespace

std::vector<Trail> zigzag_laps(const Grid& torus, const std::vector<std::size_t>& axes) {
  const bool one_takes_all = axes.size() == 2 && torus.size(axes[1]) % 2 != 0;
  std::vector<Trail> trails;
  for (std::size_t number = 0; number < (one_takes_all ? 1 : axes.size()); ++number) {
    trails.push_back(Walk(torus, axes, number).go());
  }
  return trails;
}

}  // namespace flitcast
