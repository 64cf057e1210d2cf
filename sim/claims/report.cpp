// SPDX-License-Identifier: Apache-2.0
#include "sim/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "base/sequences.h"
#include "config/wording.h"
#include "sim/claims/statement.h"

namespace flitcast::claims {
namespace {

std::string escaped(const std::string& text) {
  return all_replaced(all_replaced(text, "&", "&amp;"), "<", "&lt;");
}

std::string row(const std::string& head, const std::string& text) {
  if (text.empty()) return "";
  return fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", escaped(head), escaped(text));
}

/// Figures beside the numbers with which they are compared.
std::string comparisons_of(const Finding& finding) {
  const auto rows = sum_of<std::string>(finding.comparisons, [](const Comparison& one) {
    return fmt::format("<tr><th>{}</th><td>{}</td><td>{} {}</td><td>{}{}</td></tr>\n",
                       escaped(one.figure), value_text(one.found), escaped(one.relation),
                       value_text(one.stated), one.printed ? "the page's; " : "",
                       one.met() ? "met" : "not met");
  });
  if (rows.empty()) return "";
  return "<table class=\"compared\">\n<tr><th>figure</th><th>found</th><th>stated</th>"
         "<th></th></tr>\n" +
         rows + "</table>\n";
}

/// All else that is known, folded.
std::string details_of(const Finding& finding) {
  std::string rows = row("parameters", values_text(finding.parameters.effective())) +
                     row("shown by", finding.statement.evidence);
  const ordered_json shown = finding.shown();
  for (const auto& [name, value] : shown.items()) rows += row(name, value_text(value));
  return "<details><summary>parameters, evidence, all figures</summary>\n<table>\n" + rows +
         "</table></details>\n";
}

std::string line(const std::string& head, const std::string& text) {
  return text.empty() ? "" : fmt::format("<p><b>{}</b> {}</p>\n", head, escaped(text));
}

std::string article(const Finding& finding) {
  const Statement& statement = finding.statement;
  const char* kind = finding.as_expected() ? "" : "fails";
  if (finding.outcome == Outcome::kPageErrs) kind = "errs";
  return fmt::format(
             "<article id=\"{0}\" class=\"{1}\">\n<h4>{0} <span "
             "class=\"outcome\">{2}</span></h4>\n",
             statement.id, kind, to_text(finding.outcome)) +
         fmt::format("<p>{}</p>\n", escaped(statement.text)) +
         line("On the page:", statement.page) + line("Formula:", statement.formula) +
         comparisons_of(finding) + line("Verdict:", finding.verdict()) +
         fmt::format("{}\n{}</article>\n", fmt::join(finding.figures.drawings, "\n"),
                     details_of(finding));
}

}  // namespace

std::string page_of(const std::vector<Finding>& findings) {
  std::string body;
  std::string contents;
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
        articles += fmt::format("<h3>{}</h3>\n", escaped(section));
      }
      articles += article(finding);
    }
    if (articles.empty()) continue;
    contents += fmt::format("<li><a href=\"#d{0}\">{0} {1}</a></li>\n", document.number,
                            escaped(document.title));
    body += fmt::format("<h2 id=\"d{0}\">{0} {1}</h2>\n{2}", document.number,
                        escaped(document.title), articles);
  }
  const auto expected = count_if(findings, [](const Finding& one) { return one.as_expected(); });
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<title>Statements of the documents</title>\n<style>\n{}{}</style>\n</head>\n"
      "<body>\n<header>\n<h1>Statements of the documents</h1>\n<p id=\"subtitle\">"
      "{} of {} verdicts are those of the catalog, flitcast {}</p>\n</header>\n"
      "<main>\n<ul>\n{}</ul>\n{}</main>\n</body>\n</html>\n",
      kPageCss, kStatementsCss, expected, findings.size(), FLITCAST_VERSION, contents, body);
}

}  // namespace flitcast::claims
