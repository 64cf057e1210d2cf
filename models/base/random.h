// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace flitcast {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): 64 bits of state, one multiplication chain per
/// number, equidistributed. Seed 0 yields e220a8397b1dcdaf, 6e789e6aa1b965f4, 06c45d188009454f.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

  /// The stream `index` of an experiment. Streams differ in every number, so the choices of a
  /// terminal depend neither on other terminals nor on their number.
  static constexpr Random stream(std::uint64_t seed, std::uint64_t index) {
    return Random(mix(mix(seed + kGamma) ^ (index + 1) * 0xD1342543DE82EF95ULL));
  }

  constexpr std::uint64_t next() { return mix(state_ += kGamma); }

  /// A uniform number in 0 .. bound - 1 (bound >= 1) by multiplication; the bias is below bound
  /// / 2^64.
  constexpr std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * bound) >> 64);
  }

  /// A uniform number in [0, 1) with 53 bits.
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr std::uint64_t kGamma = 0x9E3779B97F4A7C15ULL;

  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
  }

  std::uint64_t state_;
};

/// A uniform number in 0 .. bound - 1 (bound >= 1) from the upper half of the next number; the bias
/// is below bound / 2^32. The golden traces of Clos networks depend on this function instead of
/// below().
constexpr std::uint32_t draw(Random& random, std::uint64_t bound) {
  return static_cast<std::uint32_t>((random.next() >> 32) * bound >> 32);
}

}  // namespace flitcast
