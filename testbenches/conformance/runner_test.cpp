// SPDX-License-Identifier: Apache-2.0
#include "conformance/runner.h"

#include <sstream>
#include <stdexcept>

#include "support/test_catch.h"

using namespace flitcast::conformance;

namespace {

/// A row passes if its two columns are equal.
Verdict equal(const Row& row, Level) {
  if (row["is"] == "nonsense") throw std::invalid_argument("no such instance");
  if (row["is"] == "crash") throw std::runtime_error("out of cycles");
  if (row["is"] == row["expected"]) return Verdict::of({});
  return Verdict::of({{"value", row["expected"], row["is"]}});
}

/// Every row of a group passes if each of them expects the number of rows in the group.
std::vector<Verdict> counted(const std::vector<Row>& rows, Level) {
  std::vector<Verdict> verdicts;
  for (const Row& row : rows) {
    const std::string size = std::to_string(rows.size());
    verdicts.push_back(row["expected"] == size ? Verdict::of({})
                                               : Verdict::of({{"rows", row["expected"], size}}));
  }
  return verdicts;
}

Verdict at_level(const Row& row, Level level) {
  const bool rtl = level == Level::kRtl;
  return Verdict::of(
      rtl == (row["expected"] == "rtl")
          ? std::vector<Difference>{}
          : std::vector<Difference>{{"level", row["expected"], rtl ? "rtl" : "other"}});
}

const std::vector<TableFormat> kFormats{
    {{"id", "kind", "is", "expected"},
     3,
     "id",
     "kind",
     {{"equal", each<equal>}, {"counted", counted}, {"level", each<at_level>}, {"later"}}}};

struct Outcome {
  int exit_code;
  std::string results;
  std::string notes;
};

Outcome outcome(const std::string& rows, Runner::Options options = {}) {
  std::istringstream in("id,kind,is,expected\n" + rows);
  const Table table = read_table(in, "t.csv", kFormats);
  std::ostringstream results;
  std::ostringstream notes;
  Runner runner(std::move(options), results, notes);
  runner.run(table);
  const int exit_code = runner.finish();
  return {exit_code, results.str(), notes.str()};
}

}  // namespace

TEST_CASE("rows that agree are silent and counted", "[conformance]") {
  const Outcome all = outcome("a,equal,1,1\nb,equal,2,2\n");
  CHECK(all.results == "2 passed, 0 failed, 0 skipped\n");
  CHECK(all.notes.empty());
  CHECK(all.exit_code == 0);
}

TEST_CASE("a row that differs is printed with what, expected and got, and fails the run",
          "[conformance]") {
  const Outcome all = outcome("a,equal,1,1\nb,equal,2,3\n");
  CHECK(all.results == "b equal 2: value: expected 3, got 2\n1 passed, 1 failed, 0 skipped\n");
  CHECK(all.exit_code == 1);
}

TEST_CASE("a category that is not built yet is skipped without failing", "[conformance]") {
  const Outcome all = outcome("a,later,1,1\nb,later,2,3\nc,equal,4,4\n");
  CHECK(all.results == "1 passed, 0 failed, 2 skipped\n");
  CHECK(all.notes == "skipped 2 rows, not built yet: kind later\n");
  CHECK(all.exit_code == 0);
}

TEST_CASE("a category or an instance outside the specification is skipped and fails the run",
          "[conformance]") {
  const std::string row = GENERATE("a,magic,1,1\n", "a,equal,nonsense,1\n");
  const Outcome all = outcome(row + "c,equal,4,4\n");
  CHECK(all.results == "1 passed, 0 failed, 1 skipped\n");
  CHECK_THAT(all.notes, Catch::StartsWith("t.csv:2: a "));
  CHECK(all.exit_code == 1);
}

TEST_CASE("a computation that breaks off fails its row and no other", "[conformance]") {
  const Outcome all = outcome("a,equal,crash,1\nb,equal,2,2\n");
  CHECK(all.results ==
        "a equal crash: computation: expected a result, got out of cycles\n"
        "1 passed, 1 failed, 0 skipped\n");
  CHECK(all.exit_code == 1);
}

TEST_CASE("rows of one group are checked together, wherever they stand", "[conformance]") {
  const Outcome all = outcome("a,counted,x,2\nb,counted,y,1\na,counted,z,2\n");
  CHECK(all.results == "3 passed, 0 failed, 0 skipped\n");
}

TEST_CASE("rows that --only does not name are neither checked nor counted", "[conformance]") {
  Runner::Options options;
  options.only = "b eq";
  CHECK(outcome("a,equal,1,2\nb,equal,2,2\n", options).results ==
        "1 passed, 0 failed, 0 skipped\n");
}

TEST_CASE("checks get the level", "[conformance]") {
  Runner::Options options;
  options.level = Level::kRtl;
  CHECK(outcome("a,level,,rtl\n", options).exit_code == 0);
  CHECK(outcome("a,level,,rtl\n").exit_code == 1);
}
