// SPDX-License-Identifier: Apache-2.0
#include "base/sequences.h"

#include <string>

#include "support/test_catch.h"

using flitcast::append;
using flitcast::contains;
using flitcast::mapped;
using flitcast::tabulated;

TEST_CASE("a mapped sequence has the results in the order of the items", "[base]") {
  const std::vector<int> items{3, 1, 2};
  CHECK(mapped(items, [](int item) { return std::to_string(item); }) ==
        std::vector<std::string>{"3", "1", "2"});
  CHECK(mapped(std::vector<int>{}, [](int item) { return item; }).empty());
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
