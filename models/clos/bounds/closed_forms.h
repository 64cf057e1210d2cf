// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace flitcast::clos {

// Bounds in closed form, for reading off how m grows, never what to build. They are above the
// integer bounds of bounds.h if n - 1 is at least the x that is best for r; for smaller n Theorem 3
// may ask for more. Natural logarithms throughout: with logarithms to base 2 Theorem 4 is no upper
// bound, n = 10, r = 295 gives 73 where Theorem 3 needs 74.
// Errors as in bounds.h; r or d below 3, where ln ln is not positive, is an invalid argument.
// Source: CS838 lecture notes (1999), "A bound on m as a function of n and r".

/// Theorem 4: v(m, n, r) is nonblocking if m >= ceil(3 (n - 1) ln r / ln ln r); at least 1.
std::uint64_t theorem4(std::uint64_t n, std::uint64_t r);

/// Corollary 1, "in particular": floor((n - 1) (2 ln d / ln ln d + sqrt(ln d))) + 1.
std::uint64_t corollary1_closed(std::uint64_t n, std::uint64_t d);

}  // namespace flitcast::clos
