// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "config/param.h"
#include "config/section.h"

namespace flitcast {

/// Keys of a section that are members of a struct: one line declares a key, documents it, gives its
/// default and reads it. The default is the initial value of the member. All keys are part of
/// Section::effective() unless they have their defaults.
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
          assign([member, key = param.key](const nlohmann::ordered_json& values, Target& target) {
            target.*member = values.value(key, target.*member);
          }) {
      param.fallback = Target{}.*member;
    }

    Param param;
    std::function<void(const nlohmann::ordered_json& values, Target& target)> assign;
  };

  MemberKeys(std::initializer_list<Key> keys) : keys_(keys) {}

  std::vector<Param> params() const { return mapped(keys_, &Key::param); }

  Target read(const Section& section) const {
    Target target{};
    const nlohmann::ordered_json values = section.effective();
    for (const Key& key : keys_) key.assign(values, target);
    return target;
  }

 private:
  std::vector<Key> keys_;
};

}  // namespace flitcast
