// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "clos/bounds/bounds.h"

namespace flitcast::clos {

// Bounds below Theorem 3 for the same network and the same control. Derived; checked against
// exhaustive search of all reachable states of small networks. Errors as in bounds.h.

/// The largest m' for which the counting argument of Theorem 2 does not yet exclude m' subsets of
/// 0 .. r - 1, no element in more than c of them, of which any x meet (x >= 1; c = 0: none).
///
/// Pick the smallest set, then always the one that leaves least. After i picks each element left is
/// in at most c - i of the m' - i other sets, so some set leaves at most (c - i) / (m' - i) of
/// them. Theorem 2 uses c / m' throughout and rounds only once: its bound is never smaller.
/// Time: O(min(x, r) log(c r)).
std::uint64_t largest_family(std::uint64_t c, std::uint64_t r, std::uint64_t x);

/// Theorem 3 with this count: the best x = 1 .. n2 of (n1 - 1) x + largest_family(n2 - 1, r2, x) +
/// 1. x = n gives n^2: so many middle switches suffice whatever r is.
Bound refined(std::uint64_t n1, std::uint64_t n2, std::uint64_t r2);
Bound refined(std::uint64_t n, std::uint64_t r);

/// v(m, n, r) is nonblocking whatever legal routes were used if and only if m >= (n - 1) r + 1; if
/// every connection reaches at most d output switches, (n - 1) min(d + 1, r) + 1 (d = 1: 2n - 1,
/// Clos 1953). "Only if" presumes two input switches or more.
///
/// Link A(i, j) or B(j, k) is busy for at most so many j less one: the n - 1 other ports of i have
/// at most d links each, or r - 1 besides the one to k, and B(j, k) is busy for at most n - 1.
std::uint64_t strict_sense(std::uint64_t n, std::uint64_t r);
std::uint64_t strict_sense(std::uint64_t n, std::uint64_t r, std::uint64_t d);

/// The smaller of refined() and strict_sense(); x = 0, no limit, where only the latter is so small.
Bound tightest(std::uint64_t n, std::uint64_t r);

}  // namespace flitcast::clos
