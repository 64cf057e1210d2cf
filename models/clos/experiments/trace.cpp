// SPDX-License-Identifier: Apache-2.0
#include "clos/experiments/trace.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace flitcast::clos {
namespace {

template <class... Parts>
void append(std::string& text, fmt::format_string<Parts...> format, Parts&&... parts) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Parts>(parts)...);
}

void append(const ConnectEvent& event, std::string& text) {
  append(text, "C {}", index(event.input));
  char separator = ' ';
  for (const OutputId output : event.outputs) {
    append(text, "{}{}", separator, index(output));
    separator = ',';
  }
  text += " =";
  if (event.blocked()) text += " B";
  const Route& route = event.route;
  for (std::size_t leg = 0; leg < route.size(); ++leg) {
    append(text, " {}:{}", index(route.middle(leg)), to_hex(route.served_set(leg)));
  }
}

void append(const DisconnectEvent& event, std::string& text) {
  append(text, "D {}", index(event.input));
}

void append(const JoinEvent& event, std::string& text) {
  append(text, "J {} {} = {}", index(event.input), index(event.output), to_text(event.outcome));
}

void append(const LeaveEvent& event, std::string& text) {
  append(text, "L {} {} = {}", index(event.input), index(event.output), to_text(event.outcome));
}

}  // namespace

void append_line(const Event& event, std::string& text) {
  std::visit([&text](const auto& it) { append(it, text); }, event);
  text += '\n';
}

std::string to_line(const Event& event) {
  std::string line;
  append_line(event, line);
  line.pop_back();
  return line;
}

void TraceHash::add(const Event& event) {
  line_.clear();
  append_line(event, line_);
  for (const char c : line_) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
}

}  // namespace flitcast::clos
