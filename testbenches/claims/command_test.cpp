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
