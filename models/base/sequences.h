// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
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

/// True if a condition holds for one of the items.
template <class Items, class Condition>
bool any_of(Items&& items, Condition&& condition) {
  return std::any_of(std::begin(items), std::end(items), condition);
}

/// True if a condition holds for all items.
template <class Items, class Condition>
bool all_of(Items&& items, Condition&& condition) {
  return std::all_of(std::begin(items), std::end(items), condition);
}

/// True if a condition holds for none of the items.
template <class Items, class Condition>
bool none_of(Items&& items, Condition&& condition) {
  return std::none_of(std::begin(items), std::end(items), condition);
}

/// The number of items for which a condition holds.
template <class Items, class Condition>
auto count_if(Items&& items, Condition&& condition) {
  return std::count_if(std::begin(items), std::end(items), condition);
}

/// The first item for which a condition holds, or null.
template <class Items, class Condition>
auto first_where(Items& items, Condition&& condition) -> decltype(&*std::begin(items)) {
  const auto found = std::find_if(std::begin(items), std::end(items), condition);
  return found == std::end(items) ? nullptr : &*found;
}

/// The items for which a condition holds, in their order.
template <class Items, class Condition>
auto filtered(const Items& items, Condition&& condition) {
  std::vector<std::decay_t<decltype(*std::begin(items))>> kept;
  std::copy_if(std::begin(items), std::end(items), std::back_inserter(kept), condition);
  return kept;
}

/// Sorts items by a key of each, in ascending order; items of equal keys keep their order.
template <class Items, class Key>
void sort_by(Items& items, Key&& key) {
  std::stable_sort(std::begin(items), std::end(items), [&](const auto& a, const auto& b) {
    return std::invoke(key, a) < std::invoke(key, b);
  });
}

/// Adds more items behind those of a list.
template <class Item>
void append(std::vector<Item>& items, std::vector<Item> more) {
  std::move(more.begin(), more.end(), std::back_inserter(items));
}

}  // namespace flitcast
