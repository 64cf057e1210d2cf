// SPDX-License-Identifier: Apache-2.0
// Several workloads at once, each from a cycle of its own: collectives beside background traffic.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/figures.h"
#include "base/flit.h"
#include "base/sequences.h"
#include "sim/experiment/workload.h"
#include "sim/workloads/message_classes.h"
#include "traffic/timed_sources.h"

namespace flitcast {
namespace {

constexpr const char* kTogether = "together";
constexpr const char* kList = "workloads";
constexpr const char* kStart = "start";

/// One of the workloads, and its progress so far.
struct PartOutcome {
  std::string name;
  std::string kind;
  std::uint64_t start = 0;
  std::optional<std::uint64_t> end{};
};

FigureTable<PartOutcome> part_figures() {
  return {
      {"name", "", "Its name; `classes` has the latencies and loads under it.", &PartOutcome::name},
      {"kind", "", "Its kind.", &PartOutcome::kind},
      {"start", "cycle", "When it begins; its other figures count cycles from there.",
       &PartOutcome::start},
      {"end", "cycle", "The cycle after its end, as completion_cycle is.",
       [](const PartOutcome& o) { return figure_of(o.end); }},
  };
}

class Together : public Workload {
 public:
  explicit Together(const WorkloadContext& context) : context_(context) {
    const std::vector<Section>& sections = context.section().sections(kList);
    if (sections.empty() || sections.size() > kMaxMessageClasses) {
      context.section().fail(
          kList, fmt::format("has {} workloads", sections.size()),
          fmt::format("write 1 to {}: [{{name: ..., kind: ...}}, ...]", kMaxMessageClasses));
    }
    ProblemList problems;
    classes_ = read_named_classes(sections, context.params.router.virtual_channels, problems);
    for (std::size_t p = 0; p < sections.size(); ++p) {
      problems.attempt([&] {
        WorkloadContext own = context;
        own.part = &sections[p];
        own.number = p;
        parts_.push_back(workloads().find(sections[p].text("kind"))->make(own));
        check_part(p);
      });
    }
    problems.throw_if_any();
  }

  void adapt(NetworkPlan& network) override {
    ProblemList problems;
    adapt_parts(network, problems);
    problems.attempt([&] { add_classes(classes_, context_.section(), kList, network); });
    check_starts(problems);
    problems.throw_if_any();
  }

  void check_fit(const NetworkPlan& network) const override {
    ProblemList problems;
    for (const auto& part : parts_) problems.attempt([&] { part->check_fit(network); });
    problems.throw_if_any();
  }

  void join(const NetworkPlan& network) override {
    if (network.routing == nullptr) return;  // The problem is reported elsewhere.
    ProblemList problems;
    for (const auto& part : parts_) problems.attempt([&] { part->join(network); });
    problems.throw_if_any();
    auto sources = tabulated(parts_.size(), [&](std::size_t p) {
      return TimedSources::Part{&parts_[p]->source(), start(p)};
    });
    source_ = std::make_unique<TimedSources>(std::move(sources), network.topology->node_count());
  }

  PacketSource& source() override { return *source_; }
  std::uint32_t longest_packet() const override {
    return largest_of<std::uint32_t>(parts_, &Workload::longest_packet);
  }
  std::uint32_t shortest_packet() const override {
    std::uint32_t shortest = kMaxPacketLength;
    for (const auto& part : parts_) shortest = std::min(shortest, part->shortest_packet());
    return shortest;
  }
  bool ends() const override {
    return any_of(parts_, [](const auto& part) { return part->ends(); });
  }
  bool ended(const Totals&) const override { return completion_cycle(Cycle{}).has_value(); }
  void open_window(Cycle now) override {
    for (std::size_t p = 0; p < parts_.size(); ++p) parts_[p]->open_window(Cycle{now - start(p)});
  }

  bool finish_window(Cycle end) override {
    bool finished = true;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      finished &= parts_[p]->finish_window(Cycle{end - start(p)});
    }
    return finished;
  }

  void audit(const Network& network) const override {
    for (const auto& part : parts_) part->audit(network);
  }

  std::optional<OfferedLoad> offered_load() const override {
    OfferedLoad all{0, {}, {}};
    std::vector<OfferedLoad> loads;
    for (const auto& part : parts_) {
      const std::optional<OfferedLoad> one = part->offered_load();
      if (!one || ends()) return std::nullopt;
      all.load += one->load;
      append(all.packet_lengths, one->packet_lengths);
      add(all.packet_rates, one->packet_rates);
      all.burst_cycle = std::max(all.burst_cycle, one->burst_cycle);
      if (one->load > 0) loads.push_back(*one);
    }
    all.shares = [loads, total = all.load](NodeId from, NodeId to) {
      return sum_if_all<double>(loads, [&](const OfferedLoad& one) {
        const std::optional<double> share = one.shares(from, to);
        return share ? std::optional(*share * one.load / total) : share;
      });
    };
    return all;
  }

  std::string text() const override {
    std::string text = counted(parts_.size(), "workload");
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      text += fmt::format("{} {} from cycle {}: {}", p == 0 ? ":" : ";", classes_[p].name,
                          index(start(p)), parts_[p]->text());
    }
    return text;
  }

  std::vector<std::string> class_names() const override {
    return mapped(classes_, &NamedClass::name);
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> notes;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      for (const std::string& note : parts_[p]->notes()) {
        notes.push_back(classes_[p].name + ": " + note);
      }
    }
    return notes;
  }

  // The first cycle after all workloads that end, once they are complete; absent before.
  std::optional<std::uint64_t> completion_cycle(Cycle) const override {
    std::optional<std::uint64_t> last;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (!parts_[p]->ends()) continue;
      const std::optional<std::uint64_t> one = end(p);
      if (!one) return std::nullopt;
      last = std::max(last, one);
    }
    return last;
  }

  void add_figures(ordered_json& result) const override {
    if (source_ == nullptr) return;
    ordered_json list = ordered_json::array();
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      ordered_json own;
      part_figures().write({classes_[p].name, section(p).text("kind"), index(start(p)), end(p)},
                           own);
      parts_[p]->add_figures(own);
      for (const ordered_json& note : own.value("notes", ordered_json::array())) {
        result["notes"].push_back(classes_[p].name + ": " + note.get<std::string>());
      }
      own.erase("notes");
      list.push_back(std::move(own));
    }
    result["workloads"] = std::move(list);
  }

  std::vector<SummaryLine> more_summary() const override {
    std::vector<SummaryLine> lines;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const auto last = end(p);
      const std::string ending = !parts_[p]->ends() ? "without an end"
                                 : last             ? fmt::format("to cycle {}", *last)
                                                    : "unfinished";
      lines.emplace_back("workload", fmt::format("{}: {} from cycle {}, {}", classes_[p].name,
                                                 section(p).text("kind"), index(start(p)), ending));
      for (const SummaryLine& line : parts_[p]->summary()) lines.push_back(line);
      for (const SummaryLine& line : parts_[p]->more_summary()) lines.push_back(line);
    }
    return lines;
  }

 private:
  const Section& section(std::size_t part) const {
    return context_.section().sections(kList)[part];
  }
  Cycle start(std::size_t part) const { return Cycle{section(part).count(kStart)}; }

  void check_part(std::size_t part) const {
    const Section& own = section(part);
    if (parts_.back()->routing() != nullptr) {
      own.fail("kind",
               "its packets are copied or combined by routers, which do that for one workload",
               "use an algorithm whose messages nodes send, and forwarding: nodes");
    }
    if (own.has("interface") && own.text("interface") != interfaces()[0].name) {
      own.fail("interface", "transactions carry one workload alone, and this is one of several",
               "leave it out");
    }
  }

  // Nodes have one start-up for all packets, which collectives and permutations define otherwise.
  void adapt_parts(NetworkPlan& network, ProblemList& problems) {
    const std::uint32_t startup = network.params.startup;
    std::set<std::uint32_t> startups;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      network.params.startup = startup;
      problems.attempt([&] { parts_[p]->adapt(network); });
      startups.insert(network.params.startup);
      if (network.class_vcs.empty()) continue;
      problems.add(section(p).problem("classes",
                                      "a workload beside others has one class of packets",
                                      "write each class as a workload"));
      network.class_vcs.clear();
      network.params.message_classes.clear();
    }
    if (startups.size() < 2) return;
    problems.add(context_.configuration.section("node").problem(
        "startup", "contains the interfaces for some of these workloads, and not for others",
        "leave it out, or run workloads of one kind"));
  }

  // Refuses a workload that starts after the warm-up: the window would measure its own warm-up.
  void check_starts(ProblemList& problems) const {
    const std::size_t warmup = context_.configuration.section("measure").count("warmup");
    for (std::size_t p = 0; !ends() && p < parts_.size(); ++p) {
      if (section(p).count(kStart) <= warmup) continue;
      problems.add(section(p).problem(
          kStart,
          fmt::format("begins after the warm-up, in cycle {}, and no workload ends", warmup),
          "begin earlier, or make measure.warmup longer"));
    }
  }

  // The first cycle after a workload that is complete; absent if it is not, or never ends.
  std::optional<std::uint64_t> end(std::size_t part) const {
    Totals own;
    own.packets_created = source_->created(part);
    own.packets_delivered = source_->delivered(part);
    if (!parts_[part]->ends() || !parts_[part]->ended(own)) return std::nullopt;
    const auto last = parts_[part]->completion_cycle(source_->last_arrival(part));
    return last ? std::optional(*last + index(start(part))) : std::nullopt;
  }

  const WorkloadContext context_;
  std::vector<NamedClass> classes_;
  std::vector<std::unique_ptr<Workload>> parts_;
  std::unique_ptr<TimedSources> source_;
};

/// The keys of one of the workloads. Kinds whose packets may be lost run alone.
std::vector<Param> part_params() {
  std::vector<Param> params = named_class_params();
  params.front().help = "Name of the workload in results.";
  params.push_back(
      Param::integer(kStart, "cycles", "The cycle that is cycle 0 for this workload.", 0, 1e12)
          .defaults_to(0));
  Param kind = Param::choice("kind", "The packets that the nodes send.");
  std::vector<Param> own;
  for (const WorkloadEntry& entry : workloads()) {
    if (entry.name == kTogether || entry.may_lose_packets) continue;
    kind.choices.push_back(entry.name);
    append(own, only_while("kind", entry.name, entry.params()));
  }
  params.push_back(std::move(kind));
  append(params, std::move(own));
  return params;
}

std::vector<Param> together_params() {
  return {Param::sections(kList,
                          "The workloads, each with a name and the keys of its kind. If some end, "
                          "the run ends with the last of these, and the others are background.",
                          part_params())};
}

std::vector<FigureMeaning> part_meanings() {
  std::vector<FigureMeaning> meanings = part_figures().meanings("workloads.");
  meanings.insert(meanings.begin(), {"workloads", "(list)", "Each workload, in the file's order."});
  return meanings;
}

}  // namespace

WorkloadEntry together_workload() {
  return {{kTogether,
           "Several workloads at once, each from a cycle of its own.",
           together_params,
           makes<Together>(),
           {"workloads: [{name: background, kind: traffic, load: 0.05}, {name: step, start: 500, "
            "kind: collective, operation: broadcast, algorithm: binomial}]"}},
          part_meanings()};
}

}  // namespace flitcast
