// SPDX-License-Identifier: Apache-2.0
// flitcast claims from the user's side: arguments in; text, JSON, tables, pages and exit codes out.
#include <nlohmann/json.hpp>
#include <string>

#include "../sim/folder.h"
#include "../sim/program.h"
#include "support/test_catch.h"

namespace program = flitcast::program;
using nlohmann::json;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Returns the page about a statement, by default at the example of the document.
std::string page_of(const std::string& statement, const std::string& values = "") {
  const program::Folder folder;
  const program::Outcome outcome =
      program::run(folder.path(), {"claims", statement, "--set", values, "--report", "page.html"});
  CHECK(outcome.exit_code == 0);
  return folder.read("page.html");
}

/// Returns how many lines and nodes of a page have a colour of drawings.
struct Drawn {
  std::size_t lines;
  std::size_t nodes;
};

Drawn drawn_in(const std::string& colour, const std::string& page) {
  Drawn drawn{};
  const std::string stroke = "stroke=\"" + colour + "\"/>";
  for (std::size_t at = page.find(stroke); at != page.npos; at = page.find(stroke, at + 1)) {
    ++(page.compare(page.rfind('<', at), 5, "<line") == 0 ? drawn.lines : drawn.nodes);
  }
  return drawn;
}

// The sizes of a torus on which Theorem 3 of gossiping errs.
constexpr const char* kErring = "n1=6,n2=3,n3=9";

// The colours of drawings, in their order.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7"};

}  // namespace

TEST_CASE("claims lists statements by document and section", "[claims]") {
  const program::Folder folder;
  const program::Outcome listed = program::run(folder.path(), {"claims"});
  CHECK(listed.exit_code == 0);
  CHECK(contains(listed.out, "001 Gossiping Large Packets on Full-Port Tori, 33 statements"));
  CHECK(contains(listed.out, "  2 Optimal-Time Algorithms\n"));
  CHECK(contains(listed.out, "    gossip.theorem_1\n"));
}

TEST_CASE("a claim as JSON has parameters, figures, bound, printed number and verdict",
          "[claims]") {
  const program::Folder folder;
  const program::Outcome outcome = program::run(
      folder.path(), {"claims", "gossip.theorem_3", "--set", "n1=6,n2=3,n3=9", "--json", "-"});
  CHECK(outcome.exit_code == 0);
  const json claim = json::parse(outcome.out);
  CHECK(claim.at("id") == "gossip.theorem_3");
  CHECK(claim.at("parameters").at("sizes") == json({6, 3, 9}));
  CHECK(claim.at("figures").at("rounds") == 41);
  CHECK(claim.at("bound").at("rounds") == 41.5);
  CHECK(claim.at("printed").at("second_term") == 9);
  CHECK(claim.at("outcome") == "the page errs");
  CHECK(claim.at("as_expected") == true);
}

TEST_CASE("what a page prints stands apart from what a statement is held against", "[claims]") {
  const program::Folder folder;
  const json claim = json::parse(
      program::run(folder.path(), {"claims", "gossip.theorem_3", "--set", kErring, "--json", "-"})
          .out);
  const json& printed = claim.at("printed");
  REQUIRE(printed.size() == 1);
  CHECK(claim.at("bound").at("second_term") == claim.at("figures").at("second_term"));
  CHECK(printed.at("second_term") != claim.at("figures").at("second_term"));  // The page errs.
}

TEST_CASE("a claim shows the figures that its formulas name, and not those within longer names",
          "[claims]") {
  const program::Folder folder;
  const program::Outcome outcome =
      program::run(folder.path(), {"claims", "broadcast.sbt.one_port"});
  CHECK(contains(outcome.out, " lower_bound = 4: met"));  // By the formula, n.
  CHECK(contains(outcome.out, "  lower_bound  "));
  CHECK_FALSE(contains(outcome.out, "  bound  "));
}

TEST_CASE("up to eight statements whose names begin as an unknown one are named", "[claims]") {
  const program::Folder folder;
  const auto said = [&](const std::string& id) {
    return program::run(folder.path(), {"claims", id}).err;
  };
  const std::string listed = program::run(folder.path(), {"claims"}).out;
  REQUIRE(count(listed, "    broadcast.lower_bounds.") == 8);
  CHECK(count(said("broadcast.lower_bounds"), "broadcast.lower_bounds.") == 8);
  REQUIRE(count(listed, "    broadcast.") > 8);
  CHECK(said("broadcast") == "claims: no statement \"broadcast\"; flitcast claims lists them\n");
}

TEST_CASE("unknown statements and bad parameters are refused, all at once", "[claims]") {
  const program::Folder folder;
  const program::Outcome ids =
      program::run(folder.path(), {"claims", "gossip.theorem_7", "wombat"});
  CHECK(ids.exit_code == 2);
  CHECK(contains(ids.err, "no statement \"gossip.theorem_7\"; write gossip.theorem_"));
  CHECK(contains(ids.err, "no statement \"wombat\""));
  const program::Outcome parameters =
      program::run(folder.path(), {"claims", "gossip.theorem_2", "--set", "n1=2,colour=3"});
  CHECK(parameters.exit_code == 2);
  CHECK(contains(parameters.err, "gossip.theorem_2 sizes: 2 is too small"));
  CHECK(contains(parameters.err, "gossip.theorem_2 colour: unknown key"));
  const program::Outcome condition =
      program::run(folder.path(), {"claims", "gossip.rule.odd", "--set", "T(5,4)"});
  CHECK(condition.exit_code == 2);
  CHECK(contains(condition.err, "choose them so that even(n1)"));
  CHECK(contains(condition.err, "choose them so that odd(n2)"));
}

TEST_CASE("a table is answered row by row, and says which rows are refused", "[claims]") {
  const program::Folder folder;
  folder.write("rows.csv", "row,id,parameters\n7,gossip.separation_2,\"T(6,7)\"\n8,wombat,n=3\n");
  const program::Outcome outcome = program::run(folder.path(), {"claims", "--table", "rows.csv"});
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.out,
                 "row,id,parameters,figures,bound,verdict,outcome\n7,gossip.separation_2,"));
  CHECK(contains(outcome.out, "separation 8,separations 8; separation 8,holds with equality"));
  CHECK(contains(outcome.out, "\n8,wombat,n=3,,,"));
  CHECK(contains(outcome.out, ",refused\n"));
}

TEST_CASE("a row of a table that is refused is not forgotten over those that follow", "[claims]") {
  const program::Folder folder;
  folder.write("rows.csv", "row,id,parameters\n8,wombat,n=3\n7,gossip.separation_2,\"T(6,7)\"\n");
  CHECK(program::run(folder.path(), {"claims", "--table", "rows.csv"}).exit_code == 2);
}

TEST_CASE("barriers run on a network of up to 16 ranks", "[claims]") {
  const program::Folder folder;
  const auto has_cycles = [&](const std::string& ranks) {
    const program::Outcome outcome = program::run(
        folder.path(), {"claims", "collective.barrier", "--set", "p=" + ranks, "--json", "-"});
    return json::parse(outcome.out).at("figures").contains("cycles");
  };
  CHECK(has_cycles("16"));
  CHECK_FALSE(has_cycles("17"));
}

TEST_CASE("a page marks where the documents err, and which numbers are theirs", "[claims]") {
  const std::string errs = page_of("gossip.theorem_3", kErring);
  CHECK(contains(errs, "<article id=\"gossip.theorem_3\" class=\"errs\">"));
  CHECK(contains(errs, "<td>the page's; not met</td>"));
  CHECK(contains(errs, "<td>met</td>"));
  const std::string holds = page_of("gossip.theorem_1");
  CHECK(contains(holds, "<article id=\"gossip.theorem_1\" class=\"\">"));
  CHECK_FALSE(contains(holds, "the page's; "));
}

TEST_CASE("a drawing of a Clos network has the links of either stage in a colour", "[claims]") {
  const std::string page = page_of("clos.structure");  // v(5, 3, 4).
  CHECK(drawn_in(kColours[0], page).lines == 4 * 5);
  CHECK(drawn_in(kColours[1], page).lines == 5 * 4);
}

TEST_CASE("a drawing of a cube has the links between its halves in a colour of their own",
          "[claims]") {
  const std::string page = page_of("hypercube.construction");  // 16 nodes.
  CHECK(drawn_in(kColours[0], page).lines == 2 * 2 * 12);      // Both ways of two cubes of 8 nodes.
  CHECK(drawn_in(kColours[1], page).lines == 2 * 8);
}

TEST_CASE("two routes that meet are drawn in three colours, the third where they share a link",
          "[claims]") {
  // From 1000 by 1100 and 1110 to 1111, and from 0000 by 1000 and 1100 to 1110.
  const std::string page = page_of("hypercube.meet_once", "n=4");
  CHECK(drawn_in(kColours[0], page).lines == 1);
  CHECK(drawn_in(kColours[1], page).lines == 1);
  CHECK(drawn_in(kColours[2], page).lines == 2);
}

TEST_CASE("a node of a drawn broadcast has the colour of the line that informs it", "[claims]") {
  const std::string page = page_of("broadcast.lower_bounds.oab");  // 4 dimensions, one a round.
  const std::size_t of_round[] = {4, 6, 4, 1};                     // Nodes by their distance.
  for (std::size_t round = 0; round < 4; ++round) {
    const Drawn drawn = drawn_in(kColours[round], page);
    INFO("round " << round + 1);
    CHECK(drawn.lines == of_round[round]);
    CHECK(drawn.nodes == of_round[round]);
  }
}

TEST_CASE("the page has every statement of a document, with drawings of trails", "[claims]") {
  const program::Folder folder;
  const program::Outcome outcome =
      program::run(folder.path(), {"claims", "001", "--report", "page.html"});
  CHECK(outcome.exit_code == 0);
  const std::string page = folder.read("page.html");
  CHECK(contains(page, "33 of 33 verdicts are those of the catalog"));
  CHECK(contains(page, "<article id=\"gossip.theorem_4\""));
  CHECK(contains(page, "<title>2 trails on torus 4x5</title>"));
}
