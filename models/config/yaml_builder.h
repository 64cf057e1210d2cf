// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "config/yaml.h"

namespace flitcast {

/// The mark, counted from 1.
Place place_of(const YAML::Mark& mark, const YamlSource& source);

/// Builds a YamlValue from the parser's events. The parser's own node graph would accept duplicate
/// keys silently and share aliased nodes, even in circles.
class YamlBuilder : public YAML::EventHandler {
 public:
  /// Both must outlive the builder.
  YamlBuilder(const YamlSource& source, std::vector<Problem>& problems)
      : source_(source), problems_(problems) {}

  /// The document, or nothing when there was none.
  YamlValue take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { close(); }

 private:
  /// A value together with what a copy of it costs.
  struct Sized {
    YamlValue value;
    std::size_t count = 1;   ///< Values in it, itself included.
    std::size_t levels = 0;  ///< Of lists and maps.
  };

  /// A list or map that is being read.
  struct Open {
    Sized sized;
    YAML::anchor_t anchor = 0;
    bool has_key = false;  ///< In a map: the key has come, its value has not.
    bool drop = false;     ///< The key was a fault: its value goes nowhere.
    YamlEntry entry{};
    std::map<std::string, Place> keys{};  ///< Of a map, so far.
  };

  YamlValue value(YamlValue::Kind kind, const YAML::Mark& mark) const;
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const;
  void open(YamlValue::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor);
  void close();
  void finish(Sized sized, YAML::anchor_t anchor);
  void put(Sized sized);
  std::string full_name_of(const YamlValue& key) const;
  void put_key(Open& map, const YamlValue& key);
  /// Counts a value that begins here; throws when the document grows too large or too deep.
  void charge(const Place& place, const Sized& sized);

  const YamlSource& source_;
  std::vector<Problem>& problems_;
  YamlValue root_;
  bool started_ = false;
  std::size_t count_ = 0;  ///< Values so far, copies included.
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Sized> anchors_;
};

}  // namespace flitcast
