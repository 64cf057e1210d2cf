// SPDX-License-Identifier: Apache-2.0
#include "clos/trace.h"

#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

ConnectEvent branching() {
  ConnectEvent event{InputId{4}, {OutputId{0}, OutputId{2}, OutputId{130}}, Route(66)};
  event.route.add(MiddleId{3}, 65);
  event.route.add(MiddleId{0}, std::size_t{0});
  event.route.extend(1, 1);
  return event;
}

std::string error_of(const std::string& text) {
  try {
    parse_trace(text, 4);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a line names ports in decimal, and the legs in the order of selection", "[clos]") {
  CHECK(to_line(branching()) == "C 4 0,2,130 = 3:20000000000000000 0:3");
  CHECK(to_line(ConnectEvent{InputId{1}, {OutputId{3}}, Route(4)}) == "C 1 3 = B");
  CHECK(to_line(DisconnectEvent{InputId{12}}) == "D 12");
  CHECK(to_line(JoinEvent{InputId{4}, OutputId{5}, Join::kNew}) == "J 4 5 = ok-new");
  CHECK(to_line(LeaveEvent{InputId{4}, OutputId{5}, Leave::kKeptLink}) == "L 4 5 = kept-link");
}

TEST_CASE("every line reads back as the event that wrote it", "[clos]") {
  const std::string lines[] = {
      "C 4 0,2,130 = 3:20000000000000000 0:3",
      "C 1 3 = B",
      "D 12",
      "J 4 5 = ok-local",
      "J 4 5 = ok-reuse",
      "J 4 5 = ok-new",
      "J 4 5 = ok-reroute",
      "J 4 5 = blocked",
      "L 4 5 = kept-link",
      "L 4 5 = link-freed",
      "L 4 5 = closed",
  };
  for (const std::string& line : lines) {
    const std::vector<Event> events = parse_trace(line, 66);
    REQUIRE(events.size() == 1);
    CHECK(to_line(events[0]) == line);
  }
}

TEST_CASE("events stand one a line or between semicolons, with any blanks", "[clos]") {
  const std::vector<Event> events = parse_trace("C 0 0 = 0:1;D 0\n\n ; C  1 2 =\t1:1 ;\r\nD 1", 4);
  REQUIRE(events.size() == 4);
  CHECK(to_line(events[0]) == "C 0 0 = 0:1");
  CHECK(to_line(events[2]) == "C 1 2 = 1:1");
  CHECK(to_line(events[3]) == "D 1");
  CHECK(parse_trace("", 4).empty());
}

TEST_CASE("an unreadable event is named with its number and what it lacks", "[clos]") {
  CHECK(error_of("D 0; X 1") ==
        "event 2 \"X 1\": write \"C input outputs = route\", \"D input\", \"J input output = "
        "outcome\" or \"L input output = outcome\"");
  CHECK(error_of("C 0 1, = B") ==
        "event 1 \"C 0 1, = B\": \"\" is not the number of a port or switch");
  CHECK(error_of("J 0 1 = maybe") ==
        "event 1 \"J 0 1 = maybe\": no outcome \"maybe\"; write one of ok-local, ok-reuse, ok-new, "
        "ok-reroute, blocked");
  CHECK(error_of("C 0 1 = 3") == "event 1 \"C 0 1 = 3\": \"3\" is not middle:served");
  for (const char* text : {"C 0 1 =", "C 0 = B", "D", "D 0 1", "D -1", "D 99999999999", "L 0 1",
                           "J 0 1 = ok-new 0:1", "C 0 1 = 0:10", "C 0 1 = 0:g", "C 0 1 = B 0:1"}) {
    INFO(text);
    CHECK(error_of(text) != "");
  }
}

TEST_CASE("the hash is FNV-1a over the lines with their line feeds", "[clos]") {
  TraceHash hash;
  CHECK(hash.value() == 0xcbf29ce484222325U);
  hash.add(DisconnectEvent{InputId{3}});
  CHECK(hash.value() == 0xe0e224746f3abaecU);
}
