// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace flitcast::clos {

/// A number of middle switches that suffices, and the limit on middle switches per connection (on
/// passes of the control algorithm) that it is proved with.
struct Bound {
  std::uint64_t m = 0;
  std::uint64_t x = 0;  ///< The smallest that attains m; 0: it holds without any limit.

  friend bool operator==(const Bound& a, const Bound& b) { return a.m == b.m && a.x == b.x; }
  friend bool operator!=(const Bound& a, const Bound& b) { return !(a == b); }
};

// All bounds are exact integers: roots are taken of integers of any size, never of floating-point
// numbers, which say 24 instead of 25 for n = 4, r = 125. Sizes of 0 throw std::invalid_argument,
// results beyond 64 bits std::overflow_error. Networks of millions of ports take microseconds.
//
// Source: Yang and Masson, IEEE Transactions on Computers 40 (1991); CS838 lecture notes (1999),
// "A wide-sense nonblocking multicast network". The "+ 1" below is the strict ">" printed there.

/// floor(c r^(1/x)): the largest v with v^x <= c^x r, exactly, for x from 1 to kMostPassLimit.
/// Theorem 2: a family of subsets of 0 .. r - 1 has at most so many members if no element is in
/// more than c of them, any x of them meet, and x <= min(c, r).
/// Time: that of one root of a number of x log2(c) bits.
std::uint64_t scaled_root(std::uint64_t c, std::uint64_t r, std::uint64_t x);
inline constexpr std::uint64_t kMostPassLimit = 1U << 16;

/// Theorem 3: v(m, n, r) is nonblocking in the wide sense under strategy S1 with pass limit x if
///   m >= min over x = 1 .. min(n - 1, r) of (n - 1) x + scaled_root(n - 1, r, x) + 1.
/// n = 1 needs one middle switch. For r <= 3, and for n = 2, it asks for more than strict_sense().
Bound theorem3(std::uint64_t n, std::uint64_t r);

/// Corollary 1: the same when every connection reaches at most d output switches: Theorem 3 with d
/// in the place of r. d = 1 gives 2n - 1, the bound of Clos for permutations (Corollary 2).
Bound corollary1(std::uint64_t n, std::uint64_t d);

/// Theorem 3 for v(m, n1, r1, n2, r2):
///   (n1 - 1) x + scaled_root(n2 - 1, r2, x) + 1 for the best x = 1 .. min(n2 - 1, r2).
/// n2 = 1 needs n1 middle switches. std::overflow_error where an x beyond kMostPassLimit would have
/// to be tried, which takes more than kMostPorts outputs.
Bound asymmetric(std::uint64_t n1, std::uint64_t n2, std::uint64_t r2);

/// What these theorems share: taken x + scaled_root(c, r, x) + 1 for the best x = 1 .. min(c, r),
/// where requests may find `taken` x links of their input switch in use, and up to c links to every
/// output switch. r >= 1; c = 0 gives `taken` + 1.
Bound best_by_roots(std::uint64_t taken, std::uint64_t c, std::uint64_t r);

}  // namespace flitcast::clos
