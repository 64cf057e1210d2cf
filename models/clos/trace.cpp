// SPDX-License-Identifier: Apache-2.0
#include "clos/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "config/wording.h"

namespace flitcast::clos {
namespace {

template <class... Parts>
void append(std::string& text, fmt::format_string<Parts...> format, Parts&&... parts) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Parts>(parts)...);
}

void append(const ConnectEvent& event, std::string& text) {
  append(text, "C {} {} =", index(event.input),
         fmt::join(mapped(event.outputs, index<OutputId>), ","));
  if (event.blocked()) text += " B";
  const Route& route = event.route;
  for (std::size_t leg = 0; leg < route.size(); ++leg) {
    append(text, " {}:{}", index(route.middle(leg)), to_hex(route.served_set(leg)));
  }
}

void append(const DisconnectEvent& event, std::string& text) {
  append(text, "D {}", index(event.input));
}

constexpr char letter_of(Join) { return 'J'; }
constexpr char letter_of(Leave) { return 'L'; }

template <class Outcome>
void append(const PortEvent<Outcome>& event, std::string& text) {
  append(text, "{} {} {} = {}", letter_of(event.outcome), index(event.input), index(event.output),
         to_text(event.outcome));
}

using Words = std::vector<std::string>;

constexpr Join kJoins[] = {Join::kLocal, Join::kReuse, Join::kNew, Join::kRerouted, Join::kBlocked};
constexpr Leave kLeaves[] = {Leave::kKeptLink, Leave::kLinkFreed, Leave::kClosed};

template <class Outcome, std::size_t kCount>
Outcome to_outcome(const std::string& word, const Outcome (&outcomes)[kCount]) {
  const auto known =
      mapped<std::string>(outcomes, [](Outcome outcome) { return to_text(outcome); });
  const std::size_t place = index_of(known, word);
  if (place < kCount) return outcomes[place];
  throw std::invalid_argument("no outcome \"" + word + "\"; write one of " + joined(known));
}

std::uint32_t to_number(const std::string& text) {
  const auto number = number_in<std::uint32_t>(text);
  if (number && text.size() <= 9) return *number;
  throw std::invalid_argument("\"" + text + "\" is not the number of a port or switch");
}

std::vector<OutputId> to_outputs(const std::string& text) {
  std::vector<OutputId> outputs;
  for (std::size_t from = 0, to = 0; from <= text.size(); from = to + 1) {
    to = std::min(text.find(',', from), text.size());
    outputs.push_back(OutputId{to_number(text.substr(from, to - from))});
  }
  return outputs;
}

Event to_connect(const Words& words, std::size_t output_switches) {
  ConnectEvent event{InputId{to_number(words[1])}, to_outputs(words[2]), Route(output_switches)};
  if (words.size() == 5 && words[4] == "B") return event;
  for (std::size_t w = 4; w < words.size(); ++w) {
    const std::size_t colon = words[w].find(':');
    if (colon == std::string::npos) {
      throw std::invalid_argument("\"" + words[w] + "\" is not middle:served");
    }
    const BitSet served = from_hex(words[w].substr(colon + 1), output_switches);
    event.route.add(MiddleId{to_number(words[w].substr(0, colon))}, served.words());
  }
  return event;
}

template <class Outcome, std::size_t kCount>
Event to_port_event(const Words& words, const Outcome (&outcomes)[kCount]) {
  return PortEvent<Outcome>{InputId{to_number(words[1])}, OutputId{to_number(words[2])},
                            to_outcome(words[4], outcomes)};
}

Event to_event(const Words& words, std::size_t output_switches) {
  const std::string& kind = words[0];
  const bool has_outcome = words.size() >= 5 && words[3] == "=";
  if (kind == "C" && has_outcome) return to_connect(words, output_switches);
  if (kind == "D" && words.size() == 2) return DisconnectEvent{InputId{to_number(words[1])}};
  const bool has_one_word = has_outcome && words.size() == 5;
  if (kind == "J" && has_one_word) return to_port_event(words, kJoins);
  if (kind == "L" && has_one_word) return to_port_event(words, kLeaves);
  throw std::invalid_argument(
      "write \"C input outputs = route\", \"D input\", \"J input output = outcome\" or \"L input "
      "output = outcome\"");
}

// Splits a text at line ends and semicolons, and the parts into words.
std::vector<Words> events_in(std::string text) {
  std::replace(text.begin(), text.end(), ';', '\n');
  std::istringstream lines(text);
  std::vector<Words> events;
  for (std::string line; std::getline(lines, line);) {
    events.push_back(words_in(line));
    if (events.back().empty()) events.pop_back();
  }
  return events;
}

Event again(const ConnectEvent& event, ConnectionAdmission& control) {
  return ConnectEvent{event.input, event.outputs, control.connect(event.input, event.outputs)};
}

Event again(const DisconnectEvent& event, ConnectionAdmission& control) {
  control.disconnect(event.input);
  return event;
}

Event again(const JoinEvent& event, ConnectionAdmission& control) {
  return JoinEvent{event.input, event.output, control.join(event.input, event.output)};
}

Event again(const LeaveEvent& event, ConnectionAdmission& control) {
  return LeaveEvent{event.input, event.output, control.leave(event.input, event.output)};
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
  hash_.add(line_);
}

std::vector<Event> parse_trace(const std::string& text, std::size_t output_switches) {
  std::vector<Event> events;
  for (const Words& words : events_in(text)) {
    try {
      events.push_back(to_event(words, output_switches));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("event {} \"{}\": {}", events.size() + 1,
                                              fmt::join(words, " "), error.what()));
    }
  }
  return events;
}

Event replay(const Event& event, ConnectionAdmission& control) {
  return std::visit([&](const auto& it) { return again(it, control); }, event);
}

}  // namespace flitcast::clos
