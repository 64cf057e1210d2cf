// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace flitcast {

/// The results of a function, or the values of a member, for all items, in their order: as
/// `Result`s, or in the type of the function.
template <class Result = void, class Items, class Function>
auto mapped(const Items& items, Function&& function) {
  using Own = std::decay_t<decltype(std::invoke(function, *std::begin(items)))>;
  std::vector<std::conditional_t<std::is_void_v<Result>, Own, Result>> results;
  for (const auto& item : items) results.emplace_back(std::invoke(function, item));
  return results;
}

/// The results of a function for the numbers from 0 to `count` - 1.
template <class Function>
auto tabulated(std::size_t count, Function&& function) {
  return mapped(numbers(count), function);
}

/// The sum of the results of a function, or of the values of a member, for all items.
template <class Number, class Items, class Function>
Number sum_of(const Items& items, Function&& function) {
  Number sum{};
  for (const auto& item : items) sum += std::invoke(function, item);
  return sum;
}

/// The sum of all items.
template <class Number, class Items>
Number sum_of(const Items& items) {
  return std::accumulate(std::begin(items), std::end(items), Number{});
}

/// The sum of the results of a function for all items; absent if one of the results is.
template <class Number, class Items, class Function>
std::optional<Number> sum_if_all(const Items& items, Function&& function) {
  Number sum{};
  for (const auto& item : items) {
    const std::optional<Number> one = std::invoke(function, item);
    if (!one) return std::nullopt;
    sum += *one;
  }
  return sum;
}

/// By item: the sum of the results of a function for the items before it; then the sum for all.
template <class Items, class Function>
std::vector<std::size_t> starts_of(const Items& items, Function&& function) {
  std::vector<std::size_t> starts{0};
  for (const auto& item : items) starts.push_back(starts.back() + std::invoke(function, item));
  return starts;
}

/// The largest result of a function, or value of a member, for all items; 0 if none is above it.
template <class Number, class Items, class Function>
Number largest_of(const Items& items, Function&& function) {
  Number largest{};
  for (const auto& item : items) largest = std::max<Number>(largest, std::invoke(function, item));
  return largest;
}

/// True if one of the items equals the given one.
template <class Items, class Item>
bool contains(const Items& items, const Item& item) {
  return std::find(std::begin(items), std::end(items), item) != std::end(items);
}

/// The index of the first item that equals the given one; the number of items if none does.
template <class Items, class Item>
std::size_t index_of(const Items& items, const Item& item) {
  const auto found = std::find(std::begin(items), std::end(items), item);
  return static_cast<std::size_t>(found - std::begin(items));
}

/// True if a condition holds for one of the items.
template <class Items, class Condition>
bool any_of(Items&& items, Condition&& condition) {
  return std::any_of(std::begin(items), std::end(items), std::ref(condition));
}

/// True if a condition holds for all items.
template <class Items, class Condition>
bool all_of(Items&& items, Condition&& condition) {
  return std::all_of(std::begin(items), std::end(items), std::ref(condition));
}

/// True if a condition holds for none of the items.
template <class Items, class Condition>
bool none_of(Items&& items, Condition&& condition) {
  return std::none_of(std::begin(items), std::end(items), std::ref(condition));
}

/// The number of items for which a condition holds.
template <class Items, class Condition>
auto count_if(Items&& items, Condition&& condition) {
  return std::count_if(std::begin(items), std::end(items), std::ref(condition));
}

/// The first item for which a condition holds, or null.
template <class Items, class Condition>
auto first_where(Items& items, Condition&& condition) -> decltype(&*std::begin(items)) {
  const auto found = std::find_if(std::begin(items), std::end(items), std::ref(condition));
  return found == std::end(items) ? nullptr : &*found;
}

/// The items for which a condition holds, in their order.
template <class Items, class Condition>
auto filtered(const Items& items, Condition&& condition) {
  std::vector<std::decay_t<decltype(*std::begin(items))>> kept;
  std::copy_if(std::begin(items), std::end(items), std::back_inserter(kept), std::ref(condition));
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

/// The lists that are the results of a function, or the values of a member, for all items, one
/// behind the other.
template <class Items, class Function>
auto concatenated(const Items& items, Function&& function) {
  std::decay_t<decltype(std::invoke(function, *std::begin(items)))> all;
  for (const auto& item : items) append(all, std::invoke(function, item));
  return all;
}

/// These lists, one behind the other.
template <class Item>
std::vector<Item> concatenated(std::initializer_list<std::vector<Item>> lists) {
  return concatenated(lists, [](const auto& list) { return list; });
}

}  // namespace flitcast
