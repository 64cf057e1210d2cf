// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/problem.h"
#include "config/units.h"

namespace flitcast {

struct YamlValue;

/// The largest seed: 2^53 - 1, which every JSON reader preserves.
inline constexpr std::uint64_t kLargestSeed = 9007199254740991;

/// How a key says again what a key of the scale says.
struct ScaleRule {
  const char* source = "";  ///< The key of the scale.
  /// The key's default under a scale; absent if the scale does not say it.
  std::optional<double> (*value)(const Scale& scale) = nullptr;
  int side = 0;  ///< Values that agree with it: -1 up to it, 0 only it, 1 from it on.
};
/// Rules of a frequency in MHz, and of the data of a flit: its bytes, or the bits of all of it.
extern const ScaleRule kClockInMhz;
extern const ScaleRule kFlitBytes;
extern const ScaleRule kFlitBits;

/// One key of one section of the configuration. The keys are defined only in the table of all
/// params, which validation, JSON Schema and the parameter list read.
struct Param {
  enum class Type {
    kBoolean,
    kInteger,
    kNumber,
    kText,
    kChoice,           ///< One of `choices`.
    kChoiceOrInteger,  ///< One of `choices`, or an integer.
    kIntegers,         ///< A list of integers; a single integer is a list of one.
    kNumbers,          ///< A list of numbers; a single number is a list of one.
    kTexts,            ///< A list of texts; a single text is a list of one.
    kVariant,          ///< One of `choices`, or a Variant with numbers.
    kSections,         ///< A list of maps, each a section of `members`.
    kSection,          ///< A map, a section of `members`.
    kNamedSections,    ///< A map from names that the user gives to sections of `members`.
  };

  /// Holds while `key` of the same section applies and is one of `values`, where true and 3 are
  /// written "true" and "3".
  struct Condition {
    std::string key;
    std::vector<std::string> values;

    friend bool operator==(const Condition& a, const Condition& b) {
      return a.key == b.key && a.values == b.values;
    }
  };

  /// The conditions that must all hold for the key to apply; without conditions it always applies.
  struct Conditions {
    Conditions() = default;
    Conditions(std::string key, std::vector<std::string> values)
        : all{{std::move(key), std::move(values)}} {}

    std::vector<Condition> all;
  };

  // These functions make keys, which are required unless defaults_to() follows:
  // Param::integer("latency", "cycles", "Flight of a flit.", 1, 4095).defaults_to(1).
  static Param boolean(std::string key, bool fallback, std::string help) {
    return {std::move(key), Type::kBoolean, fallback, "", std::move(help)};
  }
  static Param integer(std::string key, std::string unit, std::string help, double least,
                       double most = std::numeric_limits<double>::infinity()) {
    return {std::move(key), Type::kInteger, nullptr, std::move(unit), std::move(help), least, most};
  }
  static Param number(std::string key, std::string unit, std::string help, double least,
                      double most = std::numeric_limits<double>::infinity()) {
    return {std::move(key), Type::kNumber, nullptr, std::move(unit), std::move(help), least, most};
  }
  static Param integers(std::string key, std::string unit, std::string help, double least,
                        double most = std::numeric_limits<double>::infinity()) {
    return {std::move(key),  Type::kIntegers, nullptr, std::move(unit),
            std::move(help), least,           most};
  }
  static Param numbers(std::string key, std::string unit, std::string help, double least,
                       double most = std::numeric_limits<double>::infinity()) {
    return {std::move(key), Type::kNumbers, nullptr, std::move(unit), std::move(help), least, most};
  }
  static Param text(std::string key, std::string help) {
    return {std::move(key), Type::kText, nullptr, "", std::move(help)};
  }
  static Param texts(std::string key, std::string help) {
    return {std::move(key), Type::kTexts, nullptr, "", std::move(help)};
  }
  /// The path of a file that the program reads; Section::path() defines the folder to which it is
  /// relative.
  static Param file(std::string key, std::string help) {
    Param param = text(std::move(key), std::move(help));
    param.is_file = true;
    return param;
  }
  /// A key with one of `choices`; its default is the first choice, if there are any.
  static Param choice(std::string key, std::string help, std::vector<std::string> choices = {});
  /// A key with one of `choices` or an integer; its default is the first choice.
  static Param choice_or_integer(std::string key, std::string unit, std::string help,
                                 std::vector<std::string> choices, double least, double most);
  /// A required key with one of `choices`, {name: integer} for a `counted` name, or {name: list of
  /// integers} for an `enumerated` name. For the first enumerated name the list alone is enough.
  static Param variant(std::string key, std::string help, std::vector<std::string> choices,
                       std::vector<std::string> counted, std::vector<std::string> enumerated,
                       double least, double most);
  /// A list of sections, which Section::sections() reads. Its default is an empty list.
  static Param sections(std::string key, std::string help, std::vector<Param> members);
  /// A required map, which Section::section() reads; its keys can be swept.
  static Param section(std::string key, std::string help, std::vector<Param> members);
  /// A map of such sections by name, which Section::sections() reads in the order of the file;
  /// their keys can be swept. Its default is an empty map.
  static Param named_sections(std::string key, std::string help, std::vector<Param> members);
  Param defaults_to(nlohmann::json value) && {
    fallback = std::move(value);
    return std::move(*this);
  }
  /// The key may be absent, and then has no value; see Section::has().
  Param or_absent() && {
    may_be_absent = true;
    return std::move(*this);
  }
  /// The dumped configuration and its hash omit the key while it has its default.
  Param dumped_if_changed() && {
    default_dumped = false;
    return std::move(*this);
  }
  /// An integer whose default follows from the scale, and whose other values must agree with it.
  Param follows(ScaleRule rule) && {
    scale_rule = rule;
    return std::move(*this);
  }

  std::string key;  ///< Name within its section; a dot opens a nested map: "pipeline.route".
  Type type = Type::kInteger;
  nlohmann::json fallback{};  ///< Value when the key is absent; null: see is_required().
  /// "flits", "cycles"; empty for none. A unit that units_of() knows lets numbers have other units.
  std::string unit{};
  std::string help{};  ///< One sentence.
  /// Smallest number; for lists, of each element.
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();  ///< Largest number.
  std::vector<std::string> choices{};
  std::vector<std::string> counted{};     ///< Names of a variant with an integer from 0.
  std::vector<std::string> enumerated{};  ///< Names of a variant with a list of integers.
  std::vector<Param> members{};  ///< The keys of a section, or of each section of a list or map.
  Conditions when{};
  bool is_file = false;  ///< True if the text is the path of a file that is read.
  /// For a file: its path may also name a folder, or a common prefix, of files with this ending.
  std::string parts{};
  bool may_be_absent = false;
  /// False: the key changes no result, so the dumped configuration and its hash omit it.
  bool dumped = true;
  /// False: the dumped configuration and its hash omit the key while it has its default, so that
  /// results from before the key was added keep their ids.
  bool default_dumped = true;
  ScaleRule scale_rule{};

  bool is_required() const { return fallback.is_null() && !may_be_absent; }
};

/// The scale under which a document is read, and the problems and notes of its values.
struct Reading {
  /// Absent if a key of the scale is faulty: values with units are then not checked.
  std::optional<Scale> scale = Scale{};
  std::vector<Problem> problems{};
  /// Values that were rounded, one note each.
  std::vector<Problem> notes{};
};

/// A value as conditions and lists write it: mesh, true, 3; for a variant its name; for sections []
/// if there are none and [...] otherwise.
std::string spelled(const nlohmann::json& value);

/// Describes the allowed values, for messages and lists: "an integer from 1 to 32", "one of mesh,
/// torus".
std::string expectation(const Param& param);

/// The value in the type that the table requires: integers as 64-bit integers, numbers as finite
/// doubles, lists as lists. Returns null, and adds a problem for each fault, for other values.
/// Numbers may have units, see convert(); integers are then rounded up, with a note.
///
/// Integers are plain decimal digits and booleans `true` or `false`. Other spellings that YAML
/// dialects accept (1e3, 1_000, 0x10, 010, yes, on) are refused, because readers disagree on them.
///
/// @param name      The full dotted name, for problems.
/// @param variants  All parameters of the key, for choices that are valid under other conditions.
nlohmann::json read_value(const YamlValue& written, const Param& param, const std::string& name,
                          Reading& reading, const std::vector<const Param*>& variants = {});

}  // namespace flitcast
