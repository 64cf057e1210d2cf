// SPDX-License-Identifier: Apache-2.0
// Infrastructure files of InfraGraph in YAML: https://github.com/Keysight/infragraph, schema/ for
// the keys and src/infragraph/infragraph_service.py for the graph that they mean.
//
// Every component of every instance of a device is a router; those whose choice is xpu have a node.
// Links with a bandwidth take as many cycles for a flit as the fastest one is faster, rounded up.
// Refused are devices inside devices, rings, and latencies, which are not in cycles.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "config/csv.h"
#include "config/schema.h"
#include "config/wording.h"
#include "config/yaml_file.h"
#include "topology/graph_file.h"

namespace flitcast {
namespace {

using Names = std::vector<std::string>;

// Limits components, and links by an edge.
constexpr std::size_t kMostParts = std::size_t{1} << 20;

Param bandwidth_in(const std::string& unit) {
  Param rate = Param::number(unit, "", "", 1e-9, 1e9);
  rate.when = {"choice", {unit}};
  return rate;
}

/// The keys of things with a name.
std::vector<Param> named(std::vector<Param> keys) {
  keys.push_back(Param::text("name", "The name."));
  keys.push_back(Param::text("description", "Free text.").or_absent());
  return keys;
}

/// The keys of links, and of edges whose ends have these keys.
std::vector<Param> with_edges(const std::vector<Param>& end, std::vector<Param> keys) {
  const Param bandwidth = Param::section(
      "bandwidth", "",
      {Param::choice("choice", "The unit.", {"gigabits_per_second", "gigabytes_per_second"}),
       bandwidth_in("gigabits_per_second"), bandwidth_in("gigabytes_per_second")});
  const Param physical = Param::section("physical", "", {bandwidth}).or_absent();
  keys.push_back(Param::sections("links", "", named({physical})));
  keys.push_back(Param::sections(
      "edges", "",
      {Param::section("ep1", "", end), Param::section("ep2", "", end), Param::text("link", ""),
       Param::choice("scheme", "", {"one2one", "many2many"}).defaults_to(nullptr)}));
  return named(std::move(keys));
}

Schema infragraph_keys() {
  const Param count = Param::integer("count", "", "", 1, kMostParts);
  const Param choice =
      Param::choice("choice", "", {"custom", "cpu", "xpu", "nic", "memory", "port", "switch"})
          .defaults_to(nullptr);
  Param custom = Param::section("custom", "", {Param::text("type", "")}).or_absent();
  custom.when = {"choice", {"custom"}};
  const Param component = Param::text("component", "");
  const Param devices = Param::sections(
      "devices", "",
      with_edges({component}, {Param::sections("components", "", named({count, choice, custom}))}));
  return {with_edges({Param::text("instance", ""), component},
                     {devices,
                      Param::sections("instances", "", named({count, Param::text("device", "")}))}),
          {}};
}

/// "nic.2" of "host.0" is "host.0.nic.2"; an instance has no owner.
std::string numbered(const std::string& owner, const std::string& name, std::size_t number) {
  return owner + (owner.empty() ? "" : ".") + name + "." + std::to_string(number);
}

/// The name of a part with a slice: "nic" of "nic[0:2]".
std::string name_in(const std::string& part) { return part.substr(0, part.find('[')); }

/// The section of a list whose name the key of another section states.
const Section& declared(const Section& owner, const char* list, const Section& user,
                        const char* key) {
  const std::string name = name_in(user.text(key));
  for (const Section& one : owner.sections(list)) {
    if (one.text("name") == name) return one;
  }
  user.fail(key, quoted(name) + " is not declared", "add it to the list " + std::string(list));
}

/// Reads "[first:end:step]", of which any may be missing, or "[number]".
bool read_slice(const std::string& text, std::array<std::size_t, 3>& slice) {
  if (text.empty()) return true;
  const auto parts = split_fields(std::string_view(text).substr(1, text.size() - 2), 1, ":");
  if (text.back() != ']' || parts.size() > slice.size()) return false;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].text.empty() && parts.size() > 1) continue;
    const auto number = number_in<std::size_t>(std::string(parts[p].text));
    if (!number) return false;
    slice[p] = *number;
  }
  if (parts.size() == 1) slice[1] = slice[0] + 1;
  return slice[0] < slice[1] && slice[2] > 0;
}

/// The parts that the key of an end selects at each owner: host.3.nic.0 and host.3.nic.1 for
/// "nic[0:2]" at host.3.
Names expanded(const Names& owners, const Section& part, const Section& end, const char* key) {
  const std::string& name = part.text("name");
  std::array<std::size_t, 3> slice{0, part.count("count"), 1};
  const bool valid = read_slice(end.text(key).substr(name.size()), slice);
  if (!valid || slice[1] > part.count("count") || owners.size() > kMostParts / slice[1]) {
    end.fail(key, quoted(end.text(key)) + " selects none of " + std::to_string(part.count("count")),
             "write [first:end:step] or [number] from 0");
  }
  Names names;
  for (const std::string& owner : owners) {
    for (std::size_t i = slice[0]; i < slice[1]; i += slice[2]) {
      names.push_back(numbered(owner, name, i));
    }
  }
  return names;
}

/// The bandwidth of a link in Gb/s; 0 if it has none.
double rate_of(const Section& link) {
  if (!link.has("physical")) return 0;
  const Section& bandwidth = link.section("physical").section("bandwidth");
  const std::string& unit = bandwidth.text("choice");
  return bandwidth.number(unit) * (unit == "gigabytes_per_second" ? 8 : 1);
}

/// Expands the instances, components and edges of an infrastructure.
class InfraGraph {
 public:
  InfraGraph(const Section& top, GraphFile& file) : top_(top), file_(file) {}

  void expand() {
    for (const Section& instance : top_.sections("instances")) {
      file_.problems.attempt([&] { add(instance); });
    }
    join(top_, [&](const Section& end) {
      const Section& instance = declared(top_, "instances", end, "instance");
      const Section& device = declared(top_, "devices", instance, "device");
      return expanded(expanded({""}, instance, end, "instance"),
                      declared(device, "components", end, "component"), end, "component");
    });
    for (const auto& [ends, rate] : rates_) {
      GraphFile::Link link{{ends.first, 1, 0}, {ends.second, 1, 0}, false, {}};
      const auto cycles = rate == 0 ? 1 : std::llround(std::ceil(fastest_ / rate));
      if (cycles > 1) link.attributes["cycles_per_flit"] = {std::to_string(cycles), 1, 0};
      file_.links.push_back(std::move(link));
    }
  }

 private:
  void add(const Section& instance) {
    const Section& device = declared(top_, "devices", instance, "device");
    const Place place = instance.place("name");
    for (std::size_t i = 0; i < instance.count("count"); ++i) {
      const std::string owner = numbered("", instance.text("name"), i);
      for (const Section& component : device.sections("components")) {
        if (file_.nodes.size() + component.count("count") > kMostParts) {
          instance.fail("count", "there are more than 2^20 components", "use fewer");
        }
        for (std::size_t c = 0; c < component.count("count"); ++c) {
          const std::string id = numbered(owner, component.text("name"), c);
          GraphFile::Node node{{id, place.line, place.column}, {}};
          if (component.text("choice") == "xpu") node.attributes["terminals"] = {"1", 0, 0};
          file_.nodes.push_back(std::move(node));
        }
      }
      join(device, [&](const Section& end) {
        return expanded({owner}, declared(device, "components", end, "component"), end,
                        "component");
      });
    }
  }

  /// Adds the edges of a device or of the infrastructure, whose ends names_of() expands.
  template <class NamesOf>
  void join(const Section& owner, const NamesOf& names_of) {
    for (const Section& edge : owner.sections("edges")) {
      file_.problems.attempt([&] {
        const Names from = names_of(edge.section("ep1"));
        const Names to = names_of(edge.section("ep2"));
        const bool all = edge.text("scheme") == "many2many";
        if (all && from.size() > kMostParts / to.size()) {
          edge.fail("scheme", "the edge has more than 2^20 links", "select fewer ends");
        }
        const double rate = rate_of(declared(owner, "links", edge, "link"));
        fastest_ = std::max(fastest_, rate);
        for (std::size_t i = 0; i < from.size(); ++i) {
          for (std::size_t j = all ? 0 : i; j < (all ? to.size() : std::min(i + 1, to.size()));
               ++j) {
            if (from[i] != to[j]) rates_[std::minmax(from[i], to[j])] = rate;
          }
        }
      });
    }
  }

  const Section& top_;
  GraphFile& file_;
  std::map<std::pair<std::string, std::string>, double> rates_;  // Per two components.
  double fastest_ = 0;
};

void read_infragraph(const std::string& text, GraphFile& file) {
  static const Schema schema = infragraph_keys();
  const YamlValue written = read_yaml_file(text, file.name, file.problems);
  Reading reading;
  const Section top = check_section(schema, schema.top(), &written, {file.name, 1, 0}, reading);
  for (Problem& problem : reading.problems) file.problems.add(std::move(problem));
  file.problems.throw_if_any();
  InfraGraph(top, file).expand();
}

}  // namespace

GraphFormat infragraph() {
  return {"infragraph", "InfraGraph in YAML: devices, instances and edges", ".yaml",
          "declare components whose choice is xpu, which have a node each", read_infragraph};
}

}  // namespace flitcast
