// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "base/figures.h"

namespace flitcast::claims {

/// Numbers, truth values, words and lists of them, by name.
using Values = std::map<std::string, ordered_json>;

/// The value of a formula as the catalog writes it: a number, a truth value or a list.
///
///   2*n2 - 2, P/4 + n1/2 + 1, 2^n         numbers, which are doubles; ^ binds strongest
///   n1 >= 3 and even(n2), not a or b      truth values: = <> <= >= < >
///   [P, P], list(i, 1, n, C(n, i))        lists; list and sum bind a name
///   if(odd(P), a, b)                      evaluates one of the two only
///   ceil floor abs sqrt ln even odd       of one number
///   mod min max C log                     of two; log(b, x) is the least r with b^r >= x
///   largest smallest size total at(l, i)  of a list; elements count from 1
///
/// Throws std::invalid_argument for text that is no formula and for names without a value.
ordered_json evaluate(const std::string& formula, const Values& values);

/// True unless the value is 0 or false.
bool is_true(const ordered_json& value);

/// Compares two values; numbers may differ by one part in 10^9, the error of doubles.
bool are_equal(const ordered_json& one, const ordered_json& other);
bool at_most(const ordered_json& one, const ordered_json& other);

}  // namespace flitcast::claims
