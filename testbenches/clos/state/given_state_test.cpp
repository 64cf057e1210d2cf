// SPDX-License-Identifier: Apache-2.0
#include "clos/given_state.h"

#include <algorithm>
#include <functional>

#include "base/random.h"
#include "clos/catalog.h"
#include "clos/route_search.h"
#include "clos/traffic.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

const Structure kPage = Structure::symmetric(5, 3, 4);
// The sets that the lecture prints for its v(5, 3, 4), and its eight connections.
const std::string kSets = "M_1={1,2,3} M_2={2,3,4} M_3={1,2,4} M_4={3,4} M_5={1} ";
const std::string kRequests =
    "I_1={1,2} I_2={1,4} I_5={2,4} I_6={2,4} I_8={3} I_9={3} I_11={3} I_12={1} ";

GivenState given(const std::string& text, const Structure& structure = kPage) {
  const std::vector<Statement> statements = parse_statements(text, structure);
  return {structure, capacity_of(statements), statements};
}

std::string problems_of(const std::string& text) {
  try {
    given(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

Question asked(const GivenState& state, const std::string& text) {
  return state.question_of(parse_statements(text, state.state().structure()).at(0));
}

BitSet middles_of(std::uint64_t mask, std::size_t m) { return {m, &mask}; }

/// Sets of middle switches, as masks, that carry the request by Theorem 1.
std::vector<std::uint64_t> carriers(const Question& question) {
  std::vector<std::uint64_t> carrying;
  const std::size_t m = question.candidates.size();
  for (std::uint64_t mask = 1; mask < std::uint64_t{1} << m; ++mask) {
    if (unserved_by(question, middles_of(mask, m)).none()) carrying.push_back(mask);
  }
  return carrying;
}

/// The sets of a random state in the notation of the lecture, as a user would type them.
std::string state_text(const NetworkState& state, bool with_routes) {
  std::string text;
  for (std::uint32_t p = 0; p < state.structure().inputs(); ++p) {
    const Connection& connection = state.connection(InputId{p});
    if (connection.outputs.empty()) continue;
    BitSet switches(state.structure().r2);
    output_switches_of(state.structure(), connection.outputs, switches);
    text += "I_" + std::to_string(p + 1) + "=" + in_lecture(switches);
    if (with_routes) text += " over " + in_lecture(connection.route);
    text += "; ";
  }
  for (std::size_t j = 0; j < state.structure().m; ++j) {
    text += "M_" + std::to_string(j + 1) + "=" + in_lecture(state.destination_sets().set_of(j));
    text += "\n";
  }
  return text;
}

ConnectionAdmission random_network(const Structure& structure, std::uint64_t seed) {
  ConnectionAdmission control(structure, strategies().find("RND")->make({structure, 0, seed}));
  RequestGenerator generator(structure, {seed, structure.r2, 75});
  run_traffic(control, generator, 40 + seed);
  return control;
}

}  // namespace

TEST_CASE("the connections of the lecture's v(5, 3, 4) have 396 routings with its five sets",
          "[clos]") {
  const GivenState state = given(kRequests + kSets);
  CHECK(state.ways() == 396);
  CHECK(in_lecture(state.destination_sets(1).set_of(1)) == "{2,3,4}");
  CHECK(state.state().connections().size() == 8);
  state.state().verify();
}

TEST_CASE("no connection of the lecture's v(5, 3, 4) fits if one link of the sets is missing",
          "[clos]") {
  CHECK(problems_of(kRequests + "M_1={1,2,3} M_2={2,3,4} M_3={1,2,4} M_4={3} M_5={1}") ==
        "no routes were found by which the connections have these M_j; give all M_j that are not "
        "empty, or the routes of all connections");
}

TEST_CASE("of the 31 sets of middle switches of the lecture's state 14, 20 and 18 carry three sets",
          "[clos]") {
  const GivenState state = given(kSets);
  CHECK(state.has_sets_only());
  const std::vector<std::uint64_t> all = carriers(asked(state, "I={1,2,3,4}"));
  CHECK(all.size() == 14);
  CHECK(std::count_if(all.begin(), all.end(), [](auto mask) { return popcount(mask) == 1; }) == 0);
  CHECK(carriers(asked(state, "I={2,4}")).size() == 20);
  CHECK(carriers(asked(state, "I={1,3}")).size() == 18);
}

TEST_CASE("Theorem 1 leaves what the lecture's sets have in common with a request", "[clos]") {
  const GivenState state = given(kSets);
  const auto left = [&](const std::string& request, std::uint64_t mask) {
    return in_lecture(unserved_by(asked(state, request), middles_of(mask, 5)));
  };
  CHECK(left("I={1,2,3,4}", 0b01001) == "{3}");
  CHECK(left("I={1,2,3,4}", 0b00011) == "{2,3}");
  CHECK(left("I={1,2,3,4}", 0b01110) == "{4}");
  CHECK(left("I={1,2,3,4}", 0b11000) == "{}");
  CHECK(left("I={1,2,3,4}", 0b10010) == "{}");
  CHECK(left("I={1,2,3,4}", 0b01101) == "{}");
  CHECK(left("I={1,2,3,4}", 0b10000) == "{1}");
  CHECK(left("I={2,4}", 0b10000) == "{}");
  CHECK(left("I={2,4}", 0b00001) == "{2}");
  CHECK(left("I={2,4}", 0b01000) == "{4}");
  CHECK(left("I={2,4}", 0b01001) == "{}");
  CHECK(left("I={2,4}", 0b00010) == "{2,4}");
}

TEST_CASE("a state that is written down and read again has the same sets and available switches",
          "[clos]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Structure structure{6, 3, 4, 2, 5};
    const ConnectionAdmission control = random_network(structure, seed);
    const GivenState state = given(state_text(control.state(), true), structure);
    CHECK(state.destination_sets(1) == control.state().destination_sets());
    for (std::uint32_t i = 0; i < structure.r1; ++i) {
      BitSet available(structure.m);
      state.state().find_available(i, 1, available);
      CHECK(available == control.state().available(i));
    }
  }
}

TEST_CASE("routes that are left out are found from the sets of a state that exists", "[clos]") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Structure structure = Structure::symmetric(4, 2, 3);
    const ConnectionAdmission control = random_network(structure, seed);
    const GivenState state = given(state_text(control.state(), false), structure);
    CHECK((state.ways() > 0 || state.state().connections().empty()));
    CHECK(state.destination_sets(1) == control.state().destination_sets());
    state.state().verify();
  }
}

TEST_CASE("the control algorithm blocks exactly the requests that Theorem 1 forbids", "[clos]") {
  const auto s1 = strategies().find("S1")->make({kPage});
  Random random(7);
  std::size_t blocked = 0;
  for (int round = 0; round < 2000; ++round) {
    Question question{{}, BitSet(4), BitSet(5), BitMatrix(5, 4)};
    for (std::size_t j = 0; j < 5; ++j) {
      if (random.below(3) == 0) question.candidates.set(j);
      for (std::size_t k = 0; k < 4; ++k) {
        if (random.below(2) == 0) question.busy.set(j, k);
      }
    }
    for (std::size_t k = 0; k < 4; ++k) {
      if (random.below(2) == 0) question.wanted.set(k);
    }
    if (question.wanted.none()) continue;
    Selection selection(4);
    s1->select({question.wanted, question.candidates, question.busy}, selection);
    CHECK(selection.blocked() == unserved_by(question, question.candidates).any());
    blocked += selection.blocked() ? 1 : 0;
  }
  CHECK(blocked > 200);
}

TEST_CASE("a search for routes counts each way to place branches once", "[clos]") {
  // Two inputs of one switch want both output switches: each takes separate middle switches.
  const Structure structure = Structure::symmetric(4, 2, 2);
  const std::vector<RouteSearch::Branch> branches{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  BitMatrix all(4, 2);
  for (std::size_t j = 0; j < 4; ++j) all.assign(j, BitSet::full(2));
  // 12 ways by one middle switch each, 24 where one input takes two, twice, 24 where both do.
  CHECK(RouteSearch(structure, branches, &all).count(1000) == 84);
  CHECK(RouteSearch(structure, branches, &all).count(10) == 10);
  CHECK(RouteSearch(structure, branches, &all).count(1000, 3) == 0);
  CHECK(RouteSearch({1, 2, 2, 2, 2}, branches).count(1) == 0);
}

TEST_CASE("a search for routes finds the fewest links of the first stage", "[clos]") {
  const Structure structure = Structure::symmetric(4, 2, 2);
  const std::vector<RouteSearch::Branch> branches{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  BitMatrix all(4, 2);
  BitMatrix apart(4, 2);  // No middle switch serves both output switches.
  for (std::size_t j = 0; j < 4; ++j) {
    all.assign(j, BitSet::full(2));
    apart.set(j, j % 2);
  }
  RouteSearch together(structure, branches, &all);
  CHECK(together.fewest_links() == 4);
  CHECK(together.count(1000) == 84);
  CHECK(together.fewest_links() == 2);
  RouteSearch separate(structure, branches, &apart);
  CHECK(separate.count(1000) == 4);
  CHECK(separate.fewest_links() == 4);
}

TEST_CASE("all problems of a state are reported at once", "[clos]") {
  const std::string found = problems_of(
      "I_1={1,2} over 1; I_2={2} over 1; I_14={5} over 7; I_3={1,2} over 2:{1} 3:{1,2}; "
      "I_4={1,2} over 2:{1}; I_5={4} over 9; M_7={1}; I_6={3} over 2:{3} 2:{}; end I_1; I={1}");
  for (const char* problem :
       {"\"I_2={2} over 1\": link A(1,1) from input switch 1 is taken",
        "\"I_2={2} over 1\": link B(1,2) to output switch 2 is taken",
        "\"I_14={5} over 7\": input 14 does not exist; take 1 to 12",
        "\"I_14={5} over 7\": output switch 5 does not exist; take 1 to 4",
        "output switch 1 is served twice, or not asked for; let the parts divide the request",
        "\"I_4={1,2} over 2:{1}\": no middle switch serves {2}; let the parts cover the request",
        "\"I_5={4} over 9\": middle switch 9 does not exist; take 1 to 5",
        "\"M_7={1}\": middle switch 7 does not exist", "middle switch 2 is named twice",
        "middle switch 2 serves nothing", "\"end I_1\": is no part of a state",
        "\"I={1}\": is no part of a state"}) {
    INFO(found << "\nlacks " << problem);
    CHECK(found.find(problem) != std::string::npos);
  }
}

TEST_CASE("an output switch takes as many connections as it has outputs", "[clos]") {
  CHECK(problems_of("I_1={1} over 1 I_4={1} over 2 I_7={1} over 3").empty());
  CHECK(problems_of("I_1={1} over 1 I_4={1} over 2 I_7={1} over 3 I_10={1} over 4") ==
        "\"I_10={1} over 4\": output switch 1 has no idle output; take another");
  CHECK(problems_of("C 0 0,1 = 0:1; C 3 2 = 1:1; I_7={1} over 3") ==
        "\"I_7={1} over 3\": output switch 1 has no idle output; take another");
}

TEST_CASE("an output of a trace is taken once", "[clos]") {
  CHECK(problems_of("C 0 0 = 0:1; C 3 1 = 1:1").empty());
  CHECK(problems_of("C 0 0 = 0:1; C 3 0 = 1:1") ==
        "\"C 3 0 = 1:1\": output 0, counted from 0, is taken; take another");
  CHECK(problems_of("C 0 2,2 = 0:1") ==
        "\"C 0 2,2 = 0:1\": output 2, counted from 0, is taken; take another");
}

TEST_CASE("sets that the given routes do not have are refused", "[clos]") {
  CHECK(problems_of("I_1={1,2} over 1; M_1={1}; M_2={}") ==
        "M_1 is not {1}; the connections make it {1,2}");
  CHECK(problems_of("M_1={1}; M_1={2}") == "\"M_1={2}\": is given twice; give it once");
}

TEST_CASE("links and ports carry weights up to a whole link, exactly", "[clos]") {
  const Structure structure{3, 2, 3, 2, 4};
  CHECK_NOTHROW(given("(I_1,0.3)={1} over 1 (I_2,7/10)={1} over 1", structure));
  CHECK_THROWS_AS(given("(I_1,0.3)={1} over 1 (I_2,0.71)={1} over 1", structure), ConfigError);
  CHECK_NOTHROW(given("(I_1,1/3)={1} over 1 (I_1,2/3)={1} over 1", structure));
  CHECK_THROWS_AS(given("(I_1,1/3)={1} over 1 I_1={2} over 2", structure), ConfigError);
}

TEST_CASE("weights of different denominators are added exactly", "[clos]") {
  const Structure structure{3, 2, 3, 2, 4};
  CHECK_NOTHROW(given("(I_1,1/2)={1} over 1 (I_1,1/3)={1} over 1 (I_2,1/6)={1} over 1", structure));
  CHECK_THROWS_AS(
      given("(I_1,1/2)={1} over 1 (I_1,1/3)={1} over 1 (I_2,1/4)={1} over 1", structure),
      ConfigError);
}

TEST_CASE("a number beyond all switches is refused, and not taken modulo 2^32", "[clos]") {
  CHECK_THROWS_WITH(parse_statements("I_4294967297={1}", kPage),
                    Catch::Matchers::Contains("a number from 1 on expected"));
}

TEST_CASE("statements that cannot be read name the place", "[clos]") {
  const auto refused = [](const std::string& text, const std::string& says) {
    std::string said = "nothing";
    try {
      parse_statements(text, kPage);
    } catch (const std::invalid_argument& error) {
      said = error.what();
    }
    INFO(text << "\nsays " << said);
    CHECK(said.find(says) != std::string::npos);
  };
  refused("foo", "\"I\" expected instead of \"foo\"");
  refused("I_1=3", "\"{\" expected instead of \"3\"");
  refused("I_0={1}", "a number from 1 on expected instead of \"0={1}\"");
  refused("M={1}", "a number from 1 on expected");
  refused("I_1={1,1}", "\"{1,1}\" names a number twice");
  refused("(I_1,2)={1}", "not above 0 and at most 1");
  refused("J 0 1 = ok-new", "is no connection; write C or D");
  refused("C 0 0 = 0:10", "0:10");
}
