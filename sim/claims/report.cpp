// SPDX-License-Identifier: Apache-2.0
#include "sim/report/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/claims/statement.h"

namespace flitcast::claims {
namespace {

constexpr const char* kStyle = R"(
article { border-top: 1px solid var(--rule); padding: 0.7rem 0; }
article h3 { font-family: monospace; }
article table td, article table th { text-align: left; white-space: normal; max-width: none; }
.verdict { border-left: 4px solid var(--accent); padding-left: 0.6rem; }
.errs .verdict { border-color: #d55e00; }
.fails .verdict { border-color: #c00000; font-weight: bold; }
svg { max-width: 100%; margin: 0.4rem 1rem 0.4rem 0; }
svg .nodes circle { fill: var(--page); stroke-width: 1.5; }
svg text { fill: currentColor; font-size: 11px; text-anchor: middle; dominant-baseline: central; }
)";

std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : text) {
    if (c == '<') {
      html += "&lt;";
    } else if (c == '&') {
      html += "&amp;";
    } else {
      html += c;
    }
  }
  return html;
}

std::string row(const std::string& head, const std::string& text) {
  if (text.empty()) return "";
  return fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", escaped(head), escaped(text));
}

std::string comparison_text(const Comparison& one) {
  return fmt::format("{} {} {} {}", value_text(one.found), one.met() ? "" : "is not", one.relation,
                     value_text(one.stated));
}

std::string article(const Finding& finding) {
  const Statement& statement = finding.statement;
  const char* kind = finding.as_expected() ? "" : "fails";
  if (finding.outcome == Outcome::kPageErrs) kind = "errs";
  std::string html = fmt::format("<article id=\"{0}\" class=\"{1}\">\n<h3>{0}</h3>\n<p>{2}</p>\n",
                                 statement.id, kind, escaped(statement.text));
  html += "<table>\n" + row("formula", statement.formula) + row("page", statement.page);
  html += row("parameters", values_text(finding.parameters.effective()));
  const ordered_json shown = finding.shown();
  for (const auto& [name, value] : shown.items()) {
    html += row(name, value_text(value));
  }
  for (const Comparison& one : finding.comparisons) {
    html += row((one.printed ? "page: " : "compared: ") + one.figure, comparison_text(one));
  }
  html += row("shown by", statement.evidence) + "</table>\n";
  html += fmt::format("<p class=\"verdict\">here: {}. Verdict: {}</p>\n", to_text(finding.outcome),
                      escaped(finding.verdict()));
  return html + fmt::format("{}</article>\n", fmt::join(finding.figures.drawings, "\n"));
}

}  // namespace

std::string page_of(const std::vector<Finding>& findings) {
  std::string body;
  for (const Document& document : documents()) {
    std::string articles;
    std::string section;
    for (const Finding& finding : findings) {
      const Statement* const first = document.statements.data();
      const bool is_own =
          &finding.statement >= first && &finding.statement < first + document.statements.size();
      if (!is_own) continue;
      if (section != finding.statement.section) {
        section = finding.statement.section;
        articles += fmt::format("<p class=\"note\">{}</p>\n", escaped(section));
      }
      articles += article(finding);
    }
    if (articles.empty()) continue;
    body += fmt::format("<h2>{} {}</h2>\n{}", document.number, escaped(document.title), articles);
  }
  const auto expected = std::count_if(findings.begin(), findings.end(),
                                      [](const Finding& one) { return one.as_expected(); });
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<title>Statements of the documents</title>\n<style>\n{}{}</style>\n</head>\n"
      "<body>\n<header>\n<h1>Statements of the documents</h1>\n<p id=\"subtitle\">"
      "{} of {} verdicts are those of the catalog, flitcast {}</p>\n</header>\n"
      "<main>\n{}</main>\n</body>\n</html>\n",
      kPageCss, kStyle, expected, findings.size(), FLITCAST_VERSION, body);
}

}  // namespace flitcast::claims
