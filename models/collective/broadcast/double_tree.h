// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace flitcast {

/// The nodes of a hypercube that differ from `root` in bits of `dimensions` only.
struct Subcube {
  NodeId root{};
  std::uint32_t dimensions = 0;
};

/// The nodes u_0 .. u_n of the ascending dimension-simple path of a subcube, each as the root of
/// its part. The path is halved again and again, and with it the subcube.
std::vector<Subcube> parts_along_path(const Subcube& subcube);

/// The rounds of the double tree on an n-cube.
std::size_t double_tree_rounds(std::size_t n);

/// The rounds of the Ho-Kao algorithm on an n-cube: the rounds of the double tree, or one more than
/// the largest subcube takes.
///
///   n       0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20
///   rounds  0 1 2 2 2 3 3 3 4 4  4  5  5  5  6  6  6  6  7  7  7
std::size_t ho_kao_rounds(std::size_t n);

}  // namespace flitcast
