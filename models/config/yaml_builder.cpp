// SPDX-License-Identifier: Apache-2.0
#include "config/yaml_builder.h"

#include <algorithm>
#include <utility>

#include "config/wording.h"

namespace flitcast {
namespace {

using Kind = YamlValue::Kind;

// Bounds for hostile input: a few nested aliases can name billions of values, and values are
// destroyed by recursion.
constexpr std::size_t kMostLevels = 64;
constexpr std::size_t kMostValues = 1'000'000;

}  // namespace

Place place_of(const YAML::Mark& mark, const YamlSource& source) {
  if (!source.numbered || mark.is_null()) return {source.name, 0, 0};
  return {source.name, mark.line + 1, mark.column + 1};
}

void YamlBuilder::OnDocumentStart(const YAML::Mark& mark) {
  if (started_) fail(place_of(mark, source_), "a second document", "keep one document in a file");
  started_ = true;
}

void YamlBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  Sized nothing{value(Kind::kNothing, mark)};
  charge(nothing.value.place, nothing);
  finish(std::move(nothing), anchor);
}

void YamlBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) {
    fail(place_of(mark, source_), "an alias inside the value that it names",
         "name a value that ends before");
  }
  charge(place_of(mark, source_), found->second);
  finish(found->second, 0);
}

void YamlBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& text) {
  refuse_tag(mark, tag);
  // yaml-cpp turns the escapes \_ and \N into bytes that are not UTF-8.
  if (!is_utf8(text)) {
    fail(place_of(mark, source_), "the escape \\_ or \\N", "write \\u00a0 or \\u0085");
  }
  Sized scalar{value(Kind::kScalar, mark)};
  scalar.value.text = text;
  scalar.value.quoted = tag == "!";
  charge(scalar.value.place, scalar);
  finish(std::move(scalar), anchor);
}

void YamlBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                                  YAML::anchor_t anchor, YAML::EmitterStyle::value) {
  refuse_tag(mark, tag);
  open(Kind::kList, mark, anchor);
}

void YamlBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value) {
  refuse_tag(mark, tag);
  open(Kind::kMap, mark, anchor);
}

YamlValue YamlBuilder::value(Kind kind, const YAML::Mark& mark) const {
  YamlValue value;
  value.kind = kind;
  value.place = place_of(mark, source_);
  return value;
}

/// The parser marks plain values with "?" or nothing and quoted ones with "!".
void YamlBuilder::refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
  if (tag.empty() || tag == "?" || tag == "!") return;
  fail(place_of(mark, source_), "the tag " + quoted(tag), "leave tags out; every key has its type");
}

void YamlBuilder::open(Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
  Open opened;
  opened.sized.value = value(kind, mark);
  opened.anchor = anchor;
  opened.sized.levels = 1;
  charge(opened.sized.value.place, opened.sized);
  open_.push_back(std::move(opened));
}

void YamlBuilder::close() {
  Open closed = std::move(open_.back());
  open_.pop_back();
  finish(std::move(closed.sized), closed.anchor);
}

void YamlBuilder::finish(Sized sized, YAML::anchor_t anchor) {
  if (anchor != 0) anchors_[anchor] = sized;
  put(std::move(sized));
}

void YamlBuilder::put(Sized sized) {
  if (open_.empty()) {
    root_ = std::move(sized.value);
    return;
  }
  Open& parent = open_.back();
  parent.sized.count += sized.count;
  parent.sized.levels = std::max(parent.sized.levels, sized.levels + 1);
  if (parent.sized.value.kind == Kind::kList) {
    parent.sized.value.items.push_back(std::move(sized.value));
  } else if (!parent.has_key) {
    put_key(parent, sized.value);
  } else {
    parent.has_key = false;
    parent.entry.value = std::move(sized.value);
    if (!parent.drop) parent.sized.value.entries.push_back(std::move(parent.entry));
  }
}

/// With the keys of the maps around it.
std::string YamlBuilder::full_name_of(const YamlValue& key) const {
  std::string name;
  for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
    if (open_[i].has_key) name += printable(open_[i].entry.key) + ".";
  }
  return key.text.empty() ? "" : name + printable(key.text);
}

void YamlBuilder::put_key(Open& map, const YamlValue& key) {
  const auto refuse = [&](std::string what, std::string remedy) {
    problems_.push_back({key.place, full_name_of(key), std::move(what), std::move(remedy)});
    map.drop = true;
  };
  map.has_key = true;
  map.drop = false;
  map.entry = {key.text, key.place, {}};
  if (key.kind != Kind::kScalar) {
    refuse("a key that is not a word", "write `key: value`");
  } else if (key.text == "<<" && !key.quoted) {
    refuse("merge keys are not read", "write the keys out, or name a whole value by an alias");
  } else if (const auto [first, added] = map.keys.emplace(key.text, key.place); !added) {
    const std::string line = std::to_string(first->second.line);
    refuse(first->second.line > 0 ? "comes twice, first in line " + line : "comes twice",
           "keep one of the two");
  }
}

void YamlBuilder::charge(const Place& place, const Sized& sized) {
  if (open_.size() + sized.levels > kMostLevels) {
    fail(place, "nested more than " + std::to_string(kMostLevels) + " levels deep",
         "no key needs more than a few");
  }
  count_ += sized.count;
  if (count_ > kMostValues) {
    fail(place, "more than " + std::to_string(kMostValues) + " values", "use fewer");
  }
}

}  // namespace flitcast
