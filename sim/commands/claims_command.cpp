// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "base/sequences.h"
#include "config/csv.h"
#include "config/wording.h"
#include "sim/claims/statement.h"
#include "sim/commands/command.h"
#include "sim/host/output_file.h"
#include "sim/results/result.h"

namespace flitcast {

namespace {

using claims::Statement;

struct ClaimsOptions {
  std::vector<std::string> ids;
  std::optional<std::int64_t> n;
  std::vector<std::string> values;
  bool all = false;
  std::string json;    ///< File for the findings; "-": standard output.
  std::string table;   ///< File with rows of row, id, parameters.
  std::string report;  ///< File for a page about the findings.
};

int print_list() {
  std::string text;
  for (const claims::Document& document : claims::documents()) {
    text += fmt::format("{} {}, {} statements\n", document.number, document.title,
                        document.statements.size());
    std::string section;
    for (const Statement& one : document.statements) {
      if (section != one.section) text += "  " + one.section + "\n";
      section = one.section;
      text += fmt::format("    {}\n{}", one.id, wrapped(one.text, 8));
    }
  }
  std::cout << text << "flitcast claims ID shows one at the example of the page.\n";
  return kDone;
}

[[noreturn]] void fail_unknown(const std::string& id) {
  const auto ids = concatenated(claims::documents(), [](const claims::Document& document) {
    return mapped(document.statements, &Statement::id);
  });
  auto alike =
      filtered(ids, [&](const std::string& one) { return one.compare(0, id.size(), id) == 0; });
  const std::string near = closest(id, ids);
  if (alike.empty() && !near.empty()) alike = {near};
  constexpr std::size_t kShown = 8;
  const bool few = !alike.empty() && alike.size() <= kShown;
  fail_option("claims", "no statement " + quoted(id),
              few ? "write " + either(alike) : "flitcast claims lists them");
}

const Statement& statement_named(const std::string& id) {
  const Statement* statement = claims::find_statement(id);
  if (statement == nullptr) fail_unknown(id);
  return *statement;
}

/// The statements that the options name: ids, and the numbers of documents. Throws ConfigError with
/// every unknown name.
std::vector<const Statement*> selected(const ClaimsOptions& options) {
  std::vector<const Statement*> statements;
  for (const claims::Document& document : claims::documents()) {
    const bool named = options.all || options.ids.empty() || contains(options.ids, document.number);
    for (const Statement& one : document.statements) {
      if (named) statements.push_back(&one);
    }
  }
  ProblemList problems;
  for (const std::string& id : options.ids) {
    if (id.find_first_not_of("0123456789") == std::string::npos && !statements.empty()) continue;
    problems.attempt([&] { statements.push_back(&statement_named(id)); });
  }
  problems.throw_if_any();
  return statements;
}

std::string line(const char* label, const std::string& text) {
  return text.empty() ? "" : fmt::format("  {:<12} {}\n", label, text);
}

/// The text of a finding, a line for each figure with its comparisons.
std::string text_of(const claims::Finding& finding) {
  const Statement& statement = finding.statement;
  std::string text = statement.id + "\n" + wrapped(statement.text, 2);
  text += line("section", statement.section) + line("formula", statement.formula);
  text += line("parameters", claims::values_text(finding.parameters.effective()));
  text += line("page", statement.page) + line("shown by", statement.evidence);
  const ordered_json shown = finding.shown();
  for (const auto& [name, value] : shown.items()) {
    text += line("", fmt::format("{:<20} {}", name, claims::value_text(value)));
  }
  for (const claims::Comparison& one : finding.comparisons) {
    text += line(one.printed ? "page says" : "compared",
                 fmt::format("{} {} {}: {}", one.figure, one.relation,
                             claims::value_text(one.stated), one.met() ? "met" : "not met"));
  }
  text += line("here", to_text(finding.outcome));
  return text + line("verdict", finding.verdict());
}

int exit_code_for(bool as_expected) { return as_expected ? kDone : kBrokenInvariant; }

int show(const ClaimsOptions& options) {
  const std::vector<const Statement*> statements = selected(options);
  std::string values = options.n ? fmt::format("n={}", *options.n) : "";
  for (const std::string& value : options.values) values += "; " + value;
  ProblemList problems;
  std::vector<Section> parameters;
  for (const Statement* one : statements) {
    problems.attempt([&] { parameters.push_back(claims::parameters_of(*one, values)); });
  }
  problems.throw_if_any();
  std::vector<Output> outputs;
  if (!options.json.empty() && options.json != "-") outputs.push_back({"--json", options.json});
  if (!options.report.empty()) outputs.push_back({"--report", options.report});
  require_writable(outputs, {});
  bool as_expected = true;
  std::vector<claims::Finding> findings;
  for (std::size_t s = 0; s < statements.size(); ++s) {
    findings.push_back(claims::find(*statements[s], std::move(parameters[s])));
    as_expected &= findings.back().as_expected();
    if (options.json != "-") std::cout << text_of(findings.back()) << std::flush;
  }
  const ordered_json result = mapped(findings, claims::to_json);
  const std::string json = (result.size() == 1 ? result[0] : result).dump(2) + "\n";
  std::vector<WholeFile> files;
  if (options.json == "-") std::cout << json;
  if (!options.json.empty() && options.json != "-") files.push_back({options.json, json});
  if (!options.report.empty()) files.push_back({options.report, claims::page_of(findings)});
  write_files(files);
  return exit_code_for(as_expected);
}

/// The cells of a row of the table: those of the file, then the finding or the reason why there is
/// none.
/// @param exit_code  Raised by rows that were refused or are not as the catalog says.
std::vector<std::string> answered(std::vector<std::string> cells, int& exit_code) {
  cells.resize(3);
  try {
    const Statement& statement = statement_named(cells[1]);
    const claims::Finding finding =
        claims::find(statement, claims::parameters_of(statement, cells[2]));
    exit_code = std::max(exit_code, exit_code_for(finding.as_expected()));
    cells.insert(cells.end(), {claims::values_text(finding.figures.values),
                               claims::values_text(stated_values(finding, false)),
                               finding.verdict(), to_text(finding.outcome)});
  } catch (const ConfigError& error) {
    exit_code = kBadInput;
    cells.insert(cells.end(), {"", "", error.what(), "refused"});
  }
  return cells;
}

/// Prints the findings for the rows of a table as CSV.
int answer(const std::string& file) {
  std::ifstream in(file);
  if (!in) fail_option("--table", "cannot read " + quoted(file), "name a CSV file");
  int exit_code = kDone;
  std::cout << "row,id,parameters,figures,bound,verdict,outcome\n";
  for (const CsvRecord& record : read_csv(in, file)) {
    if (record.fields[0] == "row") continue;
    const std::vector<std::string> cells = mapped(
        answered(record.fields, exit_code), [](const std::string& cell) { return csv_cell(cell); });
    std::cout << fmt::format("{}\n", fmt::join(cells, ",")) << std::flush;
  }
  return exit_code;
}

int claims_command_of(const ClaimsOptions& options) {
  if (!options.table.empty()) return answer(options.table);
  if (options.ids.empty() && !options.all && options.report.empty()) return print_list();
  return show(options);
}

void add_claims_options(CLI::App& app, ClaimsOptions& options) {
  app.add_option("ID", options.ids, "Statements, or numbers of documents such as 001");
  app.add_option("--n", options.n, "The parameter n, short for --set n=N")->option_text("N");
  app.add_option("--set", options.values, "Parameters other than those of the page's example")
      ->option_text("KEY=VALUE,...")
      ->allow_extra_args(false);
  app.add_flag("--all", options.all, "All statements");
  add_file(app, "--json", options.json, "File for the findings; - for standard output");
  add_file(app, "--report", options.report, "HTML page about the findings, of all by default");
  add_file(app, "--table", options.table,
           "Answer the rows (row, id, parameters) of a CSV file, as CSV on standard output");
  app.footer(
      "Exit code 0 if every verdict is that of the catalog, 1 if one is not, 2 for unknown "
      "statements and parameters to which a statement does not apply.");
}

}  // namespace

Command claims_command() {
  return {"claims", "Statements of the five documents: their numbers, found again",
          declare<ClaimsOptions, add_claims_options, claims_command_of>};
}

}  // namespace flitcast
