// SPDX-License-Identifier: Apache-2.0
#include "collective/arithmetic.h"

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

/// The second operand where the comparison holds, otherwise the first.
template <class Compare>
struct Second {
  template <class T>
  T operator()(T a, T b) const {
    return Compare()(a, b) ? b : a;
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

// The integer types, then the floats, in the order of their names.
using Combines = std::array<Arithmetic::Combine, 4>;

/// Two's-complement sums and products have the same bits as unsigned ones.
template <class Op, class Int32 = std::uint32_t, class Int64 = std::uint64_t>
constexpr Combines on_all() {
  return {combine_each<Int32, Op>, combine_each<Int64, Op>, combine_each<float, Op>,
          combine_each<double, Op>};
}
template <class Compare>
constexpr Combines by_order() {
  return on_all<Second<Compare>, std::int32_t, std::int64_t>();
}
template <class Op>
constexpr Combines on_integers() {
  return {combine_each<std::uint32_t, Op>, combine_each<std::uint64_t, Op>, nullptr, nullptr};
}

}  // namespace

const std::vector<Arithmetic::Operator>& Arithmetic::operators() {
  constexpr bool kLogical = true;
  using And = std::bit_and<>;
  using Or = std::bit_or<>;
  using ExclusiveOr = std::bit_xor<>;
  static const std::vector<Operator> operators{
      {"add", on_all<std::plus<>>()},
      {"mul", on_all<std::multiplies<>>()},
      {"max", by_order<std::less<>>()},
      {"min", by_order<std::greater<>>()},
      {"and", on_integers<And>(), false},
      {"or", on_integers<Or>(), false},
      {"xor", on_integers<ExclusiveOr>(), false},
      {"logical_and", on_integers<Logical<And>>(), false, kLogical},
      {"logical_or", on_integers<Logical<Or>>(), false, kLogical},
      {"logical_xor", on_integers<Logical<ExclusiveOr>>(), false, kLogical}};
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
  const std::vector<std::string> types = concatenated({integer_types(), float_types()});
  type_ = index_of(types, type_name);
  operator_ =
      first_where(operators(), [&](const Operator& one) { return operator_name == one.name; });
  const bool known = operator_ != nullptr && type_ < types.size();
  if (!known || operator_->of_type[type_] == nullptr) {
    throw std::invalid_argument("there is no " + name_);
  }
}

// Draws the sign and the mantissa of a float, and its exponent from those of 0.5 and 1.
std::uint64_t Arithmetic::element(std::uint64_t random) const {
  if (operator_->logical) return random & 1;
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
