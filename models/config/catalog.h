// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "config/configuration.h"
#include "config/param.h"

namespace flitcast {

struct FitContext;  // Defined in network/router_entry.h.

/// Throws ConfigError with everything in the rest of an experiment that an entry does not support.
using Fit = void (*)(const FitContext& context);

/// The keys of an entry. Keys that come from another catalog are given as a function, because that
/// catalog may grow.
class Keys {
 public:
  Keys() = default;
  Keys(std::initializer_list<Param> keys) : keys_(keys) {}
  Keys(std::vector<Param> keys) : keys_(std::move(keys)) {}  // NOLINT(google-explicit-constructor)
  Keys(std::vector<Param> (*make)()) : make_(make) {}        // NOLINT(google-explicit-constructor)

  std::vector<Param> operator()() const { return make_ == nullptr ? keys_ : make_(); }

 private:
  std::vector<Param> keys_;
  std::vector<Param> (*make_)() = nullptr;
};

/// An entry that a user can choose by name: the keys that it reads and the function that makes the
/// object. A module whose entries have more members derives its entry from the same first three
/// members.
template <class Maker>
struct CatalogEntry {
  std::string name;
  std::string summary;  ///< One line for `flitcast list`.
  Keys params;          ///< Keys that apply while this entry is chosen.
  Maker make;
  /// YAML sections, without the key that names the entry, from which the contract tests make it. If
  /// there are none, the tests use a section without keys.
  std::vector<std::string> examples{};
  Fit fit = nullptr;  ///< Null: the entry works with everything.
};

/// A list of entries with distinct names, in the order in which they were added. A program may add
/// entries before it reads a configuration. Entries keep their addresses once they are added.
template <class Entry>
class Catalog {
 public:
  Catalog(std::initializer_list<Entry> entries) {
    for (const Entry& entry : entries) add(entry);
  }

  /// Throws std::invalid_argument if the entry has no name or a name that is in use.
  void add(Entry entry) {
    if (entry.name.empty() || find(entry.name) != nullptr) {
      throw std::invalid_argument("the catalog has an entry named \"" + entry.name + "\" already");
    }
    entries_.push_back(std::move(entry));
  }

  /// The entry with that name, or null.
  const Entry* find(const std::string& name) const {
    return first_where(entries_, [&](const Entry& entry) { return entry.name == name; });
  }

  /// The entry at an index, from 0.
  const Entry& operator[](std::size_t place) const { return entries_[place]; }
  std::size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  std::deque<Entry> entries_;
};

/// The catalog of the entries of several files, in this order.
template <class Entry>
Catalog<Entry> catalog_of(const std::vector<std::vector<Entry>>& files) {
  Catalog<Entry> catalog{};
  for (const std::vector<Entry>& entries : files) {
    for (const Entry& entry : entries) catalog.add(entry);
  }
  return catalog;
}

/// The entry with that name, or null.
template <class Entry>
const Entry* find(const Catalog<Entry>& catalog, const std::string& name) {
  return catalog.find(name);
}

/// The names of the entries for which a condition holds.
template <class Entries, class Condition>
std::vector<std::string> names_where(const Entries& entries, Condition&& condition) {
  return mapped<std::string>(filtered(entries, condition),
                             [](const auto& entry) { return entry.name; });
}

/// `params` as keys that apply only while `key` is `value`, in addition to their own conditions.
inline std::vector<Param> only_while(const std::string& key, const std::string& value,
                                     std::vector<Param> params) {
  for (Param& param : params) {
    param.when.all.insert(param.when.all.begin(), Param::Condition{key, {value}});
  }
  return params;
}

/// The keys of a catalog: `choice` with the names of the entries, then the keys that the entries
/// read.
template <class Entry>
std::vector<Param> catalog_params(Param choice, const Catalog<Entry>& catalog) {
  append(choice.choices, mapped(catalog, &Entry::name));
  std::vector<Param> params{choice};
  for (const auto& entry : catalog) {
    append(params, only_while(choice.key, entry.name, entry.params()));
  }
  return params;
}

/// The section that results when a user writes an example of the entry: every key that the example
/// leaves out has its default.
/// Throws ConfigError if the entry's table refuses the example.
/// @param key   The key that names the entry: "topology.kind".
/// @param file  The configuration file, to which paths in keys are relative.
template <class Entry>
Section example_of(const Entry& entry, const std::string& key, const std::string& example,
                   const std::string& file = "example.yaml") {
  const std::string section = key.substr(0, key.find('.'));
  const std::string choice = key.substr(section.size() + 1);
  const std::string text = choice + ": " + entry.name + (example.empty() ? "" : ", ") + example;
  const Catalog<Entry> alone{entry};
  return read_section(section, catalog_params(Param::choice(choice, ""), alone), "{" + text + "}",
                      file);
}

/// A maker that passes its arguments to the constructor of `Made`.
template <class Made>
struct Makes {
  template <class Base, class... Arguments>
  using Maker = std::unique_ptr<Base> (*)(Arguments...);

  template <class Base, class... Arguments>
  operator Maker<Base, Arguments...>() const {  // NOLINT(google-explicit-constructor)
    return [](Arguments... arguments) -> std::unique_ptr<Base> {
      return std::make_unique<Made>(arguments...);
    };
  }
};
template <class Made>
constexpr Makes<Made> makes() {
  return {};
}

}  // namespace flitcast
