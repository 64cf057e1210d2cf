// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "base/ids.h"
#include "clos/route.h"
#include "config/section.h"

namespace flitcast::claims {

/// The numbers in "{1,2,4}" or, each of one digit, "124"; none in "{}".
inline std::vector<std::size_t> members_in(const std::string& text) {
  std::vector<std::size_t> members;
  bool in_number = false;
  const bool braced = text.find('{') != std::string::npos;
  for (const char c : text) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (digit && (!in_number || !braced)) members.push_back(0);
    if (digit) members.back() = members.back() * 10 + static_cast<std::size_t>(c - '0');
    in_number = digit;
  }
  return members;
}

/// A set of numbers from 1, which are members from 0.
inline BitSet set_of_members(const std::vector<std::size_t>& members, std::size_t size) {
  BitSet set(size);
  for (const std::size_t member : members) {
    if (member < 1 || member > size) throw std::out_of_range("no such switch");
    set.set(member - 1);
  }
  return set;
}

/// "{1,2,4}", with numbers from 1.
inline std::string text_of_set(const BitSet& set) {
  std::string text;
  set.for_each(
      [&](std::size_t member) { text += (text.empty() ? "" : ",") + std::to_string(member + 1); });
  return "{" + text + "}";
}

/// The middle switches of a route, from 1, and what each serves.
inline std::vector<std::size_t> middles_of_route(const clos::Route& route) {
  std::vector<std::size_t> middles;
  for (std::size_t leg = 0; leg < route.size(); ++leg) {
    middles.push_back(index(route.middle(leg)) + 1);
  }
  return middles;
}
inline std::vector<std::string> served_by_route(const clos::Route& route) {
  std::vector<std::string> served;
  for (std::size_t leg = 0; leg < route.size(); ++leg) {
    served.push_back(text_of_set(route.served_set(leg)));
  }
  return served;
}

}  // namespace flitcast::claims
