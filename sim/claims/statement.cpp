// SPDX-License-Identifier: Apache-2.0
#include "sim/claims/statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "collective/precondition.h"
#include "config/configuration.h"
#include "config/wording.h"
#include "sim/claims/trials.h"

namespace flitcast::claims {

const char* to_text(Outcome outcome) {
  constexpr std::array<const char*, 7> kOutcomes{
      "holds with equality",    "holds", "the page errs", "not shown", "open",
      "definition with checks", "fails"};
  return kOutcomes[static_cast<std::size_t>(outcome)];
}

bool Statement::expects(Outcome found) const {
  const std::string equality = to_text(Outcome::kEquality);
  const bool names_equality = verdict.find(equality) != verdict.npos;
  if (found == Outcome::kEquality && names_equality) return true;
  if (found == Outcome::kEquality) found = Outcome::kHolds;
  // "holds" counts only where it stands by itself.
  return all_replaced(verdict, equality, "").find(to_text(found)) != verdict.npos;
}

bool Comparison::met() const {
  if (relation == "=") return are_equal(found, stated);
  return relation == "<=" ? at_most(found, stated) : at_most(stated, found);
}

ordered_json Finding::shown() const {
  ordered_json shown = ordered_json::object();
  for (const auto& [name, value] : figures.values.items()) {
    const bool is_set = name.front() == '{';  // No formula can name a figure such as {1,4}.
    const auto names_it = [&name = name](const std::string& text) {
      return std::regex_search(text, std::regex("\\b" + name + "\\b"));
    };
    for (const auto* texts :
         {&statement.derived, &statement.compares, &statement.shows, &statement.prints}) {
      if (is_set || any_of(*texts, names_it)) shown[name] = value;
    }
  }
  return shown;
}

std::string Finding::verdict() const {
  if (as_expected()) return statement.verdict;
  std::vector<std::string> unmet;
  for (const Comparison& one : comparisons) {
    if (one.met() || one.printed) continue;
    unmet.push_back(fmt::format("{} is {}, not {} {}", one.figure, value_text(one.found),
                                one.relation, value_text(one.stated)));
  }
  if (unmet.empty()) unmet.push_back(fmt::format("the outcome is \"{}\"", to_text(outcome)));
  return fmt::format("fails: {}", fmt::join(unmet, "; "));
}

ConfigError about(const Statement& statement, std::vector<Problem> problems) {
  for (Problem& problem : problems) {
    const std::size_t dot = problem.key.find('.');
    const bool has_key = dot != std::string::npos;
    problem.place = {};
    problem.key = statement.id + (has_key ? " " + problem.key.substr(dot + 1) : "");
  }
  return ConfigError(std::move(problems));
}

namespace {

/// Adds n1, n2, ..., d and P of the sizes of a network.
void add_sizes(const std::vector<std::int64_t>& sizes, Values& values) {
  std::int64_t nodes = 1;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    values["n" + std::to_string(s + 1)] = sizes[s];
    nodes *= sizes[s];
  }
  values["d"] = sizes.size();
  values["P"] = nodes;
}

/// The values that formulas may name: figures and parameters; for given sizes n1, n2, ..., d and P;
/// for a mesh or a torus the same, its sizes and its kind.
Values values_in(const Section& parameters, const ordered_json& figures) {
  Values values;
  if (parameters.has("network")) {
    const ordered_json topology = topology_section(parameters.text("network"), "network");
    values["kind"] = topology.at("kind");
    if (topology.contains("sizes") && topology["sizes"].is_array()) {
      values["sizes"] = topology["sizes"];
      add_sizes(topology["sizes"].get<std::vector<std::int64_t>>(), values);
    }
  }
  const ordered_json given = parameters.effective();
  for (const auto& [name, value] : given.items()) values[name] = value;
  if (parameters.has("sizes")) add_sizes(parameters.integers("sizes"), values);
  for (const auto& [name, value] : figures.items()) values[name] = value;
  return values;
}

/// "figure <= formula", with the relation that stands first outside of brackets.
Comparison comparison_of(const std::string& text, const Values& values) {
  const std::size_t sign = text.find_first_of("<>=");
  if (sign == std::string::npos) throw std::invalid_argument("\"" + text + "\" compares nothing");
  const std::size_t length = text[sign] == '=' ? 1 : 2;
  Comparison comparison{text.substr(0, text.find_last_not_of(' ', sign - 1) + 1),
                        text.substr(sign, length), nullptr, nullptr};
  comparison.found = evaluate(comparison.figure, values);
  comparison.stated = evaluate(text.substr(sign + length), values);
  return comparison;
}

/// The outcome that the entry gives for these parameters instead of "holds"; absent: none.
std::optional<Outcome> given_outcome(const Statement& statement, const Values& values) {
  if (statement.outcome.empty()) return std::nullopt;
  for (const Outcome given : {Outcome::kNotShown, Outcome::kOpen, Outcome::kDefinition}) {
    if (statement.outcome != to_text(given)) continue;
    return is_true(evaluate(statement.outcome_when, values)) ? std::optional(given) : std::nullopt;
  }
  throw std::logic_error(statement.id + " has the outcome " + statement.outcome);
}

Outcome outcome_of(const std::vector<Comparison>& comparisons, std::optional<Outcome> given) {
  if (given == Outcome::kNotShown) return *given;
  Outcome outcome = Outcome::kEquality;
  for (const Comparison& one : comparisons) {
    if (!one.met() && !one.printed) return Outcome::kFails;
    if (outcome == Outcome::kPageErrs || are_equal(one.found, one.stated)) continue;
    outcome = one.met() ? Outcome::kHolds : Outcome::kPageErrs;
  }
  return given.value_or(outcome);
}

void require_needs(const Statement& statement, const Values& values) {
  ProblemList problems;
  for (const auto* needs : {&statement.machine.needs, &statement.needs}) {
    for (const std::string& need : *needs) {
      if (is_true(evaluate(need, values))) continue;
      problems.add({{}, "", "does not apply to these parameters", "choose them so that " + need});
    }
  }
  problems.throw_if_any();
}

Finding found(const Statement& statement, Section parameters) {
  Finding finding{statement, std::move(parameters), {}, {}};
  try {
    require_needs(statement, values_in(finding.parameters, ordered_json::object()));
    finding.figures = statement.machine.make(finding.parameters);
  } catch (const PreconditionError& error) {
    throw ConfigError(Problem{{}, "", error.reason(), error.hint()});
  } catch (const std::invalid_argument& error) {
    throw ConfigError(Problem{{}, "", error.what(), "choose other parameters"});
  }
  ordered_json& figures = finding.figures.values;
  for (const std::string& text : statement.derived) {
    const std::size_t sign = text.find(" = ");
    figures[text.substr(0, sign)] =
        evaluate(text.substr(sign + 3), values_in(finding.parameters, figures));
  }
  const Values values = values_in(finding.parameters, figures);
  finding.comparisons = mapped(
      statement.compares, [&](const std::string& text) { return comparison_of(text, values); });
  for (const std::string& text : statement.prints) {
    finding.comparisons.push_back(comparison_of(text, values));
    finding.comparisons.back().printed = true;
  }
  finding.outcome = outcome_of(finding.comparisons, given_outcome(statement, values));
  return finding;
}

}  // namespace

Finding find(const Statement& statement, Section parameters) {
  try {
    return found(statement, std::move(parameters));
  } catch (const ConfigError& error) {
    throw about(statement, error.problems());
  }
}

ordered_json stated_values(const Finding& finding, bool printed) {
  ordered_json values = ordered_json::object();
  for (const Comparison& one : finding.comparisons) {
    if (one.printed == printed) values[one.figure] = one.stated;
  }
  return values;
}

ordered_json to_json(const Finding& finding) {
  const Statement& statement = finding.statement;
  ordered_json json{{"id", statement.id},
                    {"section", statement.section},
                    {"statement", statement.text},
                    {"formula", statement.formula},
                    {"evidence", statement.evidence},
                    {"parameters", finding.parameters.effective()},
                    {"figures", finding.figures.values},
                    {"bound", stated_values(finding, false)}};
  if (!statement.prints.empty()) json["printed"] = stated_values(finding, true);
  json["verdict"] = finding.verdict();
  json["outcome"] = to_text(finding.outcome);
  json["as_expected"] = finding.as_expected();
  return json;
}

std::string value_text(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_float()) return fmt::format("{:.7g}", value.get<double>());
  if (!value.is_array()) return value.dump();
  const bool nested = !value.empty() && value[0].is_array();
  return joined(mapped(value, value_text), nested ? " | " : " ");
}

std::string values_text(const ordered_json& values) {
  std::vector<std::string> items;
  for (const auto& [name, value] : values.items()) items.push_back(name + " " + value_text(value));
  return joined(items, "; ");
}

// Defined in the files of the machines.
FigureMakers broadcast_makers();
FigureMakers wormhole_makers();
FigureMakers gossip_makers();
FigureMakers hypercube_makers();
FigureMakers mesh_makers();
FigureMakers sorting_makers();
FigureMakers clos_makers();
FigureMakers theorem_makers();
FigureMakers control_makers();
FigureMakers necessity_makers();
FigureMakers multirate_makers();
FigureMakers off_line_makers();
FigureMakers family_makers();
FigureMakers state_makers();

namespace {

const FigureMakers& figure_makers() {
  static const FigureMakers makers = [] {
    FigureMakers all;
    for (FigureMakers (*const of_file)() :
         {broadcast_makers, wormhole_makers, gossip_makers, hypercube_makers, mesh_makers,
          sorting_makers, clos_makers, theorem_makers, control_makers, necessity_makers,
          multirate_makers, off_line_makers, family_makers, state_makers}) {
      all.merge(of_file());
    }
    return all;
  }();
  return makers;
}

/// The keys of a file of the catalog.
std::vector<Param> catalog_keys() {
  const auto text = [](const char* key) { return Param::text(key, "").defaults_to(""); };
  const auto texts = [](const char* key) {
    return Param::texts(key, "").defaults_to(nlohmann::json::array());
  };
  return {Param::text("number", ""), Param::text("title", ""),
          Param::named_sections(
              "keys", "",
              {text("key"), texts("choices"), text("unit"), text("help"), text("values"),
               Param::choice("type", "", {"integer", "integers", "text", "texts", "boolean"})}),
          Param::named_sections("machines", "",
                                {text("by"), text("does"), texts("keys"), texts("needs")}),
          Param::sections(
              "statements", "",
              {Param::text("id", ""), Param::text("section", ""), Param::text("text", ""),
               text("formula"), text("page"), Param::text("evidence", ""),
               Param::text("verdict", ""), Param::text("machine", ""), text("example"),
               texts("needs"), texts("derived"), texts("compares"), texts("shows"), texts("prints"),
               text("outcome"), Param::text("outcome_when", "").defaults_to("1")})};
}

/// The value of a name that the catalog uses.
template <class Value>
const Value& named(const std::map<std::string, Value>& all, const std::string& name) {
  const auto found = all.find(name);
  if (found == all.end()) throw std::logic_error("the catalog has no \"" + name + "\"");
  return found->second;
}

/// Reads the values of a key: "1..12 = 3", its range and its usual value, which may be missing.
void read_values(const std::string& text, Param& param) {
  static const std::regex kForm(R"((?:(\S+)\.\.(\S*))? *(?:= ?(.*))?)");
  std::smatch parts;
  if (!std::regex_match(text, parts, kForm)) throw std::logic_error("\"" + text + "\" is no range");
  if (parts[1].matched) param.least = std::stod(parts[1]);
  if (parts[2].length() > 0) param.most = std::stod(parts[2]);
  if (!parts[3].matched) return;
  const bool is_text = param.type == Param::Type::kText;
  param.fallback = is_text ? nlohmann::json(parts[3]) : nlohmann::json::parse(parts[3].str());
}

Param key_of(const Section& entry) {
  static const std::map<std::string, Param::Type> kTypes{{"integer", Param::Type::kInteger},
                                                         {"integers", Param::Type::kIntegers},
                                                         {"text", Param::Type::kText},
                                                         {"texts", Param::Type::kTexts},
                                                         {"boolean", Param::Type::kBoolean}};
  const std::string key = entry.given("key") ? entry.text("key") : entry.own_name();
  const std::vector<std::string> choices = entry.texts("choices");
  if (!choices.empty()) return Param::choice(key, entry.text("help"), choices);
  Param param{key, named(kTypes, entry.text("type")), nullptr, entry.text("unit"),
              entry.text("help")};
  read_values(entry.text("values"), param);
  return param;
}

/// The machines of a document, by name. They name keys, some with values of their own: "n 1..12".
std::map<std::string, Machine> machines_of(const Section& document) {
  std::map<std::string, Param> keys;
  for (const Section& entry : document.sections("keys")) keys[entry.own_name()] = key_of(entry);
  std::map<std::string, Machine> machines;
  for (const Section& entry : document.sections("machines")) {
    Machine& machine = machines[entry.own_name()];
    machine.make = named(figure_makers(), entry.given("by") ? entry.text("by") : entry.own_name());
    machine.needs = entry.texts("needs");
    for (const std::string& text : entry.texts("keys")) {
      const std::size_t end = std::min(text.find(' '), text.size());
      machine.keys.push_back(named(keys, text.substr(0, end)));
      read_values(text.substr(std::min(end + 1, text.size())), machine.keys.back());
    }
  }
  return machines;
}

Statement statement_of(const Section& entry, const std::map<std::string, Machine>& machines) {
  Statement statement{entry.text("id"),       entry.text("section"),
                      entry.text("text"),     entry.text("formula"),
                      entry.text("page"),     entry.text("evidence"),
                      entry.text("verdict"),  named(machines, entry.text("machine")),
                      entry.text("example"),  entry.texts("needs"),
                      entry.texts("derived"), entry.texts("compares"),
                      entry.texts("shows"),   entry.texts("prints"),
                      entry.text("outcome"),  entry.text("outcome_when")};
  if (statement.formula.empty()) {
    statement.formula = joined(statement.compares, "; ");
  }
  return statement;
}

Document document_of(const char* text) {
  const Schema schema(
      {Param::text("name", "").defaults_to(""), Param::integer("seed", "", "", 0).defaults_to(1)},
      {{"document", "", catalog_keys()}});
  const Section file = validate(parse_document(text, "catalog"), schema).section("document");
  const std::map<std::string, Machine> machines = machines_of(file);
  return {file.text("number"), file.text("title"),
          mapped(file.sections("statements"),
                 [&](const Section& entry) { return statement_of(entry, machines); })};
}

}  // namespace

const std::vector<Document>& documents() {
  static const std::vector<Document> documents{
      document_of(kStatements000), document_of(kStatements001), document_of(kStatements002),
      document_of(kStatements003), document_of(kStatements004)};
  return documents;
}

const Statement* find_statement(const std::string& id) {
  for (const Document& document : documents()) {
    for (const Statement& statement : document.statements) {
      if (statement.id == id) return &statement;
    }
  }
  return nullptr;
}

}  // namespace flitcast::claims
