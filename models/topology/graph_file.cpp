// SPDX-License-Identifier: Apache-2.0
#include "topology/graph_file.h"

#include <algorithm>
#include <bitset>
#include <optional>
#include <unordered_map>

#include "base/sequences.h"
#include "config/wording.h"
#include "topology/adjacency.h"

namespace flitcast {

// Each format is defined in the file of its name.
GraphFormat graph_lines();
GraphFormat graphml();
GraphFormat node_link();
GraphFormat anynet();
GraphFormat infragraph();
GraphFormat dot();

Catalog<GraphFormat>& graph_formats() {
  static Catalog<GraphFormat> catalog{graph_lines(), graphml(),    node_link(),
                                      anynet(),      infragraph(), dot()};
  return catalog;
}

std::vector<GraphWord> words_of_line(const std::string& text, int line) {
  constexpr auto kBlanks = " \t\r";
  std::vector<GraphWord> words;
  const std::string code = text.substr(0, text.find('#'));
  std::size_t begin = code.find_first_not_of(kBlanks);
  while (begin != std::string::npos) {
    const std::size_t end = std::min(code.find_first_of(kBlanks, begin), code.size());
    words.push_back({code.substr(begin, end - begin), line, static_cast<int>(begin) + 1});
    begin = code.find_first_not_of(kBlanks, end);
  }
  return words;
}

GraphFile file_of(const Topology& topology) {
  GraphFile file{topology.name()};
  const auto word = [](std::size_t number) { return GraphWord{std::to_string(number)}; };
  const auto router = [&](Endpoint at) { return GraphWord{topology.router_name(at.router)}; };
  const auto port = [&](Endpoint at) { return word(index(at.port)); };
  std::vector<bool> in_use(topology.router_count());
  for (const Channel& c : topology.channels()) in_use[index(c.from.router)] = true;
  for (const Attachment& at : topology.attachments()) in_use[index(at.ejection.router)] = true;
  for (const RouterId r : topology.routers()) {
    if (in_use[index(r)]) file.nodes.push_back({{topology.router_name(r)}});
  }
  for (const Channel& c : topology.channels()) {
    GraphFile::Attributes attributes{{"output", port(c.from)}, {"input", port(c.to)}};
    if (c.latency != 0) attributes["latency"] = word(c.latency);
    if (c.cycles_per_flit != 0) attributes["cycles_per_flit"] = word(c.cycles_per_flit);
    file.links.push_back({router(c.from), router(c.to), true, std::move(attributes)});
  }
  for (const NodeId n : topology.nodes()) {
    const GraphWord name{"node_" + std::to_string(index(n))};
    const auto& [injection, ejection] = topology.attachment(n);
    file.nodes.push_back({name, {{"kind", {"terminal"}}}});
    file.links.push_back({name, router(injection), true, {{"input", port(injection)}}});
    file.links.push_back({router(ejection), name, true, {{"output", port(ejection)}}});
  }
  return file;
}

namespace {

class GraphBuilder {
 public:
  explicit GraphBuilder(GraphFile& file) : file_(file) {}

  Graph graph(const std::string& terminal_hint) {
    for (const GraphFile::Node& node : file_.nodes) add_node(node);
    for (const GraphFile::Link& link : file_.links) add_link(link);
    if (terminals_.empty()) file_.fail({"", 1, 1}, "the graph has no terminal", terminal_hint);
    file_.problems.throw_if_any();
    for (const Terminal& terminal : terminals_) check(terminal);
    file_.problems.throw_if_any();  // Reachability is meaningless while links are missing.
    check_ports();
    check_reachability(false);
    check_reachability(true);
    file_.problems.throw_if_any();
    number_ports();
    file_.problems.throw_if_any();
    const std::vector<Attachment> attachments = mapped(terminals_, &Terminal::at);
    const std::vector<PortCounts> ports = tabulated(routers_.size(), [&](std::size_t r) {
      return PortCounts{end_of(inputs_[r]), end_of(outputs_[r])};
    });
    return Graph("custom " + file_.name, ports, channels_, attachments,
                 mapped(routers_, &GraphWord::text));
  }

 private:
  static constexpr PortId kLowestFree{UINT16_MAX};  // An end without a port of its own.
  using Ports = std::bitset<kMaxPorts>;             // Ports in use.
  using Names = std::vector<std::string>;
  struct Terminal {
    GraphWord name;
    Attachment at{};
    std::size_t enters = 0;  // Links from it into the network.
    std::size_t leaves = 0;  // Links to it.
  };
  struct Member {
    bool terminal = false;
    std::size_t number = 0;
  };

  void add_node(const GraphFile::Node& node) {
    expect(node.attributes, {"kind", "terminals"});
    const GraphWord* kind = find(node.attributes, "kind");
    const bool terminal = kind != nullptr && kind->text == "terminal";
    if (kind != nullptr && !terminal && kind->text != "router") {
      file_.fail(*kind, quoted(kind->text) + " is no kind of node", "write router or terminal");
    }
    const Member member{terminal, terminal ? terminals_.size() : routers_.size()};
    if (!members_.emplace(node.id.text, member).second) {
      file_.fail(node.id, printable(node.id.text) + " is there already", "give it another name");
    } else if (terminal) {
      terminals_.push_back({node.id});
    } else {
      routers_.push_back(node.id);
      const Endpoint at{to_id<RouterId>(member.number), kLowestFree};
      const auto count = number(node.attributes, "terminals", 0, kMaxPorts).value_or(0);
      terminals_.insert(terminals_.end(), count, {node.id, {at, at}, 1, 1});
    }
  }

  void add_link(const GraphFile::Link& link) {
    const Member* from = member(link.from);
    const Member* to = member(link.to);
    if (from == nullptr || to == nullptr) {
      timed(link);
    } else if (from == to) {
      file_.fail(link.to, "a link from a router to itself carries nothing", "name another router");
    } else if (from->terminal && to->terminal) {
      file_.fail(link.from, "a link joins two terminals", "join each of them to a router");
    } else if (from->terminal || to->terminal) {
      attach(link, terminals_[(from->terminal ? from : to)->number], *from, *to);
    } else {
      join(link, *from, *to);
    }
  }

  /// A channel that has only the times of a link.
  Channel timed(const GraphFile::Link& link) {
    return {{},
            {},
            number(link.attributes, "latency", 1, kMaxLinkLatency).value_or(0),
            number(link.attributes, "cycles_per_flit", 1, kMaxCyclesPerFlit).value_or(0)};
  }

  void join(const GraphFile::Link& link, const Member& from, const Member& to) {
    expect(link.attributes, link.directed ? Names{"cycles_per_flit", "input", "latency", "output"}
                                          : Names{"cycles_per_flit", "latency"});
    Channel made = timed(link);
    made.from = end(from, link.attributes, "output");
    made.to = end(to, link.attributes, "input");
    channels_.push_back(made);
    if (!link.directed) {
      channels_.push_back({made.to, made.from, made.latency, made.cycles_per_flit});
    }
  }

  void attach(const GraphFile::Link& link, Terminal& terminal, const Member& from,
              const Member& to) {
    const char* port = from.terminal ? "input" : "output";
    expect(link.attributes, link.directed ? Names{port} : Names{});
    const Endpoint at = end(from.terminal ? to : from, link.attributes, port);
    const auto set = [&](std::size_t& links, Endpoint& side) {
      ++links;
      side = at;
    };
    if (from.terminal || !link.directed) set(terminal.enters, terminal.at.injection);
    if (to.terminal || !link.directed) set(terminal.leaves, terminal.at.ejection);
  }

  void check(const Terminal& terminal) {
    if (terminal.enters == 1 && terminal.leaves == 1) return;
    file_.fail(terminal.name,
               printable(terminal.name.text) + " has " + std::to_string(terminal.enters) +
                   " links into the network and " + std::to_string(terminal.leaves) + " out of it",
               "join it to a router by one of each, or by one undirected link");
  }

  Endpoint end(const Member& router, const GraphFile::Attributes& attributes, const char* port) {
    const auto stated = number(attributes, port, 0, kMaxPorts - 1);
    return {to_id<RouterId>(router.number), stated ? to_id<PortId>(*stated) : kLowestFree};
  }

  /// A whole number from `least` to `most`.
  std::optional<std::uint32_t> number(const GraphFile::Attributes& attributes, const char* name,
                                      std::uint32_t least, std::uint32_t most) {
    const GraphWord* word = find(attributes, name);
    if (word == nullptr) return std::nullopt;
    const auto value = number_in<std::uint32_t>(word->text);
    if (value && *value >= least && *value <= most) return value;
    file_.fail(
        *word, std::string(name) + " is " + quoted(word->text),
        "write a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return std::nullopt;
  }

  void expect(const GraphFile::Attributes& attributes, const Names& known) {
    for (const auto& [name, value] : attributes) {
      if (contains(known, name)) continue;
      file_.fail(value, "the attribute " + quoted(name) + " means nothing here",
                 known.empty() ? "drop it" : "drop it; known are " + listed(known));
    }
  }

  static const GraphWord* find(const GraphFile::Attributes& attributes, const char* name) {
    const auto found = attributes.find(name);
    return found == attributes.end() ? nullptr : &found->second;
  }

  const Member* member(const GraphWord& name) {
    const auto found = members_.find(name.text);
    if (found != members_.end()) return &found->second;
    file_.fail(name, "there is no router " + printable(name.text),
               "declare it, or correct the name");
    return nullptr;
  }

  void check_ports() {
    std::vector<std::size_t> inputs(routers_.size());
    std::vector<std::size_t> outputs(routers_.size());
    for_each_end(
        [&](Endpoint& end, bool output) { ++(output ? outputs : inputs)[index(end.router)]; });
    for (std::size_t router = 0; router < routers_.size(); ++router) {
      const std::size_t ports = std::max(inputs[router], outputs[router]);
      if (ports <= kMaxPorts) continue;
      const std::string name = printable(routers_[router].text);
      file_.fail(routers_[router], "router " + name + " has " + std::to_string(ports) + " ports",
                 "keep links and terminals of a router to 128");
    }
  }

  // Requires that every other router can be reached from the first terminal's router, along links
  // or, if `against`, in the reverse direction. A terminal counts as a link from the router that
  // it leaves by to the one that it enters by, since stages of one-way links do not lead back.
  void check_reachability(bool against) {
    std::vector<std::vector<std::uint32_t>> next(routers_.size());
    const auto lead = [&](Endpoint from, Endpoint to) {
      if (against) std::swap(from, to);
      next[index(from.router)].push_back(index(to.router));
    };
    for (const Channel& channel : channels_) lead(channel.from, channel.to);
    for (const Terminal& terminal : terminals_) lead(terminal.at.ejection, terminal.at.injection);
    const auto steps = count_steps({index(terminals_.front().at.injection.router)}, routers_.size(),
                                   [&](std::uint32_t router, auto&& reach) {
                                     for (const std::uint32_t there : next[router]) reach(there);
                                   });
    const std::string origin = printable(terminals_.front().name.text);
    for (std::size_t router = 0; router < routers_.size(); ++router) {
      if (steps[router] != kUnreached) continue;
      const std::string name = printable(routers_[router].text);
      file_.fail(routers_[router],
                 against ? "no path leads from router " + name + " to " + origin
                         : "router " + name + " cannot be reached from " + origin,
                 against ? "add a link from it" : "add a link to it");
    }
  }

  // Ends with a port in the file come first, since the others take what is left.
  void number_ports() {
    inputs_.resize(routers_.size());
    outputs_.resize(routers_.size());
    for_each_end([&](Endpoint& end, bool output) {
      if (end.port != kLowestFree) take(end, output);
    });
    for_each_end([&](Endpoint& end, bool output) {
      if (end.port != kLowestFree) return;
      end.port = PortId{0};
      const Ports& used = ports_at(end, output);
      while (used[index(end.port)]) end.port = to_id<PortId>(index(end.port) + 1u);
      take(end, output);
    });
  }

  Ports& ports_at(Endpoint end, bool output) {
    return (output ? outputs_ : inputs_)[index(end.router)];
  }

  void take(Endpoint end, bool output) {
    Ports& used = ports_at(end, output);
    if (used[index(end.port)]) {
      const GraphWord& router = routers_[index(end.router)];
      file_.fail(router,
                 std::string("two links have ") + (output ? "output " : "input ") +
                     std::to_string(index(end.port)) + " of router " + printable(router.text),
                 "give every link ports of its own, or none");
    }
    used.set(index(end.port));
  }

  template <class Use>
  void for_each_end(const Use& use) {
    for (Channel& channel : channels_) {
      use(channel.from, true);
      use(channel.to, false);
    }
    for (Terminal& terminal : terminals_) {
      use(terminal.at.ejection, true);
      use(terminal.at.injection, false);
    }
  }

  static std::uint32_t end_of(const Ports& used) {
    std::uint32_t end = kMaxPorts;
    while (end > 0 && !used[end - 1]) --end;
    return end;
  }

  GraphFile& file_;
  std::unordered_map<std::string, Member> members_;
  std::vector<GraphWord> routers_;
  std::vector<Terminal> terminals_;
  std::vector<Channel> channels_;
  std::vector<Ports> inputs_;   // Per router.
  std::vector<Ports> outputs_;  // Per router.
};

}  // namespace

Graph graph_of(GraphFile file, const std::string& terminal_hint) {
  return GraphBuilder(file).graph(terminal_hint);
}

}  // namespace flitcast
