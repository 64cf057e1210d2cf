// SPDX-License-Identifier: Apache-2.0
#include "clos/experiments/trace.h"

#include <fmt/format.h>

namespace flitcast::clos {
namespace {

std::string outputs_text(const std::vector<OutputId>& outputs) {
  std::string text;
  for (const OutputId output : outputs) {
    if (!text.empty()) text += ',';
    text += std::to_string(index(output));
  }
  return text;
}

std::string line_of(const ConnectEvent& event) {
  std::string line = fmt::format("C {} {} =", index(event.input), outputs_text(event.outputs));
  if (event.blocked()) return line + " B";
  const Route& route = event.route;
  for (std::size_t leg = 0; leg < route.size(); ++leg) {
    line += fmt::format(" {}:{}", index(route.middle(leg)), to_hex(route.served_set(leg)));
  }
  return line;
}

std::string line_of(const DisconnectEvent& event) {
  return fmt::format("D {}", index(event.input));
}

std::string line_of(const JoinEvent& event) {
  return fmt::format("J {} {} = {}", index(event.input), index(event.output),
                     to_text(event.outcome));
}

std::string line_of(const LeaveEvent& event) {
  return fmt::format("L {} {} = {}", index(event.input), index(event.output),
                     to_text(event.outcome));
}

}  // namespace

std::string to_line(const Event& event) {
  return std::visit([](const auto& it) { return line_of(it); }, event);
}

void TraceHash::add(const Event& event) {
  for (const char c : to_line(event) + '\n') {
    hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
}

}  // namespace flitcast::clos
