// SPDX-License-Identifier: Apache-2.0
#include "config/yaml_file.h"

#include <utility>

namespace flitcast {

// A weak reference: the address is null in programs that do not link the parser.
[[gnu::weak]] YamlValue parse_yaml(const std::string& text, const YamlSource& source,
                                   std::vector<Problem>& problems);

YamlValue read_yaml_file(const std::string& text, const std::string& file, ProblemList& problems) {
  if (&parse_yaml == nullptr) {
    fail({file, 0, 0}, "this program links no YAML", "link flitcast::tlm, or use another format");
  }
  std::vector<Problem> found;
  YamlValue value = parse_yaml(text, {file}, found);
  for (Problem& problem : found) problems.add(std::move(problem));
  return value;
}

}  // namespace flitcast
