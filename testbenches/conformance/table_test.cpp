// SPDX-License-Identifier: Apache-2.0
#include "conformance/table.h"

#include <sstream>

#include "conformance/csv.h"
#include "conformance/formats.h"
#include "support/test_catch.h"

using namespace flitcast::conformance;

namespace {

std::vector<CsvRecord> records(const std::string& text) {
  std::istringstream in(text);
  return read_csv(in, "t.csv");
}

using Fields = std::vector<std::string>;

std::string joined(const Fields& fields) {
  std::string text;
  for (const std::string& field : fields) text += (text.empty() ? "" : ",") + field;
  return text;
}

Table table(const std::string& text) {
  std::istringstream in(text);
  return read_table(in, "t.csv", table_formats());
}

const std::string kClosHeader = "id,kind,params,expected\n";

}  // namespace

TEST_CASE("quoted fields keep commas, quotes and line ends", "[conformance]") {
  const auto found = records("a,\"b,c\",\"say \"\"x\"\"\"\n\"two\nlines\",,\"\"\nlast,1,2");
  REQUIRE(found.size() == 3);
  CHECK(found[0].fields == Fields{"a", "b,c", "say \"x\""});
  CHECK(found[1].fields == Fields{"two\nlines", "", ""});
  CHECK(found[2].fields == Fields{"last", "1", "2"});
  CHECK(found[1].line == 2);
  CHECK(found[2].line == 4);
}

TEST_CASE("CR LF files and empty lines read like others", "[conformance]") {
  const auto found = records("a,b\r\n\r\n\"c\",d\r\n\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].fields == Fields{"a", "b"});
  CHECK(found[1].fields == Fields{"c", "d"});
  CHECK(found[1].line == 3);
}

TEST_CASE("a quote that is never closed is reported where it opens", "[conformance]") {
  CHECK_THROWS_WITH(records("a,b\nc,\"d\ne"), Catch::Contains("t.csv:2: a double quote"));
}

TEST_CASE("a table is recognised by its header alone", "[conformance]") {
  for (const TableFormat& format : table_formats()) {
    const Table empty = table(joined(format.header) + "\n");
    CHECK(empty.format == &format);
    CHECK(empty.rows.empty());
  }
}

TEST_CASE("an unknown header and an empty file are refused", "[conformance]") {
  CHECK_THROWS_WITH(table("id,kind,params\n"), Catch::StartsWith("t.csv:1: unknown header"));
  CHECK_THROWS_AS(table(""), InputError);
}

TEST_CASE("a row of another width than the header is refused, with its line", "[conformance]") {
  CHECK_THROWS_WITH(table(kClosHeader + "P1,m_thm3,n=1 r=1,m=1\nP2,m_thm3,4,4,7\n"),
                    Catch::StartsWith("t.csv:3: 5 fields where the header has 4"));
}

TEST_CASE("fields are found by column, and the label says which instance a row is about",
          "[conformance]") {
  const Table clos = table(kClosHeader + "P1,m_thm3,\"n=1, r=1\",m=1\n");
  REQUIRE(clos.rows.size() == 1);
  CHECK(clos.rows[0]["expected"] == "m=1");
  CHECK(label(*clos.format, clos.rows[0]) == "P1 m_thm3 n=1, r=1");
  CHECK_THROWS_AS(clos.rows[0]["colour"], std::out_of_range);
}

TEST_CASE("a parameter at the end of a category is no part of its name", "[conformance]") {
  const Table gossip = table(joined(table_formats()[0].header) +
                             "\nP1,gossip thm 2 k=3,\"T(3,3)\",-,all,,,,,,,,,,,,,\n");
  CHECK(category_name(*gossip.format, gossip.rows[0]) == "gossip thm 2");
}
