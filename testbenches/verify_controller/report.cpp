// SPDX-License-Identifier: Apache-2.0
#include "verify_controller/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "verify_controller/golden.h"
#include "verify_controller/shrink.h"

namespace flitcast::verify {
namespace {

// Formats a line of the report and wraps it at spaces.
std::string line(const char* what, const std::string& text) {
  constexpr std::size_t kWidth = 100;
  std::string lines;
  std::size_t from = 0;
  do {
    std::size_t end = text.size();
    if (end - from > kWidth) end = std::min(text.rfind(' ', from + kWidth), end);
    if (end <= from) end = text.size();
    lines += fmt::format("  {:<10} {}\n", from == 0 ? what : "", text.substr(from, end - from));
    from = text.find_first_not_of(' ', end);
  } while (from < text.size());
  return lines;
}

std::string clocks_text(const Task& task, const Observed& observed) {
  const std::string claim = task.pass_clocks == 0 ? "; nothing was claimed" : ", as claimed";
  if (observed.most_clocks == 0) return "no pass was seen" + claim;
  if (observed.least_clocks == observed.most_clocks) {
    return fmt::format("{} in every pass{}", observed.most_clocks, claim);
  }
  return fmt::format("{} to {} in a pass{}", observed.least_clocks, observed.most_clocks, claim);
}

std::string coverage_text(const Coverage& coverage) {
  const auto missed = coverage.missed();
  std::string text =
      line("coverage",
           fmt::format("{} of {} points", coverage.points() - missed.size(), coverage.points()));
  for (const std::string& point : missed) text += line("", "never: " + point);
  return text;
}

std::string success(const Task& task, const Verdict& verdict) {
  const Observed& seen = verdict.observed;
  return line("verified",
              fmt::format(
                  "{} requests in {} clocks, up to {} without a reset{}", seen.requests,
                  seen.clocks, seen.coverage.longest_stretch(),
                  verdict.exhaustive ? ", among them every store, request and availability" : "")) +
         line("clocks", clocks_text(task, seen)) + coverage_text(seen.coverage);
}

std::string store_text(const Step& step) {
  constexpr std::size_t kShown = 16;
  std::string text;
  for (std::size_t j = 0; j < step.store.rows() && j < kShown; ++j) {
    text += fmt::format("{}M_{} {}", j == 0 ? "" : "  ", j, literal(step.store.set_of(j)));
  }
  return step.store.rows() > kShown ? text + "  ..." : text;
}

std::string failure(const Verdict& verdict) {
  const Fault& fault = *verdict.fault;
  const Scenario& why = *verdict.why;
  std::string text = line("FAULT", fault.kind) + line("", fault.text);
  if (!why.steps.empty()) {
    const Step& step = why.steps[fault.step];
    text += line("request", fmt::format("req_set_i {}, req_avail_i {}", literal(step.req_set),
                                        literal(step.req_avail)));
    text += line("store", store_text(step));
  }
  if (!fault.seen.empty()) {
    text += line("beat due", fault.wanted) + line("beat seen", fault.seen);
  }
  const std::string needed = needs(why, verdict.needs_power_up);
  if (!needed.empty()) text += line("needs", needed);
  const std::uint64_t request = fault.round * why.steps.size() + fault.step + 1;
  return text + line("at", fmt::format("clock {}, request {} of {}", fault.clock, request,
                                       why.requests()));
}

}  // namespace

std::string report(const Task& task, const Verdict& verdict) {
  if (verdict.fault) return failure(verdict);
  // A file was replayed, so its coverage has no meaning.
  if (verdict.why) return line("replayed", "without a fault");
  return success(task, verdict);
}

std::string file_stem(const std::string& kind) {
  std::string stem;
  for (const char c : kind) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      stem += c;
    } else if (!stem.empty() && stem.back() != '_') {
      stem += '_';
    }
  }
  return stem;
}

}  // namespace flitcast::verify
