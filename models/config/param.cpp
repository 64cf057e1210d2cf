// SPDX-License-Identifier: Apache-2.0
#include "config/param.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/sequences.h"
#include "config/wording.h"
#include "config/yaml.h"

namespace flitcast {
namespace {

std::string range(const Param& param) {
  const bool bounded_below = std::isfinite(param.least);
  const bool bounded_above = std::isfinite(param.most);
  if (bounded_below && bounded_above) return fmt::format(" from {} to {}", param.least, param.most);
  if (bounded_below) return fmt::format(", at least {}", param.least);
  if (bounded_above) return fmt::format(", at most {}", param.most);
  return {};
}

// "a, b, {c: integer}, {d: [integers]} or [integers]".
std::string variant_forms(const Param& param) {
  std::vector<std::string> forms = param.choices;
  for (const std::string& name : param.counted) forms.push_back("{" + name + ": integer}");
  for (const std::string& name : param.enumerated) forms.push_back("{" + name + ": [integers]}");
  if (!param.enumerated.empty()) forms.emplace_back("[integers]");
  return either(forms);
}

/// The allowed values in the order of Param::Type; {0} is the range, {1} the choices, {2} the forms
/// of a variant.
constexpr std::array<const char*, 13> kExpectations{"true or false",
                                                    "an integer{0}",
                                                    "a number{0}",
                                                    "text",
                                                    "one of {1}",
                                                    "{1}, or an integer{0}",
                                                    "an integer{0}, or a list of them",
                                                    "a number{0}, or a list of them",
                                                    "text, or a list of it",
                                                    "{2}",
                                                    "a list of maps",
                                                    "a map",
                                                    "a map of maps"};

using nlohmann::json;
using Kind = YamlValue::Kind;

/// Some readers take 010 as eight, others as ten.
bool has_leading_zero(const std::string& text) {
  const std::size_t first = text.compare(0, 1, "-") == 0 ? 1 : 0;
  return text.size() > first + 1 && text[first] == '0' && text[first + 1] >= '0' &&
         text[first + 1] <= '9';
}

bool is_decimal(const std::string& text) {
  const std::size_t first = text.compare(0, 1, "-") == 0 ? 1 : 0;
  return text.size() > first && text.find_first_not_of("0123456789", first) == std::string::npos;
}

bool starts_like_a_number(const std::string& text) {
  const std::size_t first = text.find_first_not_of("+-.");
  return first != std::string::npos && text[first] >= '0' && text[first] <= '9';
}

/// The fault of a value that is not a scalar.
const char* misfit(Kind kind) {
  if (kind == Kind::kNothing) return "has no value";
  return kind == Kind::kList ? "a list does not fit here" : "a map does not fit here";
}

class Reader {
 public:
  Reader(const Param& param, const std::string& name, Reading& reading,
         const std::vector<const Param*>& variants)
      : param_(param), name_(name), reading_(reading), variants_(variants) {}

  json read(const YamlValue& written) const {
    using Type = Param::Type;
    const Type type = param_.type;
    if (type == Type::kVariant) return read_variant(written);
    const bool list = type == Type::kIntegers || type == Type::kNumbers || type == Type::kTexts;
    return list ? read_list(written) : read_one(written);
  }

 private:
  json read_list(const YamlValue& written) const {
    json values = json::array();
    if (written.kind != Kind::kList) {
      json value = read_one(written);
      // Where the default is single, a single value stays one, and is dumped as one.
      if (value.is_null() || param_.fallback.is_number()) return value;
      values.push_back(std::move(value));
      return values;
    }
    bool right = true;
    for (const YamlValue& item : written.items) {
      values.push_back(read_one(item));
      right = right && !values.back().is_null();
    }
    return right ? values : json();
  }

  json read_variant(const YamlValue& written) const {
    if (written.kind == Kind::kScalar) return read_plain_variant(written);
    if (written.kind == Kind::kList && !param_.enumerated.empty()) {
      const json list = read_list(written);
      return list.is_null() ? list : json{{param_.enumerated.front(), list}};
    }
    if (written.kind != Kind::kMap || written.entries.size() != 1) {
      return refuse(written, written.kind == Kind::kMap ? "has not one key" : misfit(written.kind));
    }
    const YamlEntry& entry = written.entries.front();
    const bool is_list = contains(param_.enumerated, entry.key);
    if (!is_list && !contains(param_.counted, entry.key)) return refuse_name(written, entry.key);
    const json numbers = is_list ? read_list(entry.value) : read_count(entry.value);
    return numbers.is_null() ? numbers : json{{entry.key, numbers}};
  }

  json read_plain_variant(const YamlValue& written) const {
    if (contains(param_.counted, written.text)) {
      return refuse(written, printable(written.text) + " needs a number",
                    "write {" + written.text + ": 1}");
    }
    if (contains(param_.enumerated, written.text)) {
      return refuse(written, printable(written.text) + " needs a list",
                    "write {" + written.text + ": [0, 1]}");
    }
    if (contains(param_.choices, written.text)) return written.text;
    return refuse_name(written, written.text);
  }

  json read_count(const YamlValue& written) const {
    json value = written.kind == Kind::kScalar ? read_integer(written)
                                               : refuse(written, misfit(written.kind));
    if (value.is_null() || value.get<std::int64_t>() >= 0) return value;
    return refuse(written, printable(written.text) + " is too small");
  }

  json refuse_name(const YamlValue& written, const std::string& name) const {
    return refuse_name(written, name,
                       concatenated({param_.choices, param_.counted, param_.enumerated}),
                       "Write " + expectation(param_));
  }

  /// @param known  Lists the names, for the hint.
  /// @param conditions  Text on the conditions under which the name is not known; may be empty.
  json refuse_name(const YamlValue& written, const std::string& name,
                   const std::vector<std::string>& names, const std::string& known,
                   const std::string& conditions = "") const {
    const std::string meant = closest(name, names);
    const std::string what = quoted(name) + " is not a choice";
    if (meant.empty()) return refuse(written, what + conditions);
    return refuse(written, what, "did you mean " + meant + "? " + known);
  }

  json read_one(const YamlValue& written) const {
    if (written.kind != Kind::kScalar) return refuse(written, misfit(written.kind));
    using Read = json (Reader::*)(const YamlValue&) const;
    // By Param::Type, up to the types that check_section() reads.
    static constexpr std::array<Read, 10> kReaders{
        &Reader::read_boolean, &Reader::read_integer, &Reader::read_number,
        &Reader::read_text,    &Reader::read_choice,  &Reader::read_choice_or_integer,
        &Reader::read_integer, &Reader::read_number,  &Reader::read_text,
        &Reader::read_integer};
    return (this->*kReaders.at(static_cast<std::size_t>(param_.type)))(written);
  }

  // Refuses control characters, since texts become file names and terminal output.
  json read_text(const YamlValue& written) const {
    if (visible(written.text) == written.text) return written.text;
    return refuse(written, quoted(written.text) + " has a control character", "leave it out");
  }

  json read_boolean(const YamlValue& written) const {
    if (!written.quoted && written.text == "true") return true;
    if (!written.quoted && written.text == "false") return false;
    return refuse(written, quoted(written.text) + " is not true or false");
  }

  json read_integer(const YamlValue& written) const {
    const std::string& text = written.text;
    if (const auto quantity = quantity_of(text)) return read_quantity(written, *quantity, true);
    if (written.quoted) return refuse(written, quoted(text) + " is text because of its quotes");
    if (!is_decimal(text) || has_leading_zero(text)) {
      return refuse(written, starts_like_a_number(text)
                                 ? printable(text) + " is not an integer in plain decimal digits"
                                 : quoted(text) + " is not an integer");
    }
    const auto value = number_in<std::int64_t>(text);
    if (!value) return refuse(written, printable(text) + " does not fit into 64 bits");
    return in_range(written, static_cast<double>(*value)) ? json(*value) : json();
  }

  json read_number(const YamlValue& written) const {
    const std::string& text = written.text;
    if (const auto quantity = quantity_of(text)) return read_quantity(written, *quantity, false);
    if (written.quoted) return refuse(written, quoted(text) + " is text because of its quotes");
    const auto value = number_in<double>(text);
    const bool plain = text.find_first_of("iInNxXpP") == std::string::npos;
    if (!value || !plain || !std::isfinite(*value) || has_leading_zero(text)) {
      return refuse(written, starts_like_a_number(text)
                                 ? printable(text) + " is not a plain decimal number"
                                 : quoted(text) + " is not a number");
    }
    // -0.0 would give the same number another text, and so another hash.
    return in_range(written, *value) ? json(*value == 0.0 ? 0.0 : *value) : json();
  }

  /// A number with a unit, if the key takes any. Quotes are no fault: JSON has no other form.
  std::optional<Quantity> quantity_of(const std::string& text) const {
    if (has_leading_zero(text) || units_of(param_.unit).empty()) return std::nullopt;
    return quantity_in(text);
  }

  json read_quantity(const YamlValue& written, const Quantity& quantity, bool whole) const {
    if (!reading_.scale) return {};
    const Converted exact = convert(quantity, param_.unit, *reading_.scale);
    const std::string text = printable(written.text);
    if (!exact.fault.empty()) return refuse(written, text + " " + exact.fault, exact.hint);
    if (exact.is_inverted && exact.value < 1) {
      return refuse(written, fmt::format("{} is a flit in {} cycles", text, exact.value),
                    "write a lower rate, or use a faster clock or wider flits");
    }
    const double value = whole ? std::ceil(exact.value) : exact.value;
    // Converted to 64 bits below; no key with units has larger values.
    const bool fits = !whole || std::abs(value) < 0x1p62;
    const std::string both = fmt::format("{} ({} {})", text, exact.value, param_.unit);
    if (!fits || !std::isfinite(value)) return refuse(written, both + " is too large");
    if (!in_range(written, value, both)) return {};
    if (!whole) return json(value == 0.0 ? 0.0 : value);
    if (value > exact.value) {
      reading_.notes.push_back(
          {written.place, name_,
           fmt::format("{} is {} {}, rounded up to {}", text, exact.value, param_.unit, value),
           ""});
    }
    return json(static_cast<std::int64_t>(value));
  }

  json read_choice(const YamlValue& written) const {
    const std::vector<std::string>& choices = param_.choices;
    if (contains(choices, written.text)) return written.text;
    return refuse_name(written, written.text, choices,
                       fmt::format("Choices: {}", fmt::join(choices, ", ")),
                       in_these_conditions(written.text));
  }

  json read_choice_or_integer(const YamlValue& written) const {
    return contains(param_.choices, written.text) ? json(written.text) : read_integer(written);
  }

  // " while operation is gossip", if the choice is only valid under other conditions.
  std::string in_these_conditions(const std::string& choice) const {
    std::string words;
    if (none_of(variants_, [&](const Param* other) { return contains(other->choices, choice); })) {
      return words;
    }
    for (const auto& [key, values] : param_.when.all) {
      if (key == "kind" || values.size() > 2) continue;  // Long lists would obscure the hint.
      words += fmt::format("{} {} is {}", words.empty() ? " while" : " and", key,
                           fmt::join(values, " or "));
    }
    return words;
  }

  bool in_range(const YamlValue& written, double value) const {
    return in_range(written, value, printable(written.text));
  }

  bool in_range(const YamlValue& written, double value, const std::string& text) const {
    if (value >= param_.least && value <= param_.most) return true;
    refuse(written, text + (value < param_.least ? " is too small" : " is too large"));
    return false;
  }

  json refuse(const YamlValue& written, const std::string& what) const {
    return refuse(written, what, "write " + expectation(param_));
  }

  json refuse(const YamlValue& written, const std::string& what, const std::string& hint) const {
    reading_.problems.push_back({written.place, name_, what, hint});
    return {};
  }

  const Param& param_;
  const std::string& name_;
  Reading& reading_;
  const std::vector<const Param*>& variants_;
};

}  // namespace

Param Param::choice(std::string key, std::string help, std::vector<std::string> choices) {
  Param param{std::move(key), Type::kChoice, nullptr, "", std::move(help)};
  if (!choices.empty()) param.fallback = choices.front();
  param.choices = std::move(choices);
  return param;
}

Param Param::choice_or_integer(std::string key, std::string unit, std::string help,
                               std::vector<std::string> choices, double least, double most) {
  Param param = integer(std::move(key), std::move(unit), std::move(help), least, most);
  param.type = Type::kChoiceOrInteger;
  param.fallback = choices.front();
  param.choices = std::move(choices);
  return param;
}

Param Param::variant(std::string key, std::string help, std::vector<std::string> choices,
                     std::vector<std::string> counted, std::vector<std::string> enumerated,
                     double least, double most) {
  Param param{std::move(key), Type::kVariant, nullptr, "", std::move(help), least, most};
  param.choices = std::move(choices);
  param.counted = std::move(counted);
  param.enumerated = std::move(enumerated);
  return param;
}

namespace {

Param with_members(std::string key, Param::Type type, json fallback, std::string help,
                   std::vector<Param> members) {
  Param param{std::move(key), type, std::move(fallback), "", std::move(help)};
  param.members = std::move(members);
  return param;
}

}  // namespace

Param Param::sections(std::string key, std::string help, std::vector<Param> members) {
  return with_members(std::move(key), Type::kSections, json::array(), std::move(help),
                      std::move(members));
}

Param Param::section(std::string key, std::string help, std::vector<Param> members) {
  return with_members(std::move(key), Type::kSection, nullptr, std::move(help), std::move(members));
}

Param Param::named_sections(std::string key, std::string help, std::vector<Param> members) {
  return with_members(std::move(key), Type::kNamedSections, json::object(), std::move(help),
                      std::move(members));
}

const ScaleRule kClockInMhz{"clock", [](const Scale& scale) {
                              return scale.clock_ghz ? std::optional(*scale.clock_ghz * 1000)
                                                     : std::nullopt;
                            }};
const ScaleRule kFlitBytes{
    "flit_width",
    [](const Scale& scale) {
      return scale.flit_bits ? std::optional(std::floor(*scale.flit_bits / 8)) : std::nullopt;
    },
    -1};
const ScaleRule kFlitBits{"flit_width", [](const Scale& scale) { return scale.flit_bits; }, 1};

std::string spelled(const nlohmann::json& value) {
  if (value.is_object() && !value.empty() && value.front().is_object()) return "{...}";
  if (value.is_object() && value.size() == 1) return value.begin().key();
  if (value.is_array() && !value.empty() && value.front().is_object()) return "[...]";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string expectation(const Param& param) {
  if (param.is_file) return "the path of a file";
  const bool has_one = param.type == Param::Type::kChoice && param.choices.size() == 1;
  const char* const text = has_one ? "{1}" : kExpectations[static_cast<std::size_t>(param.type)];
  return fmt::format(fmt::runtime(text), range(param), joined(param.choices), variant_forms(param));
}

json read_value(const YamlValue& written, const Param& param, const std::string& name,
                Reading& reading, const std::vector<const Param*>& variants) {
  return Reader(param, name, reading, variants).read(written);
}

}  // namespace flitcast
