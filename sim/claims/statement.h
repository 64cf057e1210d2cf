// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/figures.h"
#include "config/param.h"
#include "config/problem.h"
#include "config/section.h"

namespace flitcast::claims {

/// The figures that a machine finds for some parameters: numbers, words, truth values or lists of
/// these, by name; and drawings for the report, SVG elements.
struct Figures {
  ordered_json values = ordered_json::object();
  std::vector<std::string> drawings{};

  ordered_json& operator[](const std::string& name) { return values[name]; }
  /// Adds to a figure that counts from 0.
  void add(const std::string& name, std::size_t more) {
    values[name] = values.value(name, std::size_t{0}) + more;
  }
};

/// Finds figures. Throws ConfigError or PreconditionError for parameters to which its statements do
/// not apply.
using FigureMaker = Figures (*)(const Section& parameters);
/// The makers of a file, by the names by which the catalog calls them.
using FigureMakers = std::map<std::string, FigureMaker>;

/// A machine finds the figures of many statements: a schedule on the step machine and the network,
/// an exhaustive search, a bound.
struct Machine {
  FigureMaker make = nullptr;
  std::vector<Param> keys{};         ///< The parameters of its statements.
  std::vector<std::string> needs{};  ///< Conditions on the parameters.
};

/// How a statement fares for one choice of its parameters.
enum class Outcome {
  kEquality,    ///< The statement holds, and every bound is met.
  kHolds,       ///< The statement holds.
  kPageErrs,    ///< A number that the page prints is wrong; what the catalog states instead holds.
  kNotShown,    ///< No computation can show it, or the page leaves the construction open.
  kOpen,        ///< The statement is a conjecture, which nothing refutes here.
  kDefinition,  ///< The statement is a definition, whose checks hold.
  kFails,       ///< The catalog is wrong: its statement does not hold.
};
const char* to_text(Outcome outcome);

// Formulas (formula.cpp).

/// Numbers, truth values, words and lists of them, by name.
using Values = std::map<std::string, ordered_json>;

/// The value of a formula as the catalog writes it: a number, a truth value or a list.
///
///   2*n2 - 2, P/4 + n1/2 + 1, 2^n         numbers, which are doubles; ^ binds strongest
///   n1 >= 3 and even(n2), not a or b      truth values: = <> <= >= < >
///   ports = '1_port'                      words, between quotation marks
///   [P, P], list(i, 1, n, C(n, i))        lists; list and sum bind a name
///   if(odd(P), a, b)                      evaluates one of the two only
///   ceil floor abs sqrt ln even odd       of one number
///   mod min max C log limit               of two; log(b, x) is the least r with b^r >= x;
///                                         limit(events, trials) is the upper 95 % confidence limit
///                                         on the probability of such an event
///   largest smallest total product size   of a list
///   at(l, i)                              element i of a list, from 1
///
/// Throws std::invalid_argument for text that is no formula and for names without a value.
ordered_json evaluate(const std::string& formula, const Values& values);

/// True unless the value is 0 or false.
bool is_true(const ordered_json& value);

/// Compares two values; numbers may differ by one part in 10^9, the error of doubles.
bool are_equal(const ordered_json& one, const ordered_json& other);
bool at_most(const ordered_json& one, const ordered_json& other);

// Statements.

/// A statement of a document, as the catalog (catalog/NNN.yaml) describes it; the manual's
/// guide/statements.md explains the keys.
struct Statement {
  std::string id;  ///< "gossip.theorem_1".
  std::string section;
  std::string text;     ///< The statement in our words.
  std::string formula;  ///< The formula for readers; the comparisons of the statement if the
                        ///< catalog gives none.
  std::string page;     ///< The numbers of the page: "T(4,4): 8"; empty if it has none.
  std::string evidence;
  /// The verdict over all parameters. It begins with an outcome and names every other outcome that
  /// may occur: "holds with equality; for odd P it holds with a step to spare".
  std::string verdict;
  Machine machine;
  std::string example;               ///< The parameters of the page's example.
  std::vector<std::string> needs;    ///< Conditions on the parameters, beside those of the machine.
  std::vector<std::string> derived;  ///< Further figures: "second_term = P/2 - 1".
  std::vector<std::string> compares;  ///< True comparisons: "rounds <= ceil(P/2)".
  std::vector<std::string> shows;     ///< Names of further figures for a reader.
  std::vector<std::string> prints;    ///< Comparisons that the page prints, where it may err.
  std::string outcome;                ///< An outcome that replaces "holds".
  std::string outcome_when;  ///< The condition on the parameters under which `outcome` applies.

  /// True if the verdict names the outcome.
  bool expects(Outcome outcome) const;
};

/// A document and its statements, in the order of the page.
struct Document {
  std::string number;  ///< "001".
  std::string title;
  std::vector<Statement> statements;
};
const std::vector<Document>& documents();

/// The statement with that id, or null.
const Statement* find_statement(const std::string& id);

/// Reads parameters as a user, or a table of expected values, writes them:
///
///   n=6, seed=2           keys and values; a list is [4, 5], or 4,5 behind its key
///   T(4,5)  M(3,3,4)  Q5  a network, for the key `network`, or `sizes`, or for a cube `n`
///   n1=4, n2=5            the sizes of the statement's network one by one
///   v(5,3,4)              the keys m, n, r; five numbers are m, n1, r1, n2, r2
///   (n,r) = (2,3)         several keys at once
///   m = r = 3             the same value for several keys
///   (I_1,0.3) = {1,2,4}   a request: the keys input, w (its weight) and I (output switches)
///   theorem 2, all-port   a key and its value, or a choice of a key
///   1000 random requests  a value and its key, of several words or one
///   011 -> 101            the keys from and to
///   5 rows x 7 columns    values before their keys
///   M of the example      what is not given, too, has the value of the example
///   (the figure network)  a remark
///   {"n": 6}              JSON
///
/// Keys that are not given have the values of the example. Throws ConfigError with all problems,
/// and what is possible.
Section parameters_of(const Statement& statement, const std::string& text);

/// The values of several keys that are counts: `const auto [n, r] = counts_in(parameters, "n",
/// "r")`.
template <class... Keys>
std::array<std::size_t, sizeof...(Keys)> counts_in(const Section& parameters, Keys... keys) {
  return {parameters.count(keys)...};
}

/// The error with the name of the statement, and of the parameter, before every problem.
ConfigError about(const Statement& statement, std::vector<Problem> problems);

/// A figure compared with a number that the catalog or the page states.
struct Comparison {
  std::string figure;
  std::string relation;  ///< "=", "<=" or ">=".
  ordered_json found;
  ordered_json stated;
  bool printed = false;  ///< True for a number that the page prints and that may be wrong.

  bool met() const;
};

/// A statement with the figures for some parameters.
struct Finding {
  const Statement& statement;
  Section parameters;
  Figures figures;
  std::vector<Comparison> comparisons;
  Outcome outcome = Outcome::kFails;

  bool as_expected() const { return statement.expects(outcome); }
  /// The figures for a reader: those that the formulas of the statement, or its key `shows`, name.
  ordered_json shown() const;
  /// The verdict of the catalog if the outcome is as expected; otherwise "fails: ...".
  std::string verdict() const;
};

/// Throws ConfigError for parameters to which the statement does not apply.
Finding find(const Statement& statement, Section parameters);

/// A finding for programs:
///
///   id, section, statement, formula, evidence, parameters
///   figures      name -> value that was found
///   bound        name -> value with which it is compared
///   printed      name -> value that the page prints, where it may be wrong
///   verdict      Finding::verdict()
///   outcome      for these parameters: holds with equality, holds, the page errs, ...
///   as_expected  true if the verdict of the catalog names the outcome
ordered_json to_json(const Finding& finding);

/// The values with which figures are compared, by figure.
/// @param printed  True for the values that the page prints and that may be wrong; false for the
/// true ones.
ordered_json stated_values(const Finding& finding, bool printed);

/// A page about findings: the documents in their order, with every finding's sentence, figures,
/// comparisons, verdict and drawings. One HTML file that needs nothing else.
std::string page_of(const std::vector<Finding>& findings);

/// A value as text: "9", "4 20", "2 1 2 1 | 2 1 3 1".
std::string value_text(const ordered_json& value);
/// Values with their names as text: "rounds 9; new 4 20".
std::string values_text(const ordered_json& values);

}  // namespace flitcast::claims

namespace flitcast {
// The files of sim/claims/catalog and page.css, which the build makes part of the program.
extern const char* const kStatementsCss;
extern const char* const kStatements000;
extern const char* const kStatements001;
extern const char* const kStatements002;
extern const char* const kStatements003;
extern const char* const kStatements004;
}  // namespace flitcast
