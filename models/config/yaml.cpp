// SPDX-License-Identifier: Apache-2.0
#include "config/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <sstream>
#include <utility>

#include "config/wording.h"

namespace flitcast {
namespace {

using Kind = YamlValue::Kind;

/// yaml-cpp takes byte 4 for the end of the text, so control characters must not reach it.
bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

Place place_of(const std::string& text, std::string::const_iterator at, const YamlSource& source) {
  if (!source.numbered) return {source.name, 0, 0};
  const auto line = std::count(text.begin(), at, '\n');
  const auto start = std::find(std::make_reverse_iterator(at), text.rend(), '\n').base();
  return {source.name, static_cast<int>(line) + 1, static_cast<int>(at - start) + 1};
}

/// Converts a mark of the parser to a place that counts from 1.
Place place_of(const YAML::Mark& mark, const YamlSource& source) {
  if (!source.numbered || mark.is_null()) return {source.name, 0, 0};
  return {source.name, mark.line + 1, mark.column + 1};
}

void check_bytes(const std::string& text, const YamlSource& source) {
  const auto control = std::find_if(text.begin(), text.end(), is_control);
  if (control != text.end()) {
    fail(place_of(text, control, source),
         "control character " + std::to_string(static_cast<int>(*control)),
         "remove it; the file must be plain text in UTF-8");
  }
  if (!is_utf8(text)) fail({source.name, 0, 0}, "is not UTF-8", "save it as plain text in UTF-8");
}

/// Builds a YamlValue from the parser's events. The parser's own node graph would accept duplicate
/// keys silently and share aliased nodes, even in cycles.
class YamlBuilder : public YAML::EventHandler {
 public:
  /// Both arguments must outlive the builder.
  YamlBuilder(const YamlSource& source, std::vector<Problem>& problems)
      : source_(source), problems_(problems) {}

  /// The document; absent if there was none.
  YamlValue take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (started_) {
      fail(place_of(mark, source_), "a second document", "keep one document in a file");
    }
    started_ = true;
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    open(Kind::kNothing, mark, anchor, "");
    close();
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      fail(place_of(mark, source_), "an alias inside the value that it names",
           "name a value that ends before");
    }
    charge(place_of(mark, source_), found->second);
    put(found->second);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    open(Kind::kScalar, mark, anchor, tag);
    // yaml-cpp turns the escapes \_ and \N into bytes that are not UTF-8.
    if (!is_utf8(text)) {
      fail(place_of(mark, source_), "the escape \\_ or \\N", "write \\u00a0 or \\u0085");
    }
    open_.back().sized.value.text = text;
    open_.back().sized.value.quoted = tag == "!";
    close();
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Kind::kList, mark, anchor, tag);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Kind::kMap, mark, anchor, tag);
  }
  void OnMapEnd() override { close(); }

 private:
  // Bounds for hostile input: a few nested aliases can name billions of values, and values are
  // destroyed by recursion.
  static constexpr std::size_t kMostLevels = 64;
  static constexpr std::size_t kMostValues = 1'000'000;

  /// A value with the cost of copying it.
  struct Sized {
    YamlValue value{};
    std::size_t count = 1;   ///< Number of values in it, including itself.
    std::size_t levels = 0;  ///< Depth of nested lists and maps.
  };

  /// A value that is being read.
  struct Open {
    Sized sized;
    YAML::anchor_t anchor = 0;
    bool has_key = false;  ///< The map has a key whose value has not arrived.
    bool drop = false;     ///< The key was faulty, so its value is dropped.
    YamlEntry entry{};
    std::map<std::string, Place> keys{};  ///< Keys of the map so far.
  };

  /// The parser marks plain values with "?" or nothing and quoted ones with "!".
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    fail(place_of(mark, source_), "the tag " + quoted(tag),
         "leave tags out; every key has its type");
  }

  void open(Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor, const std::string& tag) {
    refuse_tag(mark, tag);
    Open opened{{}, anchor};
    opened.sized.value.kind = kind;
    opened.sized.value.place = place_of(mark, source_);
    opened.sized.levels = kind == Kind::kList || kind == Kind::kMap ? 1 : 0;
    charge(opened.sized.value.place, opened.sized);
    open_.push_back(std::move(opened));
  }

  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    if (closed.anchor != 0) anchors_[closed.anchor] = closed.sized;
    put(std::move(closed.sized));
  }

  void put(Sized sized) {
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

  /// The name with the keys of the enclosing maps.
  std::string full_name_of(const YamlValue& key) const {
    std::string name;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      if (open_[i].has_key) name += printable(open_[i].entry.key) + ".";
    }
    return key.text.empty() ? "" : name + printable(key.text);
  }

  void put_key(Open& map, const YamlValue& key) {
    const auto refuse = [&](std::string what, std::string hint) {
      problems_.push_back({key.place, full_name_of(key), std::move(what), std::move(hint)});
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

  /// Counts a value that begins here; throws when the document grows too large or too deep.
  void charge(const Place& place, const Sized& sized) {
    if (open_.size() + sized.levels > kMostLevels) {
      fail(place, "nested more than " + std::to_string(kMostLevels) + " levels deep",
           "no key needs more than a few");
    }
    count_ += sized.count;
    if (count_ > kMostValues) {
      fail(place, "more than " + std::to_string(kMostValues) + " values", "use fewer");
    }
  }

  const YamlSource& source_;
  std::vector<Problem>& problems_;
  YamlValue root_;
  bool started_ = false;
  std::size_t count_ = 0;  ///< Number of values so far, copies included.
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Sized> anchors_;
};

}  // namespace

YamlValue parse_yaml(const std::string& text, const YamlSource& source,
                     std::vector<Problem>& problems) {
  check_bytes(text, source);
  std::istringstream input(text);
  YamlBuilder builder(source, problems);
  try {
    YAML::Parser parser(input);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    fail(place_of(error.mark, source), printable(error.msg),
         "correct the YAML syntax here or just before; indent with blanks, not tabs");
  }
  return builder.take();
}

}  // namespace flitcast
