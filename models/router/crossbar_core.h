// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bit_set.h"
#include "router/invariant.h"

namespace flitcast {

/// A multicast crossbar: every output is driven by at most one input, an input drives any number of
/// outputs. It switches circuits: connections are made before the flits arrive, and a flit at an
/// input is copied to all outputs that the input drives in the same cycle.
///
///   in (valid, flit) --> tick() --> forward(input, output), once per copy
///
/// The registers behind the outputs belong to the host, which keeps a copy for as many cycles as
/// the stage takes, at least one. A connection made or released before a tick holds for that tick.
///
/// Copies are conserved: a flit leaves by exactly the outputs of its input. A flit at an input that
/// drives no output would be lost and is an InvariantError, as are a second driver of an output,
/// the release of an idle output, and ports that the crossbar does not have. Time of a tick:
/// O(copies + inputs / 64); memory: 8 bytes per output and 4 per input.
class CrossbarCore {
 public:
  /// Stands for no port.
  static constexpr std::uint32_t kNone = 0xffffffff;

  CrossbarCore(std::uint32_t inputs, std::uint32_t outputs)
      : first_(inputs, kNone), outputs_(outputs) {}

  std::uint32_t inputs() const { return static_cast<std::uint32_t>(first_.size()); }
  std::uint32_t outputs() const { return static_cast<std::uint32_t>(outputs_.size()); }
  /// The input that drives an output; kNone if it is idle.
  std::uint32_t driver(std::uint32_t output) const { return outputs_[output].driver; }
  bool drives(std::uint32_t input) const { return first_[input] != kNone; }

  /// Connects an idle output to `input`.
  void connect(std::uint32_t input, std::uint32_t output) {
    if (input >= inputs()) broken_invariant("no such input of a crossbar", input, 0);
    if (output >= outputs()) broken_invariant("no such output of a crossbar", output, 0);
    if (driver(output) != kNone) broken_invariant("two drivers of a crossbar's output", output, 0);
    outputs_[output] = {input, first_[input]};
    first_[input] = output;
  }

  /// Disconnects a driven output. Time: O(outputs connected to its input later).
  void release(std::uint32_t output) {
    if (output >= outputs()) broken_invariant("no such output of a crossbar", output, 0);
    if (driver(output) == kNone) broken_invariant("release of an idle crossbar output", output, 0);
    std::uint32_t* link = &first_[driver(output)];
    while (*link != output) link = &outputs_[*link].next;
    *link = outputs_[output].next;
    outputs_[output] = {};
  }

  /// Copies the flits at the inputs of the set `valid`, set_words(inputs()) words.
  ///
  /// `Host` provides, inline:
  ///   void forward(std::uint32_t input, std::uint32_t output);
  template <class Host>
  void tick(const SetWord* valid, Host& host) const {
    const std::size_t words = set_words(first_.size());
    for (std::size_t w = 0; w < words; ++w) {
      for (SetWord rest = valid[w]; rest != 0; rest &= rest - 1) {
        copy(static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(__builtin_ctzll(rest)),
             host);
      }
    }
  }

 private:
  /// An output; the outputs of an input form a linked list.
  struct Output {
    std::uint32_t driver = kNone;
    std::uint32_t next = kNone;
  };

  template <class Host>
  void copy(std::uint32_t input, Host& host) const {
    std::uint32_t output = first_[input];
    if (output == kNone) broken_invariant("flit at a crossbar input without outputs", input, 0);
    do {
      host.forward(input, output);
      output = outputs_[output].next;
    } while (output != kNone);
  }

  std::vector<std::uint32_t> first_;  // Per input: the output connected last, head of the list.
  std::vector<Output> outputs_;
};

}  // namespace flitcast
