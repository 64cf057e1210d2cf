// SPDX-License-Identifier: Apache-2.0
// `flitcast clos ...`: the values that it prints, and its messages about impossible input.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "refusal.h"
#include "result.h"

using namespace flitcast::program;

namespace {

/// Splits a command line into words; a text between apostrophes is one word.
Arguments clos(const std::string& line) {
  Arguments arguments{"clos"};
  bool quoted = false;
  bool inside = false;
  for (const char letter : line) {
    if (letter == '\'') {
      quoted = !quoted;
    } else if (letter != ' ' || quoted) {
      if (!inside) arguments.emplace_back();
      inside = true;
      arguments.back() += letter;
      continue;
    }
    if (letter == ' ') inside = false;
  }
  return arguments;
}

std::string output(const std::string& line) {
  const Folder folder;
  const Outcome outcome = run(folder.path(), clos(line));
  INFO("flitcast clos " << line << "\n" << outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK(folder.contents().empty());
  return outcome.out;
}

Json json(const std::string& line) { return Json::parse(output(line + " --json")); }

/// True if it prints exactly these words in one line.
bool prints(const std::string& text, const std::string& words) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string joined;
    for (std::string word; cells >> word;) joined += (joined.empty() ? "" : " ") + word;
    if (joined.rfind(words, 0) == 0) return true;
  }
  return false;
}

/// Returns the line of a table with this name.
Json line_of(const Json& lines, const std::string& name) {
  const auto line = std::find_if(lines.begin(), lines.end(),
                                 [&](const Json& one) { return one.at("name") == name; });
  REQUIRE(line != lines.end());
  return *line;
}

struct Fault {
  std::string line;
  std::vector<std::string> says;
};

void check_refused(const std::vector<Fault>& faults) {
  for (const Fault& fault : faults) {
    const Folder folder;
    const std::string said = refusal(folder, clos(fault.line));
    for (const std::string& text : fault.says) {
      INFO("flitcast clos " << fault.line << "\nsays  " << said << "\nnot   " << text);
      CHECK(said.find(text) != std::string::npos);
    }
  }
}

}  // namespace

TEST_CASE("clos bound prints the middle switches, and x, of every theorem", "[program]") {
  const std::string text = output("bound --n 4 --r 4");
  INFO(text);
  CHECK(prints(text, "thm3 13 2 624 "));
  CHECK(prints(text, "refined 12 2 576 "));
  CHECK(prints(text, "strict 13 - 624 "));
  CHECK(prints(text, "clos 7 1 336 "));
  CHECK(prints(text, "thm4 39 - "));
}

TEST_CASE("clos bound has the closed form of Theorem 4 from three switches up", "[program]") {
  const auto has_thm4 = [](const std::string& size) {
    return output("bound --n 4 --r " + size).find("thm4") != std::string::npos;
  };
  CHECK_FALSE(has_thm4("2"));
  CHECK(has_thm4("3"));
}

TEST_CASE("clos bound takes roots of integers, not of rounded numbers", "[program]") {
  const Json thm3 = line_of(json("bound --n 4 --r 125").at("bounds"), "thm3");
  CHECK(thm3.at("m") == 25);  // 125^(1/3) in floating point is below 5, which gives 24.
  CHECK(thm3.at("x") == 3);
}

TEST_CASE("clos bound knows fan-out limits, rates and asymmetric networks", "[program]") {
  CHECK(line_of(json("bound --n 8 --r 64 --fan-out 4").at("bounds"), "cor1").at("m") == 29);
  const Json rate = json("bound --n 4 --r 8 --rate 0.3").at("bounds");
  CHECK(line_of(rate, "multirate").at("m") == 44);
  const Json both = json("bound --n 16 --r 16 --fan-out 2 --rate 1/2").at("bounds");
  CHECK(line_of(both, "multirate_cor1").at("m") == 91);  // The value that `clos designs` lists.
  CHECK(line_of(rate, "multirate_unicast").at("m") == 19);
  const Json asymmetric = json("bound --n1 8 --r1 8 --n2 4 --r2 8 --fan-out 1").at("bounds");
  CHECK(line_of(asymmetric, "thm3").at("m") == 23);
  CHECK(line_of(asymmetric, "cor1").at("m") == 11);  // (n1 - 1) + (n2 - 1) + 1: Clos.
}

TEST_CASE("clos bound counts the assignments exactly", "[program]") {
  const Json counts = json("bound --n 2 --r 4").at("assignments");
  CHECK(counts.at("multicast") == "16777216");
  CHECK(counts.at("permutation") == "40320");
}

TEST_CASE("clos bound tells the worst-case clocks of all controllers", "[program]") {
  const Json clocks = line_of(json("bound --n 4 --r 4").at("bounds"), "thm3").at("worst_clocks");
  // The number of clocks is 1 + x c + 1 with x = 2 passes of c = m r + 1, m + 1, r + 1, 1 and 1.
  CHECK(clocks.at("seq_counter") == 108);
  CHECK(clocks.at("seq_adder") == 30);
  CHECK(clocks.at("par_counter") == 12);
  CHECK(clocks.at("par_adder") == 4);
  CHECK(clocks.at("par_thermo") == 4);
}

TEST_CASE("clos crosspoints finds the plans of the recursion", "[program]") {
  CHECK(prints(output("crosspoints -N 16 --k 0"), "crossbar 256 crosspoints"));
  const std::string text = output("crosspoints -N 256");
  INFO(text);
  CHECK(prints(text, "3 stages 63744 crosspoints (16,16,83)"));
  CHECK(prints(text, "5 stages 94288 crosspoints (16,16,83) (4,4,13)"));
  CHECK(prints(text, "7 stages 128816 crosspoints (16,16,83) (4,4,13) (2,2,4)"));
  const Json plans = json("crosspoints -N 1024 --k 1 --rule permutation").at("plans");
  CHECK(plans.at(1).at("crosspoints") == 190464);
}

TEST_CASE("clos designs lists nonblocking networks, the cheapest first", "[program]") {
  const Json designs = json("designs -N 256").at("designs");
  REQUIRE(designs.size() > 2);
  std::uint64_t before = 0;
  for (const Json& design : designs) {
    const auto crosspoints = design.at("crosspoints").get<std::uint64_t>();
    CHECK(crosspoints >= before);
    CHECK_FALSE(design.at("nonblocking").get<std::string>().empty());
    before = crosspoints;
  }
  const std::string few = output("designs -N 256 --most 2");
  CHECK(std::count(few.begin(), few.end(), '\n') == 5);  // Two heading lines, one for the rest.
  CHECK(prints(few, "... and " + std::to_string(designs.size() - 2) + " dearer ones"));
}

TEST_CASE("clos route tells the route of every event, and what became of joins", "[program]") {
  CHECK(output("route --n 2 --r 3 --m 4 --events 'C 0 0; J 0 2; J 0 1; L 0 0; L 0 1; L 0 2'") ==
        "C 0 0 = 0:1\n"
        "J 0 2 = ok-reuse\n"
        "J 0 1 = ok-local\n"
        "L 0 0 = kept-link\n"
        "L 0 1 = link-freed\n"
        "L 0 2 = closed\n"
        "6 events on v(4, 2, 3) under S1, 0 blocked; M = 0 0 0 0\n");
}

TEST_CASE("clos route counts joins that are blocked", "[program]") {
  // The only middle switch has one link to output switch 1, which belongs to input 2.
  CHECK(output("route --n 2 --r 2 --m 1 --events 'C 0 0; C 2 2; J 0 3; C 1 3'") ==
        "C 0 0 = 0:1\n"
        "C 2 2 = 0:2\n"
        "J 0 3 = blocked\n"
        "C 1 3 = B\n"
        "4 events on v(1, 2, 2) under S1, 2 blocked; M = 3\n");
}

TEST_CASE("clos route plays the shortest blocking sequence of v(3, 2, 3)", "[program]") {
  const Json result = json(
      "route --n 2 --r 3 --m 3 --events 'C 0 0; C 2 2,4; C 4 3; C 5 5; D 2; C 1 2,4; D 0; C 2 0; "
      "C 0 1'");
  CHECK(result.at("blocked") == 1);
  CHECK(result.at("events").at(5) == "C 1 2,4 = 1:4 2:2");
  CHECK(result.at("events").at(8) == "C 0 1 = B");
}

TEST_CASE("clos route reads events from a file, and the trace of clos traffic", "[program]") {
  const Folder folder;
  const std::string sizes = " --n 2 --r 3 --m 4 --seed 1";
  CHECK(run(folder.path(), clos("traffic --events 10 --trace t.txt" + sizes)).exit_code == 0);
  const std::string trace = folder.read("t.txt");
  const Outcome routed = run(folder.path(), clos("route t.txt" + sizes));
  CHECK(routed.exit_code == 0);
  CHECK(routed.out.rfind(trace, 0) == 0);
}

namespace {

// The lecture's v(5, 3, 4): a state that has its connections and its destination sets.
const std::string kPage = "route --m 5 --n 3 --r 4 ";
const std::string kPageState =
    "'I_1={1,2} over 1; I_2={1,4} over 3; I_5={2,4} over 2; I_6={2,4} over 3:{2} 4:{4}; I_8={3} "
    "over 1; I_9={3} over 2; I_11={3} over 4; I_12={1} over 5' ";
const std::string kPageSets = "'M_1={1,2,3} M_2={2,3,4} M_3={1,2,4} M_4={3,4} M_5={1}' ";

std::vector<std::string> outcomes(const Json& result, const char* key) {
  std::vector<std::string> found;
  for (const Json& request : result.at("requests")) found.push_back(request.at(key));
  return found;
}

}  // namespace

TEST_CASE("clos route takes the state of the lecture's v(5, 3, 4) and its I_10 by middle switch 2",
          "[program]") {
  const Json result = json(kPage + "--state " + kPageState + "--request 'end I_12; I_10={1}'");
  CHECK(result.at("before").dump() ==
        R"({"M_1":"{1,2,3}","M_2":"{2,3,4}","M_3":"{1,2,4}","M_4":"{3,4}","M_5":"{1}"})");
  const Json& request = result.at("requests").at(1);
  CHECK(request.at("available") == "{1,2,3,5}");
  REQUIRE(request.at("passes").size() == 1);
  CHECK(request.at("passes").at(0).dump() ==
        R"({"pass":1,"S_1":"{1}","S_2":"{}","S_3":"{1}","S_5":"{}","minimum":0,"middle":2,)"
        R"("serves":"{1}","left":"{}"})");
  CHECK(request.at("routes").dump() == R"({"S1":"2:{1}","S2":"2:{1}","S3":"2:{1}"})");
  CHECK(request.at("outcome") == "connected");
  CHECK(result.at("after").at("M_2") == "{1,2,3,4}");
}

TEST_CASE("clos route takes the same state as events with their routes", "[program]") {
  const Json result = json(kPage +
                           "--state 'C 0 0,3 = 0:3; C 1 1,9 = 2:9; C 4 4,10 = 1:a; C 5 5,11 = 2:2 "
                           "3:8; C 7 6 = 0:4; C 8 7 = 1:4; C 10 8 = 3:4; C 11 2 = 4:1' --request "
                           "'D 11; C 9 2'");
  CHECK(result.at("connections") == json(kPage + "--state " + kPageState).at("connections"));
  CHECK(result.at("requests").at(1).at("routes").at("S1") == "2:{1}");
}

TEST_CASE("clos route finds routes for the connections and the sets that the lecture prints",
          "[program]") {
  const Json result = json(kPage + "--state " + kPageSets +
                           "--state 'I_1={1,2} I_2={1,4} I_5={2,4} I_6={2,4} I_8={3} I_9={3} "
                           "I_11={3} I_12={1}'");
  CHECK(result.at("ways_to_route") == 396);
  CHECK(result.at("connections").size() == 8);
  CHECK(result.at("before").at("M_4") == "{3,4}");
}

TEST_CASE("clos route connects the lecture's eight requests over 1 2 3 4 1 2 3 4", "[program]") {
  const Json result = json(kPage +
                           "--request 'I_1={1,2} I_2={1,4} I_5={2,4} I_6={2,4} I_8={3} I_9={3} "
                           "I_11={3} I_12={1}'");
  std::string middles;
  for (const Json& request : result.at("requests")) {
    middles += request.at("routes").at("S1").get<std::string>().substr(0, 1);
  }
  CHECK(middles == "12341234");
  CHECK(result.at("after").dump() ==
        R"({"M_1":"{1,2,3}","M_2":"{1,3,4}","M_3":"{2,3,4}","M_4":"{1,2,4}","M_5":"{}"})");
}

TEST_CASE("clos route tests Theorem 1 on destination sets alone", "[program]") {
  const Json result = json(kPage + "--state " + kPageSets +
                           "--request 'I={1,2,3,4} over 1,4; I={1,2,3,4} over 1,2; I={1,2,3,4} "
                           "over 2,3,4; I={1,2,3,4} over 4,5; I={2,4} over 5; I_10={2,4} over 2'");
  CHECK(outcomes(result, "left") ==
        std::vector<std::string>{"{3}", "{2,3}", "{4}", "{}", "{}", "{2,4}"});
  CHECK(outcomes(result, "intersection") ==
        std::vector<std::string>{"{3}", "{2,3}", "{4}", "{}", "{1}", "{2,3,4}"});
  CHECK(outcomes(result, "outcome") == std::vector<std::string>{"cannot carry", "cannot carry",
                                                                "cannot carry", "can carry",
                                                                "can carry", "cannot carry"});
}

TEST_CASE("clos route changes no destination sets that have no connections behind them",
          "[program]") {
  const Json result = json(kPage + "--state " + kPageSets + "--request 'I_10={4}; I_10={4}'");
  CHECK(outcomes(result, "outcome") == std::vector<std::string>(2, "can be carried"));
  CHECK(result.at("after") == result.at("before"));
  CHECK(result.at("connections").empty());
}

TEST_CASE("clos route says that middle switches are taken before it asks what they carry",
          "[program]") {
  const Json result =
      json(kPage + "--state " + kPageState +
           "--request 'end I_12; I_10={1} over 4; I_10={1} over 1,3; I_10={1} over 2,5'");
  const std::vector<std::string> expected{"ended", "not available", "cannot carry", "can carry"};
  CHECK(outcomes(result, "outcome") == expected);
}

TEST_CASE("clos route shows the passes of the control algorithm, and what strategies 1 to 3 choose",
          "[program]") {
  const std::string text = output(kPage + "--state " + kPageSets + "--request 'I={1,2,3,4}'");
  INFO(text);
  CHECK(prints(text,
               "pass=1 S_1={1,2,3} S_2={2,3,4} S_3={1,2,4} S_4={3,4} S_5={1} minimum=1 middle=5 "
               "serves={2,3,4} left={1}"));
  CHECK(prints(text, "pass=2 S_1={1} S_2={} S_3={1} S_4={} S_5={1} minimum=0 middle=2 serves={1}"));
  CHECK(prints(text, "routes: S1=5:{2,3,4} 2:{1} S2=2:{1} 5:{2,3,4} S3=5:{2,3,4} 2:{1}"));
  CHECK(prints(text, "outcome: can be carried"));
}

TEST_CASE("clos route blocks what no available middle switch serves, and names it", "[program]") {
  const Json result = json(
      "route --n 2 --r 2 --m 2 --state 'I_1={2} over 1; I_3={1} over 2' --request 'I_2={1,2}'");
  const Json& request = result.at("requests").at(0);
  CHECK(request.at("routes").dump() == R"({"S1":"blocked","S2":"blocked","S3":"blocked"})");
  CHECK(request.at("no_available_middle_serves") == "{1}");
  CHECK(request.at("outcome") == "blocked");
  CHECK(result.at("before") == result.at("after"));
}

TEST_CASE("clos route carries the lecture's (I_1, 0.3) = {1, 2, 4} over two middle switches",
          "[program]") {
  const Json result = json(
      "route --m 3 --n1 2 --r1 3 --n2 2 --r2 4 --state '(I_2,0.8)={3} over 1; (I_3,0.8)={1} over "
      "2; (I_5,0.9)={2} over 3; (I_6,0.5)={4} over 2' --request '(I,0.3)={1,2,3,4} over 2,3; "
      "(I,0.3)={1,2,3,4} over 2; (I,0.8)={1,2,3,4} over 2,3; (I_1,0.3)={1,2,4}'");
  CHECK(outcomes(result, "outcome") ==
        std::vector<std::string>{"can carry", "cannot carry", "can carry", "connected"});
  CHECK(result.at("requests").at(1).at("left") == "{1}");
  CHECK(result.at("requests").at(2).at("M").at("M_2") == "{1,4}");
  const Json& request = result.at("requests").at(3);
  CHECK(request.at("available") == "{2,3}");
  CHECK(request.at("M").dump() == R"({"M_1":"{3}","M_2":"{1}","M_3":"{2}"})");
  CHECK(request.at("routes").at("S1") == "2:{2,4} 3:{1}");
  CHECK(request.at("passes").at(0).at("S_2") == "{1}");
  CHECK(request.at("passes").at(0).at("S_3") == "{2}");
  const Json& after = result.at("after");
  CHECK(after.at("A(1,2)") == 0.3);
  CHECK(after.at("A(1,3)") == 0.3);
  CHECK(after.at("B(2,2)") == 0.3);
  CHECK(after.at("B(2,4)") == 0.8);
  CHECK(after.at("B(3,1)") == 0.3);
  CHECK(after.at("A(1,1)") == 0.8);
}

TEST_CASE("clos route uses one middle switch for (I_1, 0.3) = {2}, because the first is too full",
          "[program]") {
  const Json result = json(
      "route --m 3 --n1 2 --r1 3 --n2 2 --r2 4 --state '(I_2,0.8)={3} over 1; (I_3,0.8)={1} over "
      "2; (I_5,0.9)={2} over 3; (I_6,0.5)={4} over 2' --request '(I_1,0.3)={2}'");
  CHECK(result.at("requests").at(0).at("available") == "{2,3}");
  CHECK(result.at("requests").at(0).at("routes").at("S1") == "2:{2}");
}

TEST_CASE(
    "clos route plays the worst state for n = 3, m = 4: strategies 1 and 2 block at I_2, "
    "strategy 3 at I_3",
    "[program]") {
  const std::string route =
      "route --n 3 --r 6 --m 4 --request 'C 3 0,6,12; C 4 1,9,15; C 5 3,7,16; C 6 4,10,13; C 0 "
      "2,5; C 1 8,11; C 2 14,17' --strategy ";
  const std::vector<std::size_t> blocked{5, 5, 6};
  for (std::size_t s = 0; s < 3; ++s) {
    const std::vector<std::string> found =
        outcomes(json(route + "S" + std::to_string(s + 1)), "outcome");
    const auto first = std::find(found.begin(), found.end(), "blocked");
    CHECK(static_cast<std::size_t>(first - found.begin()) == blocked[s]);
  }
}

TEST_CASE("clos worst builds a state that blocks strategies 1 and 2 with one middle switch too few",
          "[program]") {
  const Json small = json("worst --n 2 --m 3");
  CHECK(small.at("network") == "v(3, 2, 9)");  // 6 by counting, and 3 where two M meet.
  CHECK(small.at("conditions") == "hold");
  CHECK(small.at("blocks_below") == 4);
  CHECK(small.at("sufficient").at("n_squared") == 4);
  const Json large = json("worst --n 3 --x 2");
  CHECK(large.at("network") == "v(8, 3, 84)");
  CHECK(large.at("sufficient").at("n_squared") == 9);
  for (const char* strategy : {"S1", "S2"}) {
    const auto played = [&](const Json& result) {
      const Json& lines = result.at("played");
      return *std::find_if(lines.begin(), lines.end(),
                           [&](const Json& one) { return one.at("strategy") == strategy; });
    };
    CHECK(played(small).at("M").dump() == "[1,1,1]");
    CHECK(played(small).at("I").dump() == "[2,0]");
    CHECK(played(small).at("needs") == 4);
    CHECK(played(large).at("M").dump() == "[1,1,1,1,1,1,1,1]");
    CHECK(played(large).at("I").dump() == "[3,3,0]");
    CHECK(played(large).at("needs") == 9);
  }
  CHECK(small.at("played").at(2).dump() ==
        R"({"strategy":"S3","M":[1,1,2],"I":[2,1],"blocked":0})");
  CHECK(large.at("played").at(2).at("blocked") == 0);
}

TEST_CASE("clos worst prints events that block clos route", "[program]") {
  const Json worst = json("worst --n 4 --x 1");
  std::string events;
  for (const Json& event : worst.at("events")) events += event.get<std::string>() + ";";
  const std::string network = worst.at("network");  // v(7, 4, r)
  const std::string r = network.substr(network.rfind(' ') + 1, network.size() - 9);
  CHECK(json("route --n 4 --m 7 --r " + r.substr(0, r.find(')')) + " --events '" + events + "'")
            .at("blocked") == 1);
}

TEST_CASE("clos bound knows the last rows of the lecture's table", "[program]") {
  const Json before = line_of(json("bound --n 10 --r 1953125").at("bounds"), "thm3");
  CHECK(before.at("x") == 9);
  CHECK(before.at("m") == 127);  // (n - 1) 14 + 1.
  const Json last = line_of(json("bound --n 10 --r 10077696").at("bounds"), "thm3");
  CHECK(last.at("x") == 9);
  CHECK(last.at("m") == 136);  // (n - 1) 15 + 1.
  CHECK(last.at("crosspoints") == 13812181518237696);
  CHECK_FALSE(line_of(json("bound --n 10 --r 10077696").at("bounds"), "strict")
                  .contains("crosspoints"));  // Above 64 bits.
}

TEST_CASE("clos traffic counts and hashes the specified requests", "[program]") {
  CHECK(prints(output("traffic --n 4 --r 4 --m 5 --seed 42 --events 10000"),
               "5 5340 668 0.125 3 2b90c617c6ed5aef"));
  const Json point =
      json("traffic --n 4 --r 4 --m 5 --seed 42 --events 10000 --strategy RND").at("points").at(0);
  CHECK(point.at("requests") == 5487);
  CHECK(point.at("blocked") == 962);
  CHECK(point.at("hash") == "8dcbbdae750e61b9");
  CHECK(point.at("M").dump() == R"(["f","c","d","b","7"])");
}

TEST_CASE("clos traffic counts all events, however few the last ones are", "[program]") {
  const std::string command = "traffic --n 4 --r 4 --m 5 --seed 42 --strategy RND --events ";
  const Json many = json(command + "10000").at("points").at(0);
  const Json one_more = json(command + "10001").at("points").at(0);
  CHECK(many.at("maxpass").get<int>() > 1);
  CHECK(one_more.at("maxpass") >= many.at("maxpass"));
  CHECK(one_more.at("blocked") >= many.at("blocked"));
  CHECK(one_more.at("requests") >= many.at("requests"));
}

TEST_CASE("clos traffic prints its trace line by line", "[program]") {
  CHECK(output("traffic --n 2 --r 3 --m 4 --seed 1 --events 10 --trace -") ==
        "C 4 0,2,4 = 0:7\nD 4\nC 4 0,2 = 0:3\nC 2 3 = 1:2\nD 4\nD 2\nC 2 0 = 0:1\n"
        "C 3 1,2,4 = 1:7\nC 1 3 = 0:2\nC 4 5 = 0:4\n");
}

TEST_CASE("clos traffic draws a blocking curve from m to --to", "[program]") {
  const Json points =
      json("traffic --n 4 --r 4 --m 4 --to 7 --seed 42 --events 40000").at("points");
  REQUIRE(points.size() == 4);
  const std::vector<int> blocked{12789, 2653, 119, 0};
  for (std::size_t k = 0; k < blocked.size(); ++k) {
    CHECK(points.at(k).at("m") == 4 + k);
    CHECK(points.at(k).at("blocked") == blocked[k]);
  }
}

TEST_CASE("clos traffic with weights is the specified multirate traffic", "[program]") {
  const Json point =
      json("traffic --n 3 --r 3 --m 3 --capacity 4 --seed 7 --events 2000").at("points").at(0);
  CHECK(point.at("requests") == 1194);
  CHECK(point.at("blocked") == 377);
  CHECK(point.at("maxpass") == 2);
  CHECK(point.at("l2sum") == 21);
}

TEST_CASE("clos minimum finds 4 for v(m, 2, 3), with a shortest sequence that blocks 3",
          "[program]") {
  const Json result = json("minimum --n 2 --r 3");
  CHECK(result.at("minimum") == 4);
  const Json& last = result.at("verdicts").at(1);
  CHECK(last.at("m") == 3);
  CHECK(last.at("shortest") == true);
  REQUIRE(last.at("sequence").size() == 9);
  CHECK(last.at("sequence").at(8) == "C 0 1 = B");
}

TEST_CASE("clos minimum finds 3 for v(m, 2, 3) whose connections may be moved", "[program]") {
  CHECK(json("minimum --n 2 --r 3 --strategy rearrangeable").at("minimum") == 3);
}

TEST_CASE("clos minimum lets members leave and an adversary break ties, if it is asked to",
          "[program]") {
  const auto events = [](const std::string& more) {
    const Json result = json("minimum --n 2 --r 3 --m 3" + more);
    CHECK(result.at("leave") == (more.find("--leave") != std::string::npos));
    CHECK(result.at("ties") == (more.find("--ties") != std::string::npos ? "adversary" : "index"));
    return result.at("verdicts").at(0).at("sequence").size();
  };
  CHECK(events("") == 9);
  CHECK(events(" --leave") == 8);
  CHECK(events(" --ties adversary") == 7);
  CHECK(events(" --leave --ties adversary") == 6);
}

TEST_CASE("clos minimum admits that its limits came first", "[program]") {
  const Folder folder;
  const Outcome outcome =
      run(folder.path(), clos("minimum --n 3 --r 3 --m 5 --max-states 10 --json"));
  CHECK(outcome.exit_code == 3);
  const Json result = Json::parse(outcome.out);
  CHECK_FALSE(result.contains("minimum"));
  CHECK(result.at("verdicts").at(0).at("verdict") == "no verdict");
}

TEST_CASE("clos refuses sizes that make no network", "[program]") {
  check_refused({
      {"bound --n 0 --r 0",
       {"clos bound: --n is missing or 0; give a number from 1 to ",
        "\nclos bound: --r is missing or 0; give "}},
      {"bound --n1 3 --r1 3 --n2 3", {"clos bound: --r is missing or 0; give a number from 1 to "}},
      {"bound --n 4 --r 4 --fan-out 5",
       {"--fan-out is 5, but there are 4 output switches; give 1"}},
      {"bound --n 4 --r 4 --rate 3/2", {"rate 3/2 is not above 0 and at most 1; write it as "}},
      {"route --n 4 --r 4 --m 0 --events 'D 0'",
       {"clos route: --m is missing or 0; give a number from 1 to"}},
      {"traffic --n 4 --r 4", {"clos traffic: --m is missing or 0; give a number from 1 to "}},
      {"traffic --n -4 --r 4 --m 4", {"--n is -4; give a whole number from 0 to "}},
      {"traffic --n 4 --r 4 --m 99999999999", {"--m is 99999999999; give a number from 1 to "}},
      {"minimum --n 0 --r 3", {"clos minimum: --n is missing or 0; give a number from 1 to "}},
      {"minimum --n 2 --r 2 --strategy strict --ties adversary",
       {"strict has no ties", "choose one of S1, S2"}},
      {"minimum --n 20 --r 30", {"is too large for an exhaustive search; ", "; choose smaller "}},
      {"designs -N 0", {"clos designs: 0 ports make no network; take 1 to "}},
      {"crosspoints -N 0", {"clos crosspoints: N is 0; take at least 1"}},
      {"crosspoints -N 64 --rule half", {"no rule \"half\"; choose one of thm3, refined, "}},
  });
}

TEST_CASE("clos refuses networks that do not fit in memory before it makes them", "[program]") {
  check_refused({
      {"traffic --n 1 --r 1048576 --m 1048576",
       {"clos traffic: the state of v(1048576, 1, 1048576) takes about ",
        "; use fewer middle switches or ports"}},
      {"traffic --n 2 --r 10000 --m 100000 --capacity 4", {"links to weigh; take at most "}},
  });
}

TEST_CASE("clos route says which event cannot be, and prints none of the others", "[program]") {
  const std::string route = "route --n 2 --r 2 --m 3 --events ";
  check_refused({
      {route + "'C 0 1; C 1 1'",
       {"clos route: event 2 \"C 1 1\": output 1 belongs to input 0; take an idle one"}},
      {route + "'C 0 1; C 1 4'", {"event 2 \"C 1 4\": output 4 does not exist; take 0 to 3"}},
      {route + "'C 0 1; C 0 2'", {"event 2 \"C 0 2\": input 0 "}},
      {route + "'C 4 1'", {"event 1 \"C 4 1\": input 4 does not exist; take 0 to 3"}},
      {route + "'C 0 1; D 3'", {"event 2 \"D 3\": input 3 is not connected; "}},
      {"route --n 5 --r 4 --m 3 --events 'C 1 1,9 = 2:3'",
       {"clos route: event 1 \"C 1 1,9 = 2:3\" becomes \"C 1 1,9 = 0:3\"; leave out what follows"}},
      {route + "'C 0 1,1'", {"output 1 is named twice; name it once"}},
      {route + "'J 0 1'", {"event 1 \"J 0 1\": input 0 is not connected; connect it first"}},
      {route + "'C 0 1; L 0 2'", {"event 2 \"L 0 2\": output 2 "}},
      {route + "'C 0 1; X 0 1'", {"event 2 \"X 0 1\": write \"C input outputs = route\""}},
      {route + "'C a 1'", {"event 1 ", "\"a\" is not the number of a port or switch"}},
      {route + "'C 0'", {"event 1 ", ": write \"C input outputs = route\""}},
      {"route --n 2 --r 2 --m 3", {"there is nothing to route; give --events or a file"}},
      {"route --n 2 --r 2 --m 3 none.txt", {"cannot read \"none.txt\"; give the path of a trace"}},
      {"route --n 2 --r 2 --m 3 .", {"cannot read \".\"; give the path of a trace"}},
      {route + "'C 0 1' --join bounded", {"bounded joins keep a pass limit; set one"}},
  });
}

TEST_CASE("clos route refuses states and requests that cannot be", "[program]") {
  const std::string state = kPage + "--state ";
  check_refused({
      {state + "'I_1={1,2} over 1; I_2={2} over 1'",
       {"clos route: \"I_2={2} over 1\": link A(1,1) from input switch 1 is taken",
        "clos route: \"I_2={2} over 1\": link B(1,2) to output switch 2 is taken"}},
      {state + "'I_1={1,2}'", {"no routes were found by which the connections have these M_j"}},
      {state + "'I_1={1} over 1; I_2={2}'", {"some connections have no routes; write over 1"}},
      {state + kPageState + "--request 'I_10={1}'",
       {"\"I_10={1}\": output switch 1 has no idle output; take another"}},
      {state + kPageState + "--request 'I_12={1}'", {"\"I_12={1}\": input 12 is taken"}},
      {state + kPageState + "--request 'end I_3'", {"\"end I_3\": the input has no connection"}},
      {state + kPageState + "--request 'M_1={1}'", {"\"M_1={1}\" is no request; give it to"}},
      {state + kPageState + "--request 'I={1} over 6:{1}'",
       {"middle switch 6 does not exist; take 1 to 5", "Theorem 1 asks for no parts"}},
      {state + "'(I_1,0.3)={1} over 1; (I_1,0.8)={2} over 2'",
       {"input 1 carries 0.3, so 0.8 more is too much; take at most 0.7"}},
      {state + "'C 0 0 = 0:1' --request 'C 9 0'",
       {"\"C 9 0\": output 0, counted from 0, is taken; take another"}},
      {state + "'I_1={1} over 1' --events 'D 0'", {"exclude each other"}},
      {state + "'I_1={1} over 1' --candidates first --pass-limit 2",
       {"requests on a state use all candidates and join nothing; leave out --candidates"}},
      {"worst --n 2 --x 2",
       {"no sets for n = 2, x = 2, m = 5: take 1 <= x < n and m of at least x"}},
      {"bound --n 4000000000 --r 4", {"--n is 4000000000; give a number from 1 to 268435456"}},
      {"bound --n 200000000 --r 200", {"the network has 40000000000 ports; take sizes with at"}},
  });
}

TEST_CASE("clos traffic refuses options that do not fit each other", "[program]") {
  const std::string traffic = "traffic --n 4 --r 4 --m 5 ";
  check_refused({
      {traffic + "--fmax 5", {"--fmax is 5, but there are 4 output switches; give 1 to 4"}},
      {traffic + "--capacity 4 --bmin 5", {"least weight is 5; take 1 to the capacity, 4"}},
      {traffic + "--capacity 4 --wmax 5", {"largest weight is 5; take 1 to 4"}},
      {traffic + "--wmax 5", {"--bmin and --wmax are weights of multirate traffic; give --cap"}},
      {traffic + "--to 4", {"--to is 4, below --m; give a larger one"}},
      {traffic + "--to 7 --trace t.txt", {"a curve has no trace; leave out --trace or --to"}},
      {traffic + "--trace - --json", {"both want standard output; give --trace a file"}},
      {traffic + "--events 4000000000 --trace .",
       {"clos traffic: .: cannot be written", "; name another file"}},
      {traffic + "--strategy S4", {"no strategy \"S4\"; choose one of S1, S2, S3, "}},
      {traffic + "--candidates first", {"depend on a pass limit; set one of at least 1"}},
      {traffic + "--pconn 101", {"--pconn is 101; give a whole number from 0 to 100"}},
      {traffic + "--events 0", {"--events is 0; give a whole number from 1 to "}},
      {"minimum --n 2 --r 3 --strategy S4", {"no strategy \"S4\"; choose one of S1, "}},
      {"minimum --n 2 --r 3 --strategy RND", {"choose a deterministic strategy"}},
  });
}
