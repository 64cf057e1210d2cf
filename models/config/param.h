// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace flitcast {

struct Problem;
struct YamlValue;

/// One key of one section of the configuration. The table of all of them is the only place that
/// knows the keys: validation, JSON Schema and the parameter list are read from it.
struct Param {
  enum class Type {
    kBoolean,
    kInteger,
    kNumber,
    kText,
    kChoice,           ///< One of `choices`.
    kChoiceOrInteger,  ///< One of `choices`, or an integer.
    kIntegers,         ///< A list of integers; a single one stands for a list of one.
    kNumbers,          ///< A list of numbers; a single one stands for a list of one.
    kTexts,            ///< A list of texts; a single one stands for a list of one.
    kVariant,          ///< One of `choices`, or a Variant with numbers.
    kSections,         ///< A list of maps, each a section of `members`.
  };

  /// Holds while `key` of the same section applies and is one of `values`; true and 3 are written
  /// "true" and "3".
  struct Condition {
    std::string key;
    std::vector<std::string> values;

    friend bool operator==(const Condition& a, const Condition& b) {
      return a.key == b.key && a.values == b.values;
    }
  };

  /// All of them must hold for the key to be meaningful; none: it always is.
  struct Conditions {
    Conditions() = default;
    Conditions(std::string key, std::vector<std::string> values)
        : all{{std::move(key), std::move(values)}} {}

    std::vector<Condition> all;
  };

  // Makers of keys, required unless defaults_to() follows:
  // Param::integer("latency", "cycles", "Flight of a flit.", 1, 4095).defaults_to(1).
  static Param boolean(std::string key, bool fallback, std::string help);
  static Param integer(std::string key, std::string unit, std::string help, double least,
                       double most = std::numeric_limits<double>::infinity());
  static Param number(std::string key, std::string unit, std::string help, double least,
                      double most = std::numeric_limits<double>::infinity());
  static Param integers(std::string key, std::string unit, std::string help, double least,
                        double most = std::numeric_limits<double>::infinity());
  static Param numbers(std::string key, std::string unit, std::string help, double least,
                       double most = std::numeric_limits<double>::infinity());
  static Param text(std::string key, std::string help);
  static Param texts(std::string key, std::string help);
  /// The path of a file that the program reads; Section::path() says where it starts.
  static Param file(std::string key, std::string help);
  /// Its default is the first of the choices, if there are any.
  static Param choice(std::string key, std::string help, std::vector<std::string> choices = {});
  /// Its default is the first of the choices.
  static Param choice_or_integer(std::string key, std::string unit, std::string help,
                                 std::vector<std::string> choices, double least, double most);
  /// One of `choices`; {name: integer} for a name that is `counted`; {name: list of integers} for
  /// one that is `enumerated`, the first of which may be left out around its list. Required.
  static Param variant(std::string key, std::string help, std::vector<std::string> choices,
                       std::vector<std::string> counted, std::vector<std::string> enumerated,
                       double least, double most);
  /// Section::sections() reads it. Its default is an empty list.
  static Param sections(std::string key, std::string help, std::vector<Param> members);
  Param defaults_to(nlohmann::json value) &&;
  /// The dumped configuration and its hash leave the key out while it has its default.
  Param dumped_if_changed() &&;
  /// `key` is a former name of this key.
  Param formerly(std::string key) &&;
  /// Former names of choices, and their present ones.
  Param formerly_choosing(std::map<std::string, std::string> names) &&;

  std::string key;  ///< Within its section; a dot opens a nested map: "pipeline.route".
  Type type = Type::kInteger;
  nlohmann::json fallback{};  ///< Value when the key is absent; null: the key is required.
  std::string unit{};         ///< "flits", "cycles"; empty for none.
  std::string help{};         ///< One sentence.
  double least =
      -std::numeric_limits<double>::infinity();           ///< Smallest number, of each element too.
  double most = std::numeric_limits<double>::infinity();  ///< Largest number.
  std::vector<std::string> choices{};
  std::vector<std::string> counted{};     ///< Names of a variant with an integer from 0.
  std::vector<std::string> enumerated{};  ///< Names of a variant with a list of integers.
  std::vector<Param> members{};           ///< The keys of each section of a list.
  Conditions when{};
  bool is_file = false;  ///< The text is the path of a file that is read.
  /// For a file: its path may name a folder, or a beginning of names, of files with this ending.
  std::string parts{};
  bool dumped = true;  ///< False: it changes no result, so the dumped configuration and its
                       ///< hash leave it out.
  /// False: they leave it out while it has its default, so that results from before the key was
  /// added keep their ids.
  bool default_dumped = true;
  /// Files may still use these names; see use_present_names().
  std::vector<std::string> former_keys{};
  std::map<std::string, std::string> former_choices{};  ///< Former name -> present name.
};

/// A value as conditions and lists spell it: mesh, true, 3; of a variant its name; of sections []
/// for none of them and [...] for some.
std::string spelled(const nlohmann::json& value);

/// What a value must be, for messages and lists: "an integer from 1 to 32", "one of mesh, torus".
std::string expectation(const Param& param);

/// The value in the type that the table promises: integers as 64-bit integers, numbers as finite
/// doubles, lists as lists. Null, and a problem for each fault, when it is not such a value.
///
/// Integers are plain decimal digits and booleans `true` or `false`; other spellings that YAML
/// dialects know (1e3, 1_000, 0x10, 010, yes, on) are refused, because readers disagree on them.
///
/// @param name      Full dotted name, for problems.
/// @param variants  All parameters of the key, whose choices are right under other conditions.
nlohmann::json read_value(const YamlValue& written, const Param& param, const std::string& name,
                          std::vector<Problem>& problems,
                          const std::vector<const Param*>& variants = {});

}  // namespace flitcast
