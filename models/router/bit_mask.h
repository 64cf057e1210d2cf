// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace flitcast {

/// The lowest set bit of a non-zero word.
inline unsigned lowest_bit(std::uint64_t word) {
  return static_cast<unsigned>(__builtin_ctzll(word));
}

/// True if exactly one bit of a non-zero word is set.
constexpr bool single_bit(std::uint64_t word) { return (word & (word - 1)) == 0; }

/// The same as `condition ? yes : no` for unsigned integers, by arithmetic: for conditions that no
/// processor can predict, of which compilers would make a branch.
template <class T>
constexpr T select(bool condition, T yes, T no) {
  return no ^ ((yes ^ no) & (T{0} - T{condition}));
}
/// The same for addresses.
template <class T>
T* select(bool condition, T* yes, T* no) {  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<T*>(select(condition, reinterpret_cast<std::uintptr_t>(yes),
                                     reinterpret_cast<std::uintptr_t>(no)));
}

/// Round-robin choice: the first set bit above `last`, wrapping around.
/// `word` is not zero, `last` is 0 .. 63.
inline unsigned round_robin(std::uint64_t word, unsigned last) {
  const std::uint64_t later = word & ~((std::uint64_t{2} << last) - 1);
  return lowest_bit(later != 0 ? later : word);
}

/// A set of numbers below 64 * kWords. One word compiles to plain integer instructions, so support
/// for large routers costs nothing in the common router, whose virtual channels fit in 64 bits.
/// BitMask{} is the empty set.
template <int kWords>
class BitMask {
 public:
  static constexpr unsigned kBits = 64 * kWords;

  static BitMask of(unsigned bit) {
    BitMask result{};
    result.set(bit);
    return result;
  }

  bool test(unsigned bit) const { return (word_[at(bit)] >> offset(bit) & 1) != 0; }
  void set(unsigned bit) { word_[at(bit)] |= std::uint64_t{1} << offset(bit); }
  void clear(unsigned bit) { word_[at(bit)] &= ~(std::uint64_t{1} << offset(bit)); }
  /// The same as `if (condition) clear(bit)`, by arithmetic.
  void clear_if(bool condition, unsigned bit) {
    word_[at(bit)] &= ~(std::uint64_t{condition} << offset(bit));
  }

  bool any() const {
    std::uint64_t all = 0;
    for (int w = 0; w < kWords; ++w) all |= word_[w];
    return all != 0;
  }

  /// True if a non-empty set has exactly one member.
  bool single() const {
    if constexpr (kWords == 1) return single_bit(word_[0]);
    unsigned bits = 0;
    for (int w = 0; w < kWords; ++w) bits += static_cast<unsigned>(__builtin_popcountll(word_[w]));
    return bits == 1;
  }

  /// The smallest member of a non-empty set.
  unsigned lowest() const {
    int w = 0;
    if constexpr (kWords > 1) {
      while (word_[w] == 0) ++w;
    }
    return static_cast<unsigned>(w) * 64 + lowest_bit(word_[w]);
  }

  /// The smallest member above `last` of a non-empty set, wrapping around.
  unsigned next_after(unsigned last) const {
    if constexpr (kWords == 1) return round_robin(word_[0], last);
    const unsigned start = last >> 6;
    const std::uint64_t later = word_[start] & ~((std::uint64_t{2} << (last & 63)) - 1);
    if (later != 0) return start * 64 + lowest_bit(later);
    for (unsigned w = start + 1; w < kWords; ++w) {
      if (word_[w] != 0) return w * 64 + lowest_bit(word_[w]);
    }
    return lowest();
  }

  std::uint64_t& word(int w) { return word_[w]; }

  /// The `width` bits from `first` on. They lie in one word: `width` divides 64, and `first` is a
  /// multiple of `width`.
  std::uint64_t field(unsigned first, unsigned width) const {
    return word_[at(first)] >> (first & 63) & (~std::uint64_t{0} >> (64 - width));
  }
  /// The bits from `first` to the end of the word that has bit `first`.
  std::uint64_t from(unsigned first) const { return word_[at(first)] >> (first & 63); }
  void clear_field(unsigned first, unsigned width) {
    word_[at(first)] &= ~(~std::uint64_t{0} >> (64 - width) << (first & 63));
  }

  BitMask& operator|=(const BitMask& other) {
    for (int w = 0; w < kWords; ++w) word_[w] |= other.word_[w];
    return *this;
  }
  BitMask without(const BitMask& other) const {
    BitMask result{};
    for (int w = 0; w < kWords; ++w) result.word_[w] = word_[w] & ~other.word_[w];
    return result;
  }
  BitMask operator|(const BitMask& other) const {
    BitMask result = *this;
    return result |= other;
  }
  BitMask operator&(const BitMask& other) const {
    BitMask result{};
    for (int w = 0; w < kWords; ++w) result.word_[w] = word_[w] & other.word_[w];
    return result;
  }

  /// Calls visit(bit) for every member in ascending order; visit may change the set.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (int w = 0; w < kWords; ++w) {
      for (std::uint64_t rest = word_[w]; rest != 0; rest &= rest - 1) {
        visit(static_cast<unsigned>(w) * 64 + lowest_bit(rest));
      }
    }
  }

 private:
  static constexpr unsigned at(unsigned bit) { return kWords == 1 ? 0 : bit >> 6; }
  static constexpr unsigned offset(unsigned bit) { return kWords == 1 ? bit : bit & 63; }

  std::array<std::uint64_t, kWords> word_;  // Uninitialised, so that scratch arrays cost nothing.
};

}  // namespace flitcast
