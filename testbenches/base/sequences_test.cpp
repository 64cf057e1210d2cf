// SPDX-License-Identifier: Apache-2.0
#include "base/sequences.h"

#include <optional>
#include <string>

#include "support/test_catch.h"

using flitcast::append;
using flitcast::contains;
using flitcast::index_of;
using flitcast::largest_of;
using flitcast::mapped;
using flitcast::NodeId;
using flitcast::NumberRange;
using flitcast::numbers;
using flitcast::starts_of;
using flitcast::sum_if_all;
using flitcast::sum_of;
using flitcast::tabulated;

TEST_CASE("a mapped sequence has the results in the order of the items", "[base]") {
  const std::vector<int> items{3, 1, 2};
  CHECK(mapped(items, [](int item) { return std::to_string(item); }) ==
        std::vector<std::string>{"3", "1", "2"});
  CHECK(mapped(std::vector<int>{}, [](int item) { return item; }).empty());
}

TEST_CASE("the values of a member can be mapped, and to another type", "[base]") {
  struct Named {
    const char* name;
  };
  const std::vector<Named> items{{"a"}, {"b"}};
  CHECK(mapped<std::string>(items, &Named::name) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("ranges of numbers and of identifiers ascend, and become lists", "[base]") {
  const std::vector<std::size_t> from_two = numbers(2, std::size_t{5});
  CHECK(from_two == std::vector<std::size_t>{2, 3, 4});
  const std::vector<std::size_t> none = numbers(5, std::size_t{2});
  CHECK(none.empty());
  const std::vector<NodeId> nodes = NumberRange<NodeId>(2);
  CHECK(nodes == std::vector<NodeId>{NodeId{0}, NodeId{1}});
}

TEST_CASE("sums and maxima have the type that is asked for, and are 0 of nothing", "[base]") {
  const std::vector<std::uint8_t> items{200, 100};
  CHECK(sum_of<int>(items) == 300);
  CHECK(sum_of<int>(items, [](std::uint8_t item) { return 2 * item; }) == 600);
  CHECK(sum_of<double>(std::vector<int>{}) == 0);
  CHECK(largest_of<int>(items, [](std::uint8_t item) { return item + 100; }) == 300);
  CHECK(largest_of<unsigned>(numbers(0U), [](unsigned item) { return item; }) == 0);
}

TEST_CASE("a sum is absent if one of its terms is", "[base]") {
  const auto even = [](std::size_t number) {
    return number % 2 == 0 ? std::optional<std::size_t>(number) : std::nullopt;
  };
  CHECK(sum_if_all<std::size_t>(std::vector<std::size_t>{2, 4}, even) == 6);
  CHECK_FALSE(sum_if_all<std::size_t>(std::vector<std::size_t>{2, 3}, even));
}

TEST_CASE("the start of an item is the sum for all before it, and the last that of all", "[base]") {
  const std::vector<std::size_t> starts =
      starts_of(std::vector<std::size_t>{2, 0, 3}, [](std::size_t item) { return item; });
  CHECK(starts == std::vector<std::size_t>{0, 2, 2, 5});
}

TEST_CASE("the index of an item is that of the first like it, and the size without one", "[base]") {
  const std::vector<int> items{3, 1, 1};
  CHECK(index_of(items, 1) == 1);
  CHECK(index_of(items, 4) == 3);
}

TEST_CASE("a tabulated sequence has the results for the numbers from zero", "[base]") {
  CHECK(tabulated(3, [](std::size_t number) { return 2 * number; }) ==
        std::vector<std::size_t>{0, 2, 4});
  CHECK(tabulated(0, [](std::size_t number) { return number; }).empty());
}

TEST_CASE("a sequence contains its items only", "[base]") {
  const std::vector<int> items{3, 1, 2};
  CHECK(contains(items, 2));
  CHECK_FALSE(contains(items, 4));
}

TEST_CASE("appended items stand behind those of the list", "[base]") {
  std::vector<std::string> items{"a"};
  append(items, {"b", "c"});
  CHECK(items == std::vector<std::string>{"a", "b", "c"});
}
