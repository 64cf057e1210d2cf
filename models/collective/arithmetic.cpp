// SPDX-License-Identifier: Apache-2.0
#include "collective/arithmetic.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <type_traits>

#include "base/random.h"
#include "base/sequences.h"

namespace flitcast {

namespace {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
T value_of(std::uint64_t element) {
  const auto bits = static_cast<Bits<T>>(element);
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
std::uint64_t bits_of(T value) {
  Bits<T> bits;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

struct Greater {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Less {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
template <class Bitwise>
struct Logical {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(Bitwise()(unsigned{a != 0}, unsigned{b != 0}));
  }
};

template <class T, class Op>
void combine_each(const Elements& left, Elements& right) {
  for (std::size_t i = 0; i < right.size(); ++i) {
    right[i] = bits_of<T>(Op()(value_of<T>(left[i]), value_of<T>(right[i])));
  }
}

using Combine = void (*)(const Elements& left, Elements& right);
// The integer types, then the floats, in the order of their names.
constexpr std::size_t kTypes = 4;

/// The functions of an operator for each type; null where it is not defined.
using Combines = std::array<Combine, kTypes>;

/// Two's-complement sums and products have the same bits as unsigned ones.
template <class Op>
constexpr Combines arithmetic() {
  return {combine_each<std::uint32_t, Op>, combine_each<std::uint64_t, Op>, combine_each<float, Op>,
          combine_each<double, Op>};
}
template <class Op>
constexpr Combines order() {
  return {combine_each<std::int32_t, Op>, combine_each<std::int64_t, Op>, combine_each<float, Op>,
          combine_each<double, Op>};
}
template <class Op>
constexpr Combines bits() {
  return {combine_each<std::uint32_t, Op>, combine_each<std::uint64_t, Op>, nullptr, nullptr};
}

using And = std::bit_and<>;
using Or = std::bit_or<>;
using ExclusiveOr = std::bit_xor<>;

/// The entries are in the order of Arithmetic::operators().
constexpr std::array kCombines{arithmetic<std::plus<>>(),
                               arithmetic<std::multiplies<>>(),
                               order<Greater>(),
                               order<Less>(),
                               bits<And>(),
                               bits<Or>(),
                               bits<ExclusiveOr>(),
                               bits<Logical<And>>(),
                               bits<Logical<Or>>(),
                               bits<Logical<ExclusiveOr>>()};

}  // namespace

const std::vector<Arithmetic::Operator>& Arithmetic::operators() {
  constexpr bool kLogical = true;
  static const std::vector<Operator> operators{{"add"},
                                               {"mul"},
                                               {"max"},
                                               {"min"},
                                               {"and", false},
                                               {"or", false},
                                               {"xor", false},
                                               {"logical_and", false, kLogical},
                                               {"logical_or", false, kLogical},
                                               {"logical_xor", false, kLogical}};
  return operators;
}

const std::vector<std::string>& Arithmetic::integer_types() {
  static const std::vector<std::string> types{"int32", "int64"};
  return types;
}

const std::vector<std::string>& Arithmetic::float_types() {
  static const std::vector<std::string> types{"float32", "float64"};
  return types;
}

Arithmetic::Arithmetic(const std::string& operator_name, const std::string& type_name)
    : name_(operator_name + " of " + type_name) {
  std::vector<std::string> types = integer_types();
  types.insert(types.end(), float_types().begin(), float_types().end());
  const auto found = std::find_if(operators().begin(), operators().end(),
                                  [&](const Operator& one) { return operator_name == one.name; });
  const auto type = std::find(types.begin(), types.end(), type_name);
  if (found != operators().end() && type != types.end()) {
    type_ = static_cast<std::size_t>(type - types.begin());
    logical_ = found->logical;
    combine_ = kCombines[static_cast<std::size_t>(found - operators().begin())][type_];
  }
  if (combine_ == nullptr) throw std::invalid_argument("there is no " + name_);
}

// Draws the sign and the mantissa of a float, and its exponent from those of 0.5 and 1.
std::uint64_t Arithmetic::element(std::uint64_t random) const {
  if (logical_) return random & 1;
  switch (type_) {
    case 0:
      return random >> 32;
    case 1:
      return random;
    case 2:
      return (random >> 32 & 0x807fffffU) | ((random & 1) == 0 ? 0x3f000000U : 0x3f800000U);
    default:
      return (random & 0x800fffffffffffffULL) |
             ((random >> 62 & 1) == 0 ? 0x3fe0000000000000ULL : 0x3ff0000000000000ULL);
  }
}

Elements Arithmetic::drawn(std::uint64_t seed, std::uint64_t stream, std::size_t begin,
                           std::size_t count) const {
  Random random = Random::stream(seed, stream);
  for (std::size_t i = 0; i < begin; ++i) random.next();
  return tabulated(count, [&](std::size_t) { return element(random.next()); });
}

}  // namespace flitcast
