// SPDX-License-Identifier: Apache-2.0
#include "conformance/collective_rows.h"

#include <map>
#include <stdexcept>
#include <string>

#include "support/test_catch.h"

using namespace flitcast::conformance;

namespace {

using Columns = std::map<std::string, std::string>;

/// A row with these columns and ts = 50, td = 3, tm = 1, m = 64; other columns are empty.
Row row(const Columns& columns) {
  Columns all{{"id", "X"},         {"source", "0"},       {"ports", "all"},
              {"rule", ""},        {"rounds", ""},        {"transmissions", ""},
              {"duplicates", ""},  {"new_per_round", ""}, {"longest_path_per_round", ""},
              {"lower_bound", ""}, {"time", ""},          {"normative", ""},
              {"ts", "50"},        {"td", "3"},           {"tm", "1"},
              {"m", "64"}};
  for (const auto& [column, text] : columns) all[column] = text;
  return {1, all};
}

Verdict step(const Columns& columns) { return collective_row(row(columns), Level::kStep); }

bool passes(const Columns& columns) { return step(columns).kind == Verdict::Kind::kPassed; }

/// The columns with one text replaced.
Columns with(Columns columns, const std::string& column, const std::string& text) {
  columns[column] = text;
  return columns;
}

/// One line "what: expected E, got G" for each difference.
std::string said(const Verdict& verdict) {
  std::string text;
  for (const auto& [what, expected, got] : verdict.differences) {
    text += what + ": expected " + expected + ", got " + got + "\n";
  }
  return text;
}

bool refused(const std::string& algorithm, const std::string& network,
             const std::string& source = "0", const std::string& ports = "all") {
  return passes({{"algorithm", algorithm},
                 {"network", network},
                 {"source", source},
                 {"ports", ports},
                 {"normative", "reject"}});
}

// Row P66 of the specification; all its columns are normative.
const Columns kTorus{{"algorithm", "doubling"},
                     {"network", "T(6,10)"},
                     {"source", "11"},
                     {"ports", "1"},
                     {"rule", "dimension by dimension"},
                     {"rounds", "7"},
                     {"transmissions", "59"},
                     {"duplicates", "0"},
                     {"new_per_round", "1;2;2;6;12;24;12"},
                     {"longest_path_per_round", "3;1;1;5;2;1;1"},
                     {"lower_bound", "6"},
                     {"time", "840"},
                     {"normative", "rounds,tx,dup,new,paths"}};

// Row P54; the double tree takes 4 rounds.
const Columns kHoKao{{"algorithm", "ho-kao"},
                     {"network", "Q7"},
                     {"rounds", "3"},
                     {"new_per_round", "7;32;88"},
                     {"longest_path_per_round", "7;4;1"},
                     {"lower_bound", "3"},
                     {"time", "378"},
                     {"normative", "rounds<="}};

// Row P14: the last round of sends informs no node.
const Columns kFlooding{{"algorithm", "flooding"},      {"network", "T(5,5)"},
                        {"rule", "quiescent after 5"},  {"rounds", "4"},
                        {"transmissions", "60"},        {"duplicates", "36"},
                        {"new_per_round", "4;8;8;4;0"}, {"time", "468"},
                        {"normative", "rounds,tx,dup"}};

}  // namespace

TEST_CASE("a row with the specification's figures passes", "[conformance]") {
  CHECK(said(step(kTorus)).empty());
  CHECK(said(step(kHoKao)).empty());
  CHECK(said(step(kFlooding)).empty());
}

TEST_CASE("each wrong column is the one difference of its row, by name", "[conformance]") {
  const std::string column = GENERATE("rounds", "transmissions", "duplicates", "new_per_round",
                                      "longest_path_per_round", "lower_bound", "time");
  const Verdict wrong = step(with(kTorus, column, "77"));
  CHECK(wrong.kind == Verdict::Kind::kFailed);
  REQUIRE(wrong.differences.size() == 1);
  CHECK(wrong.differences[0].what == column);
  CHECK(wrong.differences[0].expected == "77");
  CHECK(wrong.differences[0].got == kTorus.at(column));
}

TEST_CASE("the time follows the row's cost parameters", "[conformance]") {
  // 7 rounds of 10 + 5 * 4, and 14 hops of 2.
  Columns other = with(with(with(with(kTorus, "ts", "10"), "td", "2"), "tm", "5"), "m", "4");
  CHECK(passes(with(other, "time", "238")));
  CHECK_FALSE(passes(other));
}

TEST_CASE("empty columns are ignored", "[conformance]") {
  const Columns bare{{"algorithm", "doubling"}, {"network", "T(6,10)"}, {"ports", "1"}};
  CHECK(passes(bare));
  CHECK_FALSE(passes(with(bare, "lower_bound", "5")));
}

TEST_CASE("of transmissions and duplicates the normative one decides on both", "[conformance]") {
  const Columns naive{{"algorithm", "dimension-order"},
                      {"network", "T(4,4)"},
                      {"source", "5"},
                      {"rule", "naive (no precaution)"},
                      {"transmissions", "20"},
                      {"duplicates", "5"},
                      {"normative", "dup"}};
  CHECK(passes(naive));
  CHECK(said(step(with(naive, "transmissions", "19"))) == "transmissions: expected 19, got 20\n");
}

TEST_CASE("a flooding must fall silent when the row says so", "[conformance]") {
  CHECK(said(step(with(kFlooding, "rule", "quiescent after 4"))) ==
        "quiescent after: expected 4, got 5\n");
}

TEST_CASE("if rounds are bounded from above, fewer pass and more do not", "[conformance]") {
  CHECK(passes(with(kHoKao, "rounds", "4")));
  CHECK(said(step(with(kHoKao, "rounds", "2"))) == "rounds: expected at most 2, got 3\n");
  const Columns gossip{{"algorithm", "gossip thm 2 k=1"},
                       {"network", "T(4,4)"},
                       {"source", "-"},
                       {"rounds", "6"},
                       {"time", "702"},
                       {"normative", "rounds<="}};
  CHECK(passes(gossip));
  CHECK(passes(with(gossip, "time", "703")));
  CHECK(said(step(with(gossip, "time", "701"))) == "time: expected at most 701, got 702\n");
}

TEST_CASE("rounds may exceed the lower bound by the margin of the row", "[conformance]") {
  const Columns ring{{"algorithm", "dilated-diagonal"}, {"network", "T(6,10)"}};
  CHECK(passes(with(ring, "normative", "rounds<=lb+3")));  // It takes 6 rounds, at least 3.
  CHECK(said(step(with(ring, "normative", "rounds<=lb+2"))) ==
        "rounds: expected at most 5, got 6\n");
}

TEST_CASE("where our longest paths may differ, the time is that of the row's own",
          "[conformance]") {
  CHECK(passes(with(with(kHoKao, "longest_path_per_round", "7;5;1"), "time", "381")));
  CHECK(said(step(with(kHoKao, "time", "377"))) == "time: expected 377, got 378\n");
}

TEST_CASE("the lower bound counts four ports on every 2-D torus, rings among them",
          "[conformance]") {
  CHECK(passes({{"algorithm", "dilated-diagonal"}, {"network", "T(16,1)"}, {"lower_bound", "2"}}));
  CHECK(passes({{"algorithm", "dilated-diagonal"}, {"network", "T(5,5)"}, {"lower_bound", "2"}}));
}

TEST_CASE("a number of ports that uses all channels is all ports", "[conformance]") {
  const Columns tree{{"algorithm", "dta"}, {"network", "Q4"}};
  CHECK(passes(with(tree, "ports", "4")));
  CHECK(passes(with(tree, "ports", "9")));
  CHECK_FALSE(passes(with(tree, "ports", "3")));
  CHECK(passes({{"algorithm", "dta"}, {"network", "Q1"}, {"ports", "1"}}));
}

TEST_CASE("instances outside an algorithm's preconditions are refused", "[conformance]") {
  CHECK(refused("gossip thm 3/4 k=1", "T(4,6,3)", "-"));
  CHECK(refused("gossip thm 3/4 k=1", "T(5,4,4,4)", "-"));
  CHECK(refused("gossip thm 3/4 k=1", "T(4,4)", "-"));
  CHECK(refused("gossip thm 2 k=1", "T(3,3,3)", "-"));
  CHECK(refused("gossip thm 2 k=2", "T(4,4)", "-"));
  CHECK(refused("gossip zigzag thm 1 k=2", "T(5,7)", "-"));
  CHECK(refused("tiling", "T(10,10)"));
  CHECK(refused("u-mesh", "T(4,4)", "0", "1"));
  CHECK(refused("dilated-diagonal", "M(5,5)"));
  CHECK(refused("sbt", "M(4,4)"));
}

TEST_CASE("sources, ports and networks that do not exist are refused", "[conformance]") {
  CHECK(refused("sbt", "Q4", "16"));
  CHECK(refused("flooding", "T(3,4)", "-1"));
  CHECK(refused("doubling", "K8", "12345678901", "1"));
  CHECK(refused("sbt", "Q4", "0", "2"));
  CHECK(refused("doubling", "K8", "0", "0"));
  CHECK(refused("doubling", "K0", "0", "1"));
  CHECK(refused("flooding", "T(0,3)"));
  CHECK(refused("sbt", "Q64"));
}

TEST_CASE("a sound instance marked for rejection fails, and so does an unsound one that is not",
          "[conformance]") {
  CHECK(said(step(with(kTorus, "normative", "reject"))) ==
        "instance: expected a refusal, got a schedule\n");
  const Verdict refused = step(with(kTorus, "source", "60"));
  CHECK(refused.kind == Verdict::Kind::kFailed);
  CHECK_THAT(said(refused), Catch::StartsWith("instance: expected a schedule, got a refusal: "));
}

TEST_CASE("text that means nothing is distinguished from instances to refuse", "[conformance]") {
  const auto [column, text] = GENERATE(table<std::string, std::string>({
      {"algorithm", "gossip by post"},
      {"network", "T6,10"},
      {"network", "T(6,ten)"},
      {"network", "X(6,10)"},
      {"network", ""},
      {"source", "eleven"},
      {"source", "-"},
      {"ports", "some"},
      {"rule", "by heart"},
      {"rounds", "seven"},
      {"normative", "rounds,colour"},
      {"normative", "rounds<=lb+"},
      {"ts", ""},
  }));
  const std::string wrong = text;
  CHECK_THROWS_AS(step(with(kTorus, column, wrong)), std::invalid_argument);
  for (const char* rule : {"fast", "farthest with faults", "seed, hop counter, twice"}) {
    CHECK_THROWS_AS(step({{"algorithm", "dimension-order"}, {"network", "M(3)"}, {"rule", rule}}),
                    std::invalid_argument);
  }
}

TEST_CASE("a rule with a word that is not understood is no instance", "[conformance]") {
  CHECK_THROWS_AS(step(with(kFlooding, "rule", "quiescent after 4 with losses")),
                  std::invalid_argument);
  CHECK_THROWS_AS(step(with(kTorus, "rule", kTorus.at("rule") + ", twice")), std::invalid_argument);
}

TEST_CASE("the two rules for stopping in time make the same row", "[conformance]") {
  const std::string stop = GENERATE("", ",hop counter", ",source address");
  CHECK(passes({{"algorithm", "dimension-order"},
                {"network", "T(4,4)"},
                {"ports", "1"},
                {"rule", "seed" + stop},
                {"rounds", "5"},
                {"new_per_round", "1;2;4;4;4"},
                {"normative", "rounds,new"}}));
}

TEST_CASE("every level computes such rows and refuses the instances to be refused",
          "[conformance]") {
  CHECK(collective_row(row(kTorus), Level::kNetwork).kind == Verdict::Kind::kPassed);
  const Columns slower = with(kTorus, "time", "1");
  CHECK(collective_row(row(slower), Level::kNetwork).kind == Verdict::Kind::kFailed);
  const Columns nowhere = with(with(kTorus, "source", "60"), "normative", "reject");
  CHECK(collective_row(row(nowhere), Level::kNetwork).kind == Verdict::Kind::kPassed);
  CHECK(collective_row(row(kTorus), Level::kBoth).kind == Verdict::Kind::kPassed);
  CHECK(collective_row(row(kTorus), Level::kRtl).kind == Verdict::Kind::kPassed);
}
