// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "sim/report/report.h"

namespace flitcast {
namespace {

/// Puts the text where the template has /*MARK*/.
void put(std::string& page, const std::string& mark, std::string_view text) {
  page.replace(page.find(mark), mark.size(), text);
}

/// JSON that cannot end the script element in which it stands.
std::string embedded(const nlohmann::ordered_json& data) {
  std::string text;
  for (const char letter :
       data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) {
    if (letter == '<') {
      text += "\\u003c";
    } else {
      text += letter;
    }
  }
  return text;
}

}  // namespace

// From the last mark to the first, so that no text is searched for marks that stand in another.
std::string report_page(const nlohmann::ordered_json& data) {
  std::string page = kPageHtml;
  put(page, "/*SCRIPT*/", std::string(kChartsJs) + kNetworkJs + kPageJs);
  put(page, "/*LIBRARY*/", kChartLibraryJs);
  put(page, "/*DATA*/", embedded(data));
  put(page, "/*STYLE*/", kPageCss);
  return page;
}

}  // namespace flitcast
