// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/bounds.h"

#include <fmt/format.h>
#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <string>

#include "config/wording.h"

namespace flitcast::clos {

std::uint64_t require_fitting(std::uint64_t value, const std::string& what) {
  if (value != kTooLarge) return value;
  throw std::overflow_error(what + " does not fit in 64 bits; take a smaller network");
}

void require_positive(const char* name, std::uint64_t value) {
  if (value == 0) throw std::invalid_argument(std::string(name) + " is 0; take at least 1");
}

std::vector<std::uint64_t> proper_divisors(std::uint64_t number) {
  std::vector<std::uint64_t> divisors;
  for (std::uint64_t d = 2; d * d <= number; ++d) {
    if (number % d != 0) continue;
    divisors.push_back(d);
    if (d * d != number) divisors.push_back(number / d);
  }
  std::sort(divisors.begin(), divisors.end());
  return divisors;
}

namespace {

// Doubles are exact up to this number.
constexpr double kMostExact = 9007199254740992.0;

void require_all_positive(std::initializer_list<std::pair<const char*, std::uint64_t>> sizes) {
  for (const auto& [name, value] : sizes) require_positive(name, value);
}

bool better(const Bound& a, const Bound& b) { return a.m < b.m || (a.m == b.m && a.x < b.x); }

/// Finds the smallest m(x), and the smallest x that attains it, of the common form of the bounds:
/// m(x) = taken x + largest(x) + 1 middle switches suffice with pass limit x. At most `taken` x
/// links of the input switch are taken, and at most largest(x) of the other middle switches can
/// have destination sets of which any x meet in the request.
///
/// Calls `largest` for few x: doubles x while taken x alone allows a smaller m, then bisects and
/// skips the intervals that cannot hold the minimum. With equal n1 and n2 that is O(log r) calls.
struct PassLimitSearch {
  std::uint64_t taken = 0;  ///< Links of the input switch taken per unit of x.
  std::uint64_t least = 0;  ///< A lower bound of largest(x).
  std::uint64_t most = 1;   ///< The range of x is 1 .. most; 0 counts as 1.
  /// Size of the largest family for x, which must not increase with x; kTooLarge if it does not
  /// fit.
  std::function<std::uint64_t(std::uint64_t x)> largest;
  Bound best{kTooLarge, kTooLarge};

  /// Throws std::overflow_error if no m(x) fits in 64 bits, or if an x beyond kMostPassLimit would
  /// be needed.
  Bound run() {
    std::uint64_t x = 1;
    probe(x);
    while (x < most && hope_from(x + 1, least)) {
      const std::uint64_t next = std::min(2 * x, most);
      between(x, next, probe(next));
      x = next;
    }
    require_fitting(best.m, "the number of middle switches");
    return best;
  }

  Bound with(std::uint64_t x, std::uint64_t family) const {
    const std::uint64_t links = saturating_multiply(taken, x);
    return {saturating_add(saturating_add(links, family), 1), x};
  }

  std::uint64_t probe(std::uint64_t x) {
    if (x > kMostPassLimit) {
      throw std::overflow_error("connections through more than " + std::to_string(kMostPassLimit) +
                                " middle switches would have to be tried; take a smaller network");
    }
    const std::uint64_t family = largest(x);
    const Bound candidate = with(x, family);
    if (better(candidate, best)) best = candidate;
    return family;
  }

  // Returns whether some limit >= x whose families have at least `family` members can be better.
  bool hope_from(std::uint64_t x, std::uint64_t family) const {
    return better(with(x, family), best);
  }

  // Probes the useful limits strictly between two limits; the upper one has `family`.
  void between(std::uint64_t lower, std::uint64_t upper, std::uint64_t family) {
    if (upper - lower < 2 || !hope_from(lower + 1, family)) return;
    const std::uint64_t middle = lower + (upper - lower) / 2;
    const std::uint64_t middle_family = probe(middle);
    between(lower, middle, middle_family);
    between(middle, upper, family);
  }
};

// Returns kTooLarge for roots that are too large.
std::uint64_t saturating_root(std::uint64_t c, std::uint64_t r, std::uint64_t x) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), c, x);
  power *= mpz_class(r);
  mpz_class root;
  mpz_root(root.get_mpz_t(), power.get_mpz_t(), x);
  return root.fits_ulong_p() ? root.get_ui() : kTooLarge;
}

/// The bound by Theorem 2: taken x + scaled_root(c, r, x) + 1 for the best x = 1 .. min(c, r),
/// where requests may find `taken` x links of their input switch in use, and up to c links to every
/// output switch. r >= 1; c = 0 gives `taken` + 1.
Bound best_by_roots(std::uint64_t taken, std::uint64_t c, std::uint64_t r) {
  const auto largest = [&](std::uint64_t x) { return saturating_root(c, r, x); };
  return PassLimitSearch{taken, c, std::min(c, r), largest}.run();
}

// Returns whether the count leaves an element to x of `sets` > c sets; after c picks it never does.
bool may_meet(const mpz_class& sets, std::uint64_t c, std::uint64_t r, std::uint64_t x) {
  mpz_class left = r;
  for (std::uint64_t i = 0; i < x && left > 0; ++i) {
    left = left * mpz_class(c - i) / (sets - mpz_class(i));
  }
  return left > 0;
}

std::uint64_t saturating(const mpz_class& number) {
  return number.fits_ulong_p() ? number.get_ui() : kTooLarge;
}

// A family never has more sets than elements times multiplicity; any c equal sets meet.
std::uint64_t saturating_family(std::uint64_t c, std::uint64_t r, std::uint64_t x) {
  mpz_class meet = c;
  mpz_class do_not = mpz_class(c) * mpz_class(r) + 1;
  while (do_not - meet > 1) {
    const mpz_class middle = (meet + do_not) / 2;
    (may_meet(middle, c, r, x) ? meet : do_not) = middle;
  }
  return saturating(meet);
}

[[noreturn]] void refuse_rate(const std::string& text) {
  throw std::invalid_argument("the rate " + text +
                              " is not above 0 and at most 1; write it as 3/10, 0.3 or 1");
}

void check_rate(const Rate& rate) {
  if (rate.numerator == 0 || rate.numerator > rate.denominator) {
    refuse_rate(fmt::format("{}/{}", rate.numerator, rate.denominator));
  }
}

// Eighteen digits always fit.
std::uint64_t digits(const std::string& text, const std::string& whole) {
  const auto number = number_in<std::uint64_t>(text);
  if (!number || text.size() > 18) refuse_rate("\"" + whole + "\"");
  return *number;
}

Rate parse_decimal(const std::string& text, std::size_t point) {
  const std::string places = text.substr(point + 1);
  Rate rate{digits(text.substr(0, point) + places, text), 1};
  for (std::size_t i = 0; i < places.size(); ++i) rate.denominator *= 10;
  return rate;
}

// K (n - 1): the connections of the other ports of a switch, each of which can meet one link.
std::uint64_t others(std::uint64_t n, const Rate& least) {
  return saturating_multiply(connections_per_link(least), n - 1);
}

constexpr std::uint64_t kMostBits = std::uint64_t{1} << 26;

// Checks the size first, because GMP ends the program if it runs out of memory.
void check_bits(std::uint64_t factors, std::uint64_t factor) {
  const std::uint64_t bits = mpz_sizeinbase(mpz_class(factor).get_mpz_t(), 2);
  if (saturating_multiply(factors, bits) > kMostBits) {
    throw std::overflow_error(
        "the number of assignments has more than 2^26 bits; take a smaller network");
  }
}

}  // namespace

std::uint64_t scaled_root(std::uint64_t c, std::uint64_t r, std::uint64_t x) {
  if (x < 1 || x > kMostPassLimit) {
    throw std::invalid_argument("the order x of a root is " + std::to_string(x) + "; take 1 to " +
                                std::to_string(kMostPassLimit));
  }
  return require_fitting(saturating_root(c, r, x), "the root");
}

Bound theorem3(std::uint64_t n, std::uint64_t r) { return asymmetric(n, n, r); }

Bound corollary1(std::uint64_t n, std::uint64_t d) {
  require_positive("d", d);
  return theorem3(n, d);
}

Bound asymmetric(std::uint64_t n1, std::uint64_t n2, std::uint64_t r2) {
  require_all_positive({{"n1", n1}, {"n2", n2}, {"r2", r2}});
  return best_by_roots(n1 - 1, n2 - 1, r2);
}

std::uint64_t largest_family(std::uint64_t c, std::uint64_t r, std::uint64_t x) {
  require_all_positive({{"r", r}, {"x", x}});
  return require_fitting(saturating_family(c, r, x), "the size of the largest family");
}

Bound refined(std::uint64_t n1, std::uint64_t n2, std::uint64_t r2) {
  require_all_positive({{"n1", n1}, {"n2", n2}, {"r2", r2}});
  const std::uint64_t others = n2 - 1;
  // Every pick takes at least one element, so more than r2 picks are useless.
  const auto largest = [&](std::uint64_t x) { return saturating_family(others, r2, x); };
  return PassLimitSearch{n1 - 1, others, std::min(n2, r2), largest}.run();
}

Bound refined(std::uint64_t n, std::uint64_t r) { return refined(n, n, r); }

std::uint64_t strict_sense(std::uint64_t n, std::uint64_t r, std::uint64_t d) {
  require_all_positive({{"n", n}, {"r", r}, {"d", d}});
  const std::uint64_t per_port = std::min(saturating_add(d, 1), r);
  return require_fitting(saturating_add(saturating_multiply(n - 1, per_port), 1),
                         "the number of middle switches");
}

Bound tightest(std::uint64_t n, std::uint64_t r) {
  require_all_positive({{"n", n}, {"r", r}});
  const Bound wide = refined(n, r);
  const std::uint64_t strict = saturating_add(saturating_multiply(n - 1, r), 1);
  return strict < wide.m ? Bound{strict, 0} : wide;
}

std::uint64_t theorem4(std::uint64_t n, std::uint64_t r) {
  require_positive("n", n);
  if (r < 3) {
    throw std::invalid_argument(
        "the closed form needs r >= 3, where ln ln is positive; use the integer bound for " +
        std::to_string(r));
  }
  const double log = std::log(static_cast<double>(r));
  const double m = std::ceil(3 * static_cast<double>(n - 1) * log / std::log(log));
  const std::uint64_t count = m < kMostExact ? static_cast<std::uint64_t>(m) : kTooLarge;
  return std::max(require_fitting(count, "the number of middle switches"), std::uint64_t{1});
}

Rate parse_rate(const std::string& text) {
  Rate rate;
  if (const std::size_t point = text.find('.'); point != std::string::npos) {
    rate = parse_decimal(text, point);
  } else {
    const std::size_t bar = text.find('/');
    rate.numerator = digits(text.substr(0, bar), text);
    if (bar != std::string::npos) rate.denominator = digits(text.substr(bar + 1), text);
  }
  check_rate(rate);
  return rate;
}

std::uint64_t connections_per_link(const Rate& least) {
  check_rate(least);
  return least.denominator / least.numerator;
}

Bound multirate(std::uint64_t n1, std::uint64_t n2, std::uint64_t r2, const Rate& least) {
  require_all_positive({{"n1", n1}, {"n2", n2}, {"r2", r2}});
  const std::uint64_t sharing = require_fitting(others(n2, least), "K (n2 - 1)");
  return best_by_roots(others(n1, least), sharing, r2);
}

Bound multirate(std::uint64_t n, std::uint64_t r, const Rate& least) {
  return multirate(n, n, r, least);
}

std::uint64_t multirate_unicast(std::uint64_t n, const Rate& least) {
  require_positive("n", n);
  return require_fitting(saturating_add(saturating_multiply(2, others(n, least)), 1),
                         "the number of middle switches");
}

mpz_class multicast_assignments(std::uint64_t inputs, std::uint64_t outputs) {
  require_all_positive({{"the number of inputs", inputs}, {"the number of outputs", outputs}});
  check_bits(outputs, inputs);
  mpz_class result;
  mpz_ui_pow_ui(result.get_mpz_t(), inputs, outputs);
  return result;
}

mpz_class permutation_assignments(std::uint64_t ports) {
  require_positive("the number of ports", ports);
  check_bits(ports, ports);
  mpz_class result;
  mpz_fac_ui(result.get_mpz_t(), ports);
  return result;
}

}  // namespace flitcast::clos
