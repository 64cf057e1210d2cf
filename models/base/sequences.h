// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace flitcast {

/// The results of a function for all items, in their order.
template <class Items, class Function>
auto mapped(const Items& items, Function&& function) {
  std::vector<std::decay_t<decltype(function(*std::begin(items)))>> results;
  for (const auto& item : items) results.push_back(function(item));
  return results;
}

/// The results of a function for the numbers from 0 to `count` - 1.
template <class Function>
auto tabulated(std::size_t count, Function&& function) {
  std::vector<std::decay_t<decltype(function(count))>> results;
  for (std::size_t number = 0; number < count; ++number) results.push_back(function(number));
  return results;
}

/// True if one of the items equals the given one.
template <class Items, class Item>
bool contains(const Items& items, const Item& item) {
  return std::find(std::begin(items), std::end(items), item) != std::end(items);
}

/// Adds more items behind those of a list.
template <class Item>
void append(std::vector<Item>& items, std::vector<Item> more) {
  std::move(more.begin(), more.end(), std::back_inserter(items));
}

}  // namespace flitcast
