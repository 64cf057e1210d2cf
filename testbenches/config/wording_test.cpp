// SPDX-License-Identifier: Apache-2.0
#include "config/wording.h"

#include "support/test_catch.h"

using namespace flitcast;

TEST_CASE("edits count insertions, deletions, replacements and swaps", "[config]") {
  CHECK(edit_distance("mesh", "mesh", 3) == 0);
  CHECK(edit_distance("msh", "mesh", 3) == 1);
  CHECK(edit_distance("meesh", "mesh", 3) == 1);
  CHECK(edit_distance("mash", "mesh", 3) == 1);
  CHECK(edit_distance("mehs", "mesh", 3) == 1);
  CHECK(edit_distance("torus", "mesh", 3) > 3);
  CHECK(edit_distance(std::string(1'000'000, 'x'), "mesh", 3) > 3);
}

TEST_CASE("the closest candidate is suggested, and none when all are far", "[config]") {
  const std::vector<std::string> names{"latency", "credit_latency", "cycles_per_flit"};
  CHECK(closest("latecny", names) == "latency");
  CHECK(closest("credit", names) == "credit_latency");
  CHECK(closest("bandwidth", names).empty());
  CHECK(closest("x", {"a", "b"}).empty());
}

TEST_CASE("of equally close candidates the first is suggested, and none beyond a typing error",
          "[config]") {
  CHECK(closest("bat", {"mesh", "cat", "rat"}) == "cat");
  CHECK(closest("bat", {"cap"}).empty());
}

TEST_CASE("a user's text is shown on one line and cut where it is long", "[config]") {
  CHECK(quoted("a\nb") == "\"a\\nb\"");
  CHECK(quoted(std::string(10'000, 'x')).size() < 200);
  CHECK(printable("a\tb") == "a\\tb");
  CHECK(printable("a\x7f") == "a\\x7f");
  CHECK(visible("\xc3\xa4 \xc2\xa0") == "\xc3\xa4 \xc2\xa0");
  CHECK(is_utf8("\xc3\xa4"));
  CHECK_FALSE(is_utf8("\xc3"));
}

TEST_CASE("text is wrapped at 100 columns, and a longer word stands alone", "[config]") {
  const std::string word(60, 'x');
  CHECK(wrapped(word + " short " + word, 2) == "  " + word + " short\n  " + word + "\n");
  const std::string long_word(120, 'y');
  CHECK(wrapped("a " + long_word + " b", 0) == "a\n" + long_word + "\nb\n");
  CHECK(wrapped(std::string(49, 'a') + " " + std::string(50, 'b'), 0).size() == 101);
}

TEST_CASE("lists of words have a comma between them, and another word before the last",
          "[config]") {
  CHECK(joined({"a", "b", "c"}) == "a, b, c");
  CHECK(joined({"a", "", "c"}, "+") == "a++c");
  CHECK(listed({"a", "b", "c"}) == "a, b and c");
  CHECK(listed({"a", "b"}, " or ") == "a or b");
  CHECK(listed({"a"}) == "a");
  CHECK(listed({}).empty());
  CHECK(either({"a", "b", "c"}) == "a or b or c");
}

TEST_CASE("all parts of a text are replaced once, also by texts that contain them", "[config]") {
  CHECK(all_replaced("a'b''", "'", "''") == "a''b''''");
  CHECK(all_replaced("v(4, 5)", " ", "") == "v(4,5)");
  CHECK(all_replaced("", "x", "y").empty());
}

TEST_CASE("words are what stands between blanks", "[config]") {
  CHECK(words_in("  link a\tb\n") == std::vector<std::string>{"link", "a", "b"});
  CHECK(words_in(" ").empty());
}
