// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "config/param.h"
#include "config/section.h"

namespace flitcast {

/// Keys of a section that are members of a struct: one line declares a key, documents it, gives its
/// default and reads it. The default is the initial value of the member.
///
///   const MemberKeys<Plan> keys{{&Plan::warmup, Param::integer("warmup", "cycles", "...", 0)}};
///   Plan plan = keys.read(configuration.section("measure"));
template <class Target>
class MemberKeys {
 public:
  struct Key {
    template <class Value>
    Key(Value Target::*member, Param declared)
        : param(std::move(declared)),
          assign([member, key = param.key](const Section& section, Target& target) {
            target.*member = read<Value>(section, key);
          }) {
      param.fallback = Target{}.*member;
    }

    Param param;
    std::function<void(const Section& section, Target& target)> assign;
  };

  MemberKeys(std::initializer_list<Key> keys) : keys_(keys) {}

  std::vector<Param> params() const { return mapped(keys_, &Key::param); }

  Target read(const Section& section) const {
    Target target{};
    for (const Key& key : keys_) key.assign(section, target);
    return target;
  }

 private:
  template <class Value>
  static Value read(const Section& section, const std::string& key) {
    if constexpr (std::is_same_v<Value, bool>) {
      return section.boolean(key);
    } else if constexpr (std::is_floating_point_v<Value>) {
      return section.number(key);
    } else if constexpr (std::is_integral_v<Value>) {
      return static_cast<Value>(section.integer(key));
    } else {
      return section.text(key);
    }
  }

  std::vector<Key> keys_;
};

}  // namespace flitcast
