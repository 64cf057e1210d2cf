// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "clos/bounds/bounds.h"

namespace flitcast::clos {

/// A rate as part of what a link carries, exactly: numerator / denominator.
struct Rate {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;
};

/// The rate of "3/10", "0.3" or "1"; std::invalid_argument for other text, and for rates that are
/// not above 0 and at most 1.
Rate parse_rate(const std::string& text);

/// K = floor(1 / least): the most connections that share a link, of rate `least` or more each.
std::uint64_t connections_per_link(const Rate& least);

// Connections of any rates b <= w <= 1 share links and ports as long as no link and no port carries
// more than 1. Errors as in bounds.h; a rate that is not above 0 and at most 1 is an invalid
// argument, too.
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

/// Corollary 4, connections to one output switch each: 2 K (n - 1) + 1.
std::uint64_t multirate_unicast(std::uint64_t n, const Rate& least);

}  // namespace flitcast::clos
