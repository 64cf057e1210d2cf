// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "support/test_catch.h"
#include "trace_content.h"

using namespace flitcast;

namespace {

Trace read(const std::string& text) { return read_trace("csv", text); }

std::string fault(const std::string& text) { return fault_of_content("csv", text); }

std::string with_header(const std::string& rows) { return "cycle,src,dst,flits,id,deps\n" + rows; }

}  // namespace

TEST_CASE("rows become packets, with their lines and dependencies", "[traffic]") {
  const Trace trace = read(
      "# two requests and an answer\n"
      "\n"
      " cycle, src,dst ,flits,class,id,deps\r\n"
      "0,1,2,5,request,10,\r\n"
      "  # between\n"
      "7,3,2,65536,,11,\n"
      "40,2,1,1,answer,9,10;11\n");
  REQUIRE(trace.tasks.size() == 3);
  CHECK(trace.tasks[1].earliest == Cycle{7});
  CHECK(trace.tasks[1].source == NodeId{3});
  CHECK(trace.tasks[1].destination == NodeId{2});
  CHECK(trace.tasks[1].length == 65536);
  CHECK(trace.tasks[1].origin == 6);
  REQUIRE(trace.dependencies.size() == 2);
  CHECK(trace.dependencies[0].before == 0);
  CHECK(trace.dependencies[0].after == 2);
  CHECK(trace.dependencies[1].before == 1);
}

TEST_CASE("columns may come in any order and the optional ones not at all", "[traffic]") {
  const Trace trace = read("flits,dst,cycle,src\n3,2,100,1\n4,0,50,1");
  REQUIRE(trace.tasks.size() == 2);
  CHECK(trace.tasks[0].length == 3);
  CHECK(trace.tasks[0].destination == NodeId{2});
  CHECK(trace.tasks[0].earliest == Cycle{100});
  CHECK(trace.tasks[1].source == NodeId{1});
}

TEST_CASE("dependencies may point forwards and be separated by blanks", "[traffic]") {
  const Trace trace = read(with_header("0,1,2,1,5,7 6\n0,1,2,1,6,\n0,1,2,1,7,\n"));
  REQUIRE(trace.dependencies.size() == 2);
  CHECK(trace.dependencies[0].before == 2);
  CHECK(trace.dependencies[0].after == 0);
}

TEST_CASE("faults of all rows come at once, with line, column and hint", "[traffic]") {
  CHECK(fault(with_header("x,1,2,1,1,\n"
                          "0,1,2,0,2,\n"
                          "0,1,-2, 65537,3,\n"
                          "0,1,2\n"
                          "0,1,2,1,1,\n"
                          "0,1,2,1,1,\n")) ==
        "FILE:2:1: cycle: \"x\" is not a whole number from 0 to 4611686018427387904; "
        "write such a number\n"
        "FILE:3:7: flits: \"0\" is not a whole number from 1 to 65536; write such a number\n"
        "FILE:4:5: dst: \"-2\" is not a whole number from 0 to 4294967295; write such a number\n"
        "FILE:4:9: flits: \"65537\" is not a whole number from 1 to 65536; write such a number\n"
        "FILE:5:1: 3 fields under 6 columns; give one field for each column\n"
        "FILE:7:9: id: 1 is already the packet of line 6; give every packet an id of its own");
}

TEST_CASE("numbers that overflow or trail off are refused", "[traffic]") {
  CHECK_THAT(fault(with_header("99999999999999999999,1,2,1,1,\n")), Catch::Contains(":2:1: cycle"));
  CHECK_THAT(fault(with_header("1.5,1,2,1,1,\n")), Catch::Contains("\"1.5\" is not"));
  CHECK_THAT(fault(with_header("1,,2,1,1,\n")), Catch::Contains(":2:3: src: \"\" is not"));
  CHECK_THAT(fault(with_header("1,1,2,1,1,3;x\n")), Catch::Contains(":2:13: deps: \"x\" is not"));
}

TEST_CASE("of many faults fifty are reported and the others counted", "[traffic]") {
  std::string rows;
  for (int i = 0; i < 60; ++i) rows += "x,1,2,1,1,\n";
  const std::string faults = fault(with_header(rows));
  CHECK_THAT(faults, Catch::Contains(":51:1: ") && !Catch::Contains(":52:1: "));
  CHECK_THAT(faults, Catch::Contains("10 more problems"));
}

TEST_CASE("a header must name each column once and all that are needed", "[traffic]") {
  CHECK_THAT(fault(""), Catch::Contains("no header"));
  CHECK_THAT(fault("# only a comment\n"), Catch::Contains("no header"));
  CHECK_THAT(fault("cycle,src,dst\n1,2,3\n"), Catch::Contains("FILE:1:1: flits: this column"));
  CHECK_THAT(fault("cycle,src,dst,flits,src\n"),
             Catch::Contains("FILE:1:21: src") && Catch::Contains("twice"));
  CHECK_THAT(fault("cycle,source,dst,flits\n"), Catch::Contains("FILE:1:7: source: unknown"));
  CHECK_THAT(fault("cycle,src,dst,flits,deps\n"), Catch::Contains("need ids"));
  CHECK_THAT(fault("cycle,src,dst,flits\n"), Catch::Contains("no packets"));
}

TEST_CASE("dependencies that can never be fulfilled are refused", "[traffic]") {
  CHECK_THAT(fault(with_header("0,1,2,1,1,\n0,1,2,1,2,5\n")),
             Catch::Contains("FILE:3:11: deps: no packet has the id 5"));
  CHECK_THAT(fault(with_header("0,1,2,1,7,7\n")), Catch::Contains("FILE:2:11: deps: packet 7"));
  CHECK_THAT(fault(with_header("0,1,2,1,4,4\n")), Catch::Contains("packet 4 waits for 4;"));
  CHECK_THAT(fault(with_header("0,1,2,1,1,\n"
                               "0,1,2,1,2,1;4\n"
                               "0,1,2,1,3,2\n"
                               "0,1,2,1,4,3\n"
                               "0,1,2,1,5,4\n")),
             Catch::Contains("packet 2 waits for 4, which waits for 3, which waits for 2;") ||
                 Catch::Contains("packet 3 waits for 2, which waits for 4, which waits for 3;") ||
                 Catch::Contains("packet 4 waits for 3, which waits for 2, which waits for 4;"));
}

TEST_CASE("a long cycle of dependencies is reported in short", "[traffic]") {
  std::string rows;
  for (int i = 0; i < 1'000; ++i) {
    rows += "0,1,2,1," + std::to_string(i) + "," + std::to_string((i + 1) % 1'000) + "\n";
  }
  const std::string message = fault(with_header(rows));
  CHECK_THAT(message, Catch::Contains("1000 packets in a cycle"));
  CHECK(message.size() < 400);
}
