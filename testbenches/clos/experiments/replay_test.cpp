// SPDX-License-Identifier: Apache-2.0
#include "clos/replay.h"

#include "clos/experiments/controls.h"
#include "clos/trace.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

// The shortest sequence that blocks S1, found by breadth-first search.
constexpr const char* kShortest =
    "C 0 0 = 0:1; C 2 2,4 = 0:6; C 4 3 = 1:2; C 5 5 = 2:4; D 2; C 1 2,4 = 1:4 2:2; D 0; "
    "C 2 0 = 0:1; C 0 1 = B";

std::optional<ReplayDifference> replay_text(const std::string& text, const Structure& structure,
                                            const std::string& strategy) {
  ConnectionAdmission control = control_of(structure, strategy);
  return replay(parse_trace(text, structure.r2), control);
}

}  // namespace

TEST_CASE("the shortest sequence that blocks S1 with n = 2, r = 3, m = 3 replays", "[clos]") {
  CHECK_FALSE(replay_text(kShortest, Structure::symmetric(3, 2, 3), "S1").has_value());
}

TEST_CASE("with one middle switch more every request of that sequence is served", "[clos]") {
  ConnectionAdmission control = control_of(Structure::symmetric(4, 2, 3), "S1");
  for (const Event& event : parse_trace(kShortest, 3)) {
    const Event now = replay(event, control);
    const auto* connect = std::get_if<ConnectEvent>(&now);
    CHECK((connect == nullptr || !connect->blocked()));
  }
}

TEST_CASE("the first event with another outcome is reported, not a later one", "[clos]") {
  const auto difference = replay_text("C 0 0 = 0:1; D 0; C 1 0,2 = 1:3; C 2 1 = B",
                                      Structure::symmetric(3, 2, 3), "S1");
  REQUIRE(difference.has_value());
  CHECK(difference->event == 3);
  CHECK(difference->expected == "C 1 0,2 = 1:3");
  CHECK(difference->got == "C 1 0,2 = 0:3");
}

TEST_CASE("joins and leaves replay with their outcomes", "[clos]") {
  const Structure structure = Structure::symmetric(3, 2, 3);
  const char* text =
      "C 0 0 = 0:1; J 0 1 = ok-local; J 0 2 = ok-reuse; C 2 4 = 0:4; J 0 5 = ok-new; "
      "L 0 0 = kept-link; L 0 2 = link-freed; D 0; L 2 4 = closed";
  CHECK_FALSE(replay_text(text, structure, "S1").has_value());
  const auto difference = replay_text("C 0 0 = 0:1; L 0 0 = kept-link", structure, "S1");
  REQUIRE(difference.has_value());
  CHECK(difference->got == "L 0 0 = closed");
}

TEST_CASE("an event that is not valid is an error that names it", "[clos]") {
  try {
    replay_text("C 0 0 = 0:1; D 1", Structure::symmetric(3, 2, 3), "S1");
    FAIL("no error");
  } catch (const InvalidRequest& error) {
    CHECK(std::string(error.what()).find("event 2 \"D 1\": input 1 is not connected") == 0);
  }
}
