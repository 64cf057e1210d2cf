// SPDX-License-Identifier: Apache-2.0
// flitcast-conform: recomputes tables of expected values and prints the differences.
// Exit codes: 0 nothing failed and nothing was unknown, 1 otherwise, 2 bad usage or an unreadable
// table.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <systemc>

#include "conformance/controllers_rtl.h"
#include "conformance/csv.h"
#include "conformance/formats.h"
#include "conformance/reference_routings.h"
#include "conformance/runner.h"

namespace {

using namespace flitcast::conformance;

Table read_file(const std::string& name) {
  std::ifstream in(name);
  if (!in) throw InputError(name + ": cannot be opened; give the path of a table");
  return read_table(in, name, table_formats());
}

// Reads all tables first, so that an error in the last name shows at once.
int conform(const Runner::Options& options, const std::vector<std::string>& files) {
  if (options.level == Level::kRtl) require_rtl();
  std::vector<Table> tables;
  for (const std::string& file : files) tables.push_back(read_file(file));
  Runner runner(options, std::cout, std::cerr);
  for (const Table& table : tables) runner.run(table);
  return runner.finish();
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  add_reference_routings();
  CLI::App app("Recomputes tables of expected values; prints each value that differs.",
               "flitcast-conform");
  Runner::Options options;
  std::vector<std::string> files;
  const std::map<std::string, Level> levels{{"step", Level::kStep},
                                            {"network", Level::kNetwork},
                                            {"both", Level::kBoth},
                                            {"rtl", Level::kRtl}};
  app.add_option("--level", options.level,
                 "Level of the computation: step, network, both (default) or rtl")
      ->transform(CLI::CheckedTransformer(levels))
      ->option_text("LEVEL");
  app.add_option("--only", options.only, "Take only rows whose id or instance contains this")
      ->option_text("SUBSTRING");
  app.add_option("FILE.csv", files, "Tables with one of the specification's four headers")
      ->required();
  try {
    app.parse(argc, argv);
    return conform(options, files);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const InputError& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
