// SPDX-License-Identifier: Apache-2.0
// The figures, the summary and the schedule of a permutation, for users.
#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "base/sequences.h"
#include "sim/workloads/permutation.h"

namespace flitcast {

namespace {

const char* theorem_verdict(const DelayTheorem& theorem) {
  if (!theorem.checked) return "not looked at: too many pairs of packets";
  if (!theorem.applies) return "does not apply: paths that separate meet again";
  return "holds";
}

ordered_json claims_of(const PermutationVerdict& verdict) {
  ordered_json claims = ordered_json::array();
  for (const PermutationClaim& claim : verdict.claims) {
    claims.push_back(claim.text + (claim.holds(verdict.paper) ? ": holds" : ": does not hold"));
  }
  return claims.empty() ? ordered_json() : claims;
}

FigureTable<PermutationVerdict> permutation_figures() {
  return {
      {"algorithm", "(text)", "The algorithm that took the packets to their nodes.",
       &PermutationVerdict::algorithm},
      {"discipline", "(text)", "Which packet of a queue left first.",
       &PermutationVerdict::discipline},
      {"packets", "packets", "Packets that were to be routed, in all phases.",
       &PermutationVerdict::packets},
      {"steps", "steps", "T on the step machine: phases last until their last arrival.",
       [](const PermutationVerdict& v) { return v.paper.steps; }},
      {"phase_steps", "(list of steps)", "For every phase: its steps on the step machine.",
       [](const PermutationVerdict& v) { return v.paper.phase_steps; }},
      {"lower_bound_steps", "steps",
       "No order of queues takes fewer on these paths: congestion or longest path, over phases.",
       [](const PermutationVerdict& v) { return v.paper.lower_bound; }},
      {"congestion", "packets", "C: most packets of a phase whose paths share a channel.",
       [](const PermutationVerdict& v) { return v.paper.congestion; }},
      {"longest_path", "channels", "The longest path of a packet in a phase.",
       [](const PermutationVerdict& v) { return v.paper.longest_path; }},
      {"max_queue", "packets", "Q on the step machine: the longest queue, its head included.",
       [](const PermutationVerdict& v) { return v.paper.max_queue; }},
      {"max_held", "packets",
       "H on the step machine: most packets of a router behind the heads of its queues.",
       [](const PermutationVerdict& v) { return v.paper.max_held; }},
      {"max_delay", "steps", "Most steps that a packet waited in a phase.",
       [](const PermutationVerdict& v) { return v.paper.max_delay; }},
      {"mean_delay", "steps", "Steps that a packet waited in a phase, on average.",
       [](const PermutationVerdict& v) { return v.paper.mean_delay(); }},
      {"delay_theorem", "(text)", "True if no packet waited longer than others share its path.",
       [](const PermutationVerdict& v) { return theorem_verdict(v.paper.theorem); }},
      {"greatest_sharing", "packets", "Most packets that share channels with the path of one.",
       [](const PermutationVerdict& v) {
         return v.paper.theorem.checked ? ordered_json(v.paper.theorem.greatest_sharing)
                                        : ordered_json();
       }},
      {"claims", "(list)", "The statements of theory about the algorithm, each with its verdict.",
       claims_of},
      {"startup_cycles", "cycles", "ts, from the start of a phase to its first step.",
       &PermutationVerdict::startup_cycles},
      {"step_cycles", "cycles", "td + m tm, the length of a step.",
       &PermutationVerdict::step_cycles},
      {"analytic_cycles", "cycles",
       "The steps and start-ups of all phases, where there is a formula.",
       [](const PermutationVerdict& v) { return figure_of(v.analytic_cycles); }},
      {"cycles", "cycles", "The time measured, from the first send to the last arrival.",
       [](const PermutationVerdict& v) { return figure_of(v.cycles); }},
      {"network_steps", "steps", "The same in steps, of routers that keep packets whole.",
       [](const PermutationVerdict& v) { return figure_of(v.network_steps); }},
  };
}

std::string repeated_claim(const ClaimStatistics& claim, std::size_t runs) {
  return fmt::format("{}: exceeded in {} of {} runs, so with 95 % confidence at most {:.4g} of all",
                     claim.claim.text, claim.exceeded, runs, claim.upper_limit);
}

FigureTable<RepeatedFigures> repeated_figures() {
  return {
      {"runs", "", "Repetitions with fresh seeds.", &RepeatedFigures::runs},
      {"steps.mean", "steps", "Mean of T.", [](const RepeatedFigures& r) { return r.steps.mean; }},
      {"steps.half_width", "steps", "Half of the 95 % interval of that mean.",
       [](const RepeatedFigures& r) { return r.steps.half_width; }},
      {"steps.max", "steps", "The largest T.",
       [](const RepeatedFigures& r) { return r.steps.most; }},
      {"max_queue.mean", "packets", "Mean of Q.",
       [](const RepeatedFigures& r) { return r.max_queue.mean; }},
      {"max_queue.half_width", "packets", "Half of the 95 % interval of that mean.",
       [](const RepeatedFigures& r) { return r.max_queue.half_width; }},
      {"max_queue.max", "packets", "The largest Q.",
       [](const RepeatedFigures& r) { return r.max_queue.most; }},
      {"max_delay", "steps", "The longest that a packet waited.", &RepeatedFigures::longest_delay},
      {"claims", "(list)", "How often claims were exceeded.",
       [](const RepeatedFigures& r) {
         return mapped(r.claims, [&](const auto& claim) { return repeated_claim(claim, r.runs); });
       }},
  };
}

std::string steps_text(const PermutationVerdict& verdict) {
  const StepFigures& paper = verdict.paper;
  std::string text = fmt::format("{} (lower bound {}: {})", counted(paper.steps, "step"),
                                 paper.lower_bound, bound_verdict(paper.steps, paper.lower_bound));
  constexpr std::size_t kMostPhases = 8;
  if (paper.phase_steps.size() > 1 && paper.phase_steps.size() <= kMostPhases) {
    text += fmt::format(", phases {}", fmt::join(paper.phase_steps, " + "));
  } else if (paper.phase_steps.size() > kMostPhases) {
    text += fmt::format(", {} phases", paper.phase_steps.size());
  }
  return text;
}

std::string queues_text(const StepFigures& paper) {
  return fmt::format("up to {} packets, {} held; congestion {}, longest path {}", paper.max_queue,
                     paper.max_held, paper.congestion, paper.longest_path);
}

std::string delays_text(const StepFigures& paper) {
  return fmt::format(
      "at most {}, {:.3f} on average; of {:.3g} % at least 1, {:.3g} % 4, {:.3g} % 8",
      paper.max_delay, paper.mean_delay(), 100 * paper.share_of_delays(1),
      100 * paper.share_of_delays(4), 100 * paper.share_of_delays(8));
}

std::string theorem_text(const DelayTheorem& theorem) {
  std::string text =
      std::string("delay <= packets that share the path: ") + theorem_verdict(theorem);
  if (theorem.checked) text += fmt::format("; most that share one: {}", theorem.greatest_sharing);
  return text;
}

std::string repeated_text(const RepeatedFigures& repeated) {
  std::string text = labelled("repeated", fmt::format("{} runs with fresh seeds", repeated.runs));
  text += labelled("", fmt::format("T {:.2f} +- {:.2f}, at most {}", repeated.steps.mean,
                                   repeated.steps.half_width, repeated.steps.most));
  text += labelled("", fmt::format("Q {:.2f} +- {:.2f}, at most {}; delays at most {}",
                                   repeated.max_queue.mean, repeated.max_queue.half_width,
                                   repeated.max_queue.most, repeated.longest_delay));
  for (const ClaimStatistics& claim : repeated.claims) {
    text += labelled("", repeated_claim(claim, repeated.runs));
  }
  return text;
}

}  // namespace

PermutationVerdict PermutationWorkload::played() const {
  PermutationVerdict verdict = verdict_;
  verdict.cycles = cycles();
  const std::vector<std::size_t> steps = network_phase_steps();
  if (!steps.empty()) verdict.network_steps = sum_of<std::size_t>(steps);
  return verdict;
}

ordered_json PermutationWorkload::schedule_figures() const {
  ordered_json figures;
  permutation_figures().write(played(), figures);
  const std::size_t runs = section().count("runs");
  if (runs > 1) repeated_figures().write(repeat(runs), figures["repeated"]);
  return figures;
}

std::vector<FigureMeaning> PermutationWorkload::figure_meanings() {
  return concatenated({permutation_figures().meanings("permutation."),
                       repeated_figures().meanings("permutation.repeated.")});
}

std::string PermutationWorkload::text() const {
  return fmt::format("permutation {} by {}, {} of {}", section().variant("permutation").name,
                     verdict_.algorithm, counted(verdict_.packets, "packet"),
                     counted(longest_packet(), "flit"));
}

std::vector<SummaryLine> PermutationWorkload::summary() const {
  const PermutationVerdict verdict = played();
  std::string time = "unfinished";
  if (verdict.cycles) time = fmt::format("{} cycles measured", *verdict.cycles);
  if (verdict.analytic_cycles) {
    time += fmt::format(", {} for the steps of the paper", *verdict.analytic_cycles);
  }
  const StepFigures& paper = verdict.paper;
  std::vector<SummaryLine> lines{
      {"paper", fmt::format("T {} (at least {}), C {}, Q {}, H {}, delays up to {}", paper.steps,
                            paper.lower_bound, paper.congestion, paper.max_queue, paper.max_held,
                            paper.max_delay)}};
  if (verdict.network_steps) {
    lines.emplace_back("steps", fmt::format("{} on the network", *verdict.network_steps));
  }
  lines.emplace_back("permutation", time);
  return lines;
}

std::string PermutationWorkload::schedule_text() const {
  const StepFigures& paper = verdict_.paper;
  std::string text = fmt::format("{}: {} on {}, {} queues\n", configuration().name(), this->text(),
                                 context().topology.name(), verdict_.discipline);
  text += labelled("steps", steps_text(verdict_));
  const ordered_json outline = schedule_outline();
  for (const auto& phase : outline.value("phases", ordered_json::array())) {
    text += labelled("phase", fmt::format("{}, {}", phase.at("name").get<std::string>(),
                                          counted(phase.at("steps").get<std::int64_t>(), "step")));
  }
  text += labelled("queues", queues_text(paper));
  text += labelled("delays", delays_text(paper));
  text += labelled("theorem", theorem_text(paper.theorem));
  const ordered_json claims = claims_of(verdict_);
  for (const auto& claim : claims) text += labelled("claim", claim.get<std::string>());
  text += labelled("analytic",
                   verdict_.analytic_cycles
                       ? fmt::format("{} cycles (ts {}, step {})", *verdict_.analytic_cycles,
                                     verdict_.startup_cycles, verdict_.step_cycles)
                       : "no formula");
  const std::size_t runs = section().count("runs");
  if (runs > 1) text += repeated_text(repeat(runs));
  return text;
}

ordered_json PermutationWorkload::schedule_outline() const {
  ordered_json outline = ordered_json::object();
  const std::vector<std::size_t>& steps = verdict_.paper.phase_steps;
  for (const Phase& phase : route_.plan.phases.phases()) {
    const auto sum = sum_of<std::size_t>(numbers(phase.begin, phase.end),
                                         [&](std::size_t p) { return steps[p]; });
    outline["phases"].push_back({{"name", phase.name}, {"steps", sum}});
  }
  return outline;
}

std::vector<Transmission> PermutationWorkload::transmissions() const {
  std::vector<Transmission> all;
  for (std::size_t p = 0; p < moving_.rounds(); ++p) {
    for (const Message& move : moving_.messages(p)) all.push_back({move.from, move.to, p + 1});
  }
  return all;
}

void PermutationWorkload::write_schedule(std::ostream& out) const {
  write_dump(out, context().topology, moving_, Switching::kStoreAndForward);
}

}  // namespace flitcast
