// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace flitcast::clos {

// A bound is the minimum over candidates, some of which are astronomically large. Such a candidate
// counts as kTooLarge, the largest number; only if it is the minimum does the bound have no value.

/// Stands for every number that does not fit in 64 bits.
inline constexpr std::uint64_t kTooLarge = std::numeric_limits<std::uint64_t>::max();

/// a + b, or kTooLarge.
constexpr std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a > kTooLarge - b ? kTooLarge : a + b;
}

/// a b, or kTooLarge.
constexpr std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > kTooLarge / a ? kTooLarge : a * b;
}

/// Returns `value`; throws std::overflow_error "`what` does not fit in 64 bits; ..." for kTooLarge.
std::uint64_t require_fitting(std::uint64_t value, const std::string& what);

/// Throws std::invalid_argument "`name` is 0; take at least 1" for a size of 0.
void require_positive(const char* name, std::uint64_t value);

/// Divisors other than 1 and the number itself, in ascending order. Time: O(sqrt(number)).
std::vector<std::uint64_t> proper_divisors(std::uint64_t number);

/// A number of middle switches that suffices, and the limit on middle switches per connection (on
/// passes of the control algorithm) that it is proved with.
struct Bound {
  std::uint64_t m = 0;
  std::uint64_t x = 0;  ///< The smallest limit that attains m; 0: m holds without a limit.

  friend bool operator==(const Bound& a, const Bound& b) { return a.m == b.m && a.x == b.x; }
};

// All bounds are exact integers: roots are taken of integers of any size, never of floating-point
// numbers, which give 24 instead of 25 for n = 4, r = 125. Sizes of 0 throw std::invalid_argument,
// results beyond 64 bits std::overflow_error. Networks of millions of ports take microseconds.
//
// Source: Yang and Masson, IEEE Transactions on Computers 40 (1991); CS838 lecture notes (1999),
// "A wide-sense nonblocking multicast network". The "+ 1" below is the strict ">" printed there.

/// floor(c r^(1/x)): the largest v with v^x <= c^x r, exactly, for x from 1 to kMostPassLimit.
/// Theorem 2: a family of subsets of 0 .. r - 1 has at most this many members if no element is in
/// more than c of them, any x of them meet, and x <= min(c, r). Time: that of one root of a number
/// of x log2(c) bits.
std::uint64_t scaled_root(std::uint64_t c, std::uint64_t r, std::uint64_t x);
inline constexpr std::uint64_t kMostPassLimit = 1U << 16;

/// Theorem 3: v(m, n, r) is nonblocking in the wide sense under strategy S1 with pass limit x if
///   m >= min over x = 1 .. min(n - 1, r) of (n - 1) x + scaled_root(n - 1, r, x) + 1.
/// n = 1 needs one middle switch. For r <= 3, and for n = 2, the bound exceeds strict_sense().
Bound theorem3(std::uint64_t n, std::uint64_t r);

/// Corollary 1: the same when every connection reaches at most d output switches: Theorem 3 with d
/// in the place of r. d = 1 gives 2n - 1, the bound of Clos for permutations (Corollary 2).
Bound corollary1(std::uint64_t n, std::uint64_t d);

/// Theorem 3 for v(m, n1, r1, n2, r2):
///   (n1 - 1) x + scaled_root(n2 - 1, r2, x) + 1 for the best x = 1 .. min(n2 - 1, r2).
/// n2 = 1 needs n1 middle switches. std::overflow_error where an x beyond kMostPassLimit would have
/// to be tried, which takes more than kMostPorts outputs.
Bound asymmetric(std::uint64_t n1, std::uint64_t n2, std::uint64_t r2);

// Two bounds below Theorem 3 for the same network and the same control. Derived; checked against
// exhaustive search of all reachable states of small networks.

/// The largest m' for which the counting argument of Theorem 2 does not yet exclude m' subsets of 0
/// .. r - 1, no element in more than c of them, of which any x meet (x >= 1; c = 0: none).
///
/// Pick the smallest set, then always the one that leaves least. After i picks each element left is
/// in at most c - i of the m' - i other sets, so some set leaves at most (c - i) / (m' - i) of
/// them. Theorem 2 uses c / m' throughout and rounds only once: its bound is never smaller.
/// Time: O(min(x, r) log(c r)).
std::uint64_t largest_family(std::uint64_t c, std::uint64_t r, std::uint64_t x);

/// Theorem 3 with this count: the best x = 1 .. n2 of (n1 - 1) x + largest_family(n2 - 1, r2, x) +
/// 1. x = n gives n^2, which suffices for any r.
Bound refined(std::uint64_t n1, std::uint64_t n2, std::uint64_t r2);
Bound refined(std::uint64_t n, std::uint64_t r);

/// v(m, n, r) is nonblocking under any legal routes if and only if m >= (n - 1) r + 1; if every
/// connection reaches at most d output switches, (n - 1) min(d + 1, r) + 1 (d = 1: 2n - 1, Clos
/// 1953). "Only if" presumes at least two input switches.
///
/// Link A(i, j) or B(j, k) is busy for at most one fewer j: the n - 1 other ports of i have at most
/// d links each, or r - 1 besides the one to k, and B(j, k) is busy for at most n - 1.
std::uint64_t strict_sense(std::uint64_t n, std::uint64_t r, std::uint64_t d = kTooLarge);

/// The smaller of refined() and strict_sense(); x = 0 (no limit) if only the latter attains it.
Bound tightest(std::uint64_t n, std::uint64_t r);

// A bound in closed form, which shows how m grows; not for building networks.

/// Theorem 4: v(m, n, r) is nonblocking if m >= ceil(3 (n - 1) ln r / ln ln r); at least 1.
///
/// It is above Theorem 3 if n - 1 is at least the best x for r; for smaller n Theorem 3 may give
/// more. Natural logarithms: with logarithms to base 2 it is no upper bound (n = 10, r = 295 gives
/// 73, but Theorem 3 needs 74). r below 3, for which ln ln is not positive, is an invalid argument.
/// Source: CS838 lecture notes (1999), "A bound on m as a function of n and r".
std::uint64_t theorem4(std::uint64_t n, std::uint64_t r);

/// A rate as a fraction of the capacity of a link, exactly: numerator / denominator.
struct Rate {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;
};

/// The rate of "3/10", "0.3" or "1"; std::invalid_argument for other text, and for rates that are
/// not above 0 and at most 1.
Rate parse_rate(const std::string& text);

/// K = floor(1 / least): the most connections, each of rate `least` or more, that share a link.
std::uint64_t connections_per_link(const Rate& least);

// Connections of any rates b <= w <= 1 share links and ports as long as no link and no port carries
// more than 1. Errors are those of the bounds above; a rate that is not above 0 and at most 1 is an
// invalid argument, too.
//
// Source: CS838 lecture notes (1999), "Generalization to multirate network", Lemmas 2 and 3,
// Theorem 10, Corollary 4. Of Lemma 2 only Case 1 holds; the printed bounds of Case 2 and Case 3
// are too small:
//   Case 2  b = 0.15, w = 0.54, n1 = 13, x = 1: twelve ports, each with connections of 0.154 twice
//           and 0.2305 three times, take 8 + 18 = 26 links; printed: 25.
//   Case 3  b = 0.01, w = 9/19, n1 = 2, x = 10: small connections of both ports take 28 links;
//           printed: 20.
// Theorem 10 needs Lemma 3 only, which holds.

/// Theorem 10 with Lemma 3, for v(m, n1, r1, n2, r2): nonblocking in the wide sense with pass limit
/// x if m >= min over x = 1 .. min(K (n2 - 1), r2) of
///   K (n1 - 1) x + scaled_root(K (n2 - 1), r2, x) + 1.
/// K = 1, rates above one half, is asymmetric() and theorem3().
Bound multirate(std::uint64_t n1, std::uint64_t n2, std::uint64_t r2, const Rate& least);
Bound multirate(std::uint64_t n, std::uint64_t r, const Rate& least);

/// Corollary 4, for connections to one output switch each: 2 K (n - 1) + 1.
std::uint64_t multirate_unicast(std::uint64_t n, const Rate& least);

// The number of patterns of simultaneous connections that a switch must realize, as integers of any
// size. An output is connected to at most one input; an input may be unused. A count of more than
// about 2^26 bits throws std::overflow_error, a size of 0 std::invalid_argument.
// Source: CS838 lecture notes (1999), definitions of permutation and multicast assignments.

/// Every output is used: inputs^outputs. The N^N of an N x N network.
mpz_class multicast_assignments(std::uint64_t inputs, std::uint64_t outputs);

/// Every input is connected to one output, every output to one input: N!.
mpz_class permutation_assignments(std::uint64_t ports);

}  // namespace flitcast::clos
