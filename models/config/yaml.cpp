// SPDX-License-Identifier: Apache-2.0
#include "config/yaml.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "config/wording.h"
#include "config/yaml_builder.h"

namespace flitcast {
namespace {

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

void check_bytes(const std::string& text, const YamlSource& source) {
  const auto control = std::find_if(text.begin(), text.end(), is_control);
  if (control != text.end()) {
    fail(place_of(text, control, source),
         "control character " + std::to_string(static_cast<int>(*control)),
         "remove it; the file must be plain text in UTF-8");
  }
  if (!is_utf8(text)) fail({source.name, 0, 0}, "is not UTF-8", "save it as plain text in UTF-8");
}

}  // namespace

YamlEntry* YamlValue::find(const std::string& key) {
  return const_cast<YamlEntry*>(std::as_const(*this).find(key));
}

const YamlEntry* YamlValue::find(const std::string& key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const YamlEntry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

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
         "correct the YAML syntax here or just before");
  }
  return builder.take();
}

}  // namespace flitcast
