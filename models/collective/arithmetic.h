// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace flitcast {

/// Elements of a vector of data as bit patterns: those of 32 bits stand in the lower half.
using Elements = std::vector<std::uint64_t>;

/// How the elements of two vectors become one: bit by bit what a program computes.
///
/// Addition and multiplication of integers are modulo 2^32 or 2^64, of floats rounded to the
/// nearest (IEEE 754), so a sum of floats depends on the order in which it was formed. Every
/// operation gives the same bits whichever operand is the left one.
class Arithmetic {
 public:
  /// An operator that users can name.
  struct Operator {
    const char* name;
    bool of_floats = true;  ///< Whether it is defined on floats, too.
    bool logical = false;   ///< Of truth values: 0 is false, all else is true, results are 0 or 1.
  };
  static const std::vector<Operator>& operators();
  /// Names of types: of integers, of floats.
  static const std::vector<std::string>& integer_types();
  static const std::vector<std::string>& float_types();

  /// Throws std::invalid_argument for a name that there is none of, or a pair that is not defined.
  Arithmetic(const std::string& operator_name, const std::string& type_name);

  /// "add of float32".
  const std::string& name() const { return name_; }

  /// left[i] op right[i] into right[i]; both have as many elements.
  void combine(const Elements& left, Elements& right) const { combine_(left, right); }

  /// Elements `begin` to `begin` + `count` - 1 of the pseudo-random vector that contributor
  /// `stream` has: any integers, floats with a magnitude from 0.5 up to below 2, truth values 0 and
  /// 1.
  Elements drawn(std::uint64_t seed, std::uint64_t stream, std::size_t begin,
                 std::size_t count) const;

 private:
  std::uint64_t element(std::uint64_t random) const;

  std::string name_;
  std::size_t type_ = 0;  // Place in the list of types.
  bool logical_ = false;
  void (*combine_)(const Elements& left, Elements& right) = nullptr;
};

}  // namespace flitcast
