// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace flitcast {

/// The elements of a vector of data as bit patterns; an element of 32 bits is in the lower half.
using Elements = std::vector<std::uint64_t>;

/// Combines the elements of two vectors, with the same bits as a program on a computer.
///
/// Addition and multiplication of integers are modulo 2^32 or 2^64, of floats rounded to the
/// nearest (IEEE 754), so a sum of floats depends on the order in which it was formed. Every
/// operation gives the same bits whichever operand is the left one.
class Arithmetic {
 public:
  /// Writes left[i] op right[i] to right[i]; both vectors have the same length.
  using Combine = void (*)(const Elements& left, Elements& right);

  /// An operator that users can name.
  struct Operator {
    const char* name;
    std::array<Combine, 4> of_type;  ///< By type, integers first; null where it is not defined.
    bool of_floats = true;           ///< The operator is also defined on floats.
    /// The operator combines truth values: 0 is false, all else true; results are 0 or 1.
    bool logical = false;
  };
  static const std::vector<Operator>& operators();
  /// The names of the types.
  static const std::vector<std::string>& integer_types();
  static const std::vector<std::string>& float_types();

  /// Throws std::invalid_argument for an unknown name, or a pair that is not defined.
  Arithmetic(const std::string& operator_name, const std::string& type_name);

  /// The operator and the type: "add of float32".
  const std::string& name() const { return name_; }

  /// Combines by the operator; see Combine.
  void combine(const Elements& left, Elements& right) const {
    operator_->of_type[type_](left, right);
  }

  /// Elements `begin` to `begin` + `count` - 1 of the pseudo-random vector of contributor `stream`:
  /// any integers, floats with a magnitude from 0.5 to below 2, or truth values 0 and 1.
  Elements drawn(std::uint64_t seed, std::uint64_t stream, std::size_t begin,
                 std::size_t count) const;

 private:
  std::uint64_t element(std::uint64_t random) const;

  std::string name_;
  const Operator* operator_;
  std::size_t type_;  // Index in the list of types, integers first.
};

}  // namespace flitcast
