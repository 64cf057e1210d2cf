// SPDX-License-Identifier: Apache-2.0
#include "network/pins/allocators.h"

#include "network/pins/process.h"
#include "router/bit_mask.h"
#include "router/invariant.h"

namespace flitcast::pins {

namespace {

constexpr unsigned kMostNumbers = 64;

/// Returns `shape`, or a shape of one VC if `shape` is not valid.
AllocatorShape sound(const AllocatorShape& shape, const sc_core::sc_object& module) {
  const bool fits = shape.ports >= 1 && shape.ports <= kMostNumbers &&
                    shape.virtual_channels >= 1 && shape.virtual_channels <= kMaxVirtualChannels &&
                    shape.numbers() <= kMostNumbers;
  if (fits) return shape;
  report_error("pins/parameters", module.name(),
               "an allocator has 1 to 64 virtual channels a side, in ports of 1 to 32");
  return {};
}

std::vector<RoundRobinOrder> orders(unsigned count, unsigned requesters) {
  return std::vector<RoundRobinOrder>(count, RoundRobinOrder(requesters));
}

void require_output(unsigned route, unsigned ports, unsigned number, unsigned vcs) {
  if (route < ports) return;
  broken_invariant("request for an unknown output", number / vcs, number % vcs);
}

}  // namespace

VcAllocator::VcAllocator(const sc_core::sc_module_name& module_name, const AllocatorShape& shape)
    : Following(module_name),
      shape_(sound(shape, *this)),
      waiting_i("waiting_i", shape_.numbers()),
      route_i("route_i", waiting_i.size()),
      vcs_i("vcs_i", waiting_i.size()),
      free_i("free_i", shape_.ports),
      granted_o("granted_o", waiting_i.size()),
      vc_o("vc_o", waiting_i.size()),
      taken_o("taken_o", free_i.size()) {
  VcAllocator::reset();
  follow(waiting_i, route_i, vcs_i, free_i);
}

void VcAllocator::reset() {
  picks_ = orders(shape_.numbers(), shape_.numbers());
  winners_ = picks_;
}

// Returns the free output VCs for a waiting head. The round-robin order covers the VCs of all
// outputs; at an output other than the last granted one it starts from VC 0.
std::uint64_t VcAllocator::choices(unsigned input) const {
  const unsigned output = route_i[input].read();
  if (!waiting_i[input].read() || output >= shape_.ports) return 0;
  const VcSet vcs =
      vcs_i[input].read() & free_i[output].read() & vc_range(0, shape_.virtual_channels);
  return std::uint64_t{vcs} << (output * shape_.virtual_channels);
}

VcAllocator::Grants VcAllocator::grants() const {
  Grants askers(shape_.numbers(), 0);  // By output VC: the input VCs that picked it.
  for (unsigned input = 0; input < shape_.numbers(); ++input) {
    const std::uint64_t pick = picks_[input].grant(choices(input));
    if (pick != 0) askers[lowest_bit(pick)] |= std::uint64_t{1} << input;
  }
  Grants grants(shape_.numbers(), 0);
  for (unsigned output = 0; output < shape_.numbers(); ++output) {
    const std::uint64_t winner = winners_[output].grant(askers[output]);
    if (winner != 0) grants[lowest_bit(winner)] = std::uint64_t{1} << output;
  }
  return grants;
}

void VcAllocator::follow_inputs() {
  const Grants grants = this->grants();
  std::vector<VcSet> taken(shape_.ports, 0);
  for (unsigned input = 0; input < shape_.numbers(); ++input) {
    const unsigned output = grants[input] == 0 ? 0 : lowest_bit(grants[input]);
    const unsigned vc = output % shape_.virtual_channels;
    granted_o[input].write(grants[input] != 0);
    vc_o[input].write(vc);
    if (grants[input] != 0) taken[output / shape_.virtual_channels] |= VcSet{1} << vc;
  }
  for (unsigned port = 0; port < shape_.ports; ++port) taken_o[port].write(taken[port]);
}

void VcAllocator::require_sound() const {
  const VcSet none = ~vc_range(0, shape_.virtual_channels);
  for (unsigned input = 0; input < shape_.numbers(); ++input) {
    if (!waiting_i[input].read()) continue;
    require_output(route_i[input].read(), shape_.ports, input, shape_.virtual_channels);
    if ((vcs_i[input].read() & none) == 0) continue;
    broken_invariant("request for an unknown virtual channel", input / shape_.virtual_channels,
                     input % shape_.virtual_channels);
  }
}

void VcAllocator::tick() {
  require_sound();
  const Grants grants = this->grants();
  for (unsigned input = 0; input < shape_.numbers(); ++input) {
    if (grants[input] == 0) continue;
    picks_[input].serve(grants[input]);
    winners_[lowest_bit(grants[input])].serve(std::uint64_t{1} << input);
  }
}

SwitchAllocator::SwitchAllocator(const sc_core::sc_module_name& module_name,
                                 const AllocatorShape& shape)
    : Following(module_name),
      shape_(sound(shape, *this)),
      ready_i("ready_i", shape_.numbers()),
      route_i("route_i", ready_i.size()),
      sends_o("sends_o", ready_i.size()),
      valid_o("valid_o", shape_.ports),
      source_o("source_o", valid_o.size()) {
  SwitchAllocator::reset();
  follow(ready_i, route_i);
}

void SwitchAllocator::reset() {
  picks_ = orders(shape_.ports, shape_.ports);
  winners_ = picks_;
  vcs_ = orders(shape_.ports, shape_.virtual_channels);
}

// Picks first an output, then a VC among those that request this output.
SwitchAllocator::Candidate SwitchAllocator::candidate(unsigned port) const {
  const unsigned first = port * shape_.virtual_channels;
  const auto wants = [&](unsigned vc) {
    const unsigned output = route_i[first + vc].read();
    return ready_i[first + vc].read() && output < shape_.ports ? std::uint64_t{1} << output : 0;
  };
  std::uint64_t wanted = 0;
  for (unsigned vc = 0; vc < shape_.virtual_channels; ++vc) wanted |= wants(vc);
  const std::uint64_t output = picks_[port].grant(wanted);
  std::uint64_t vcs = 0;
  for (unsigned vc = 0; vc < shape_.virtual_channels; ++vc) {
    if ((wants(vc) & output) != 0) vcs |= std::uint64_t{1} << vc;
  }
  return {output, vcs_[port].grant(vcs)};
}

std::vector<SwitchAllocator::Candidate> SwitchAllocator::candidates() const {
  std::vector<Candidate> candidates;
  std::vector<std::uint64_t> askers(shape_.ports, 0);  // By output: the input ports that picked it.
  for (unsigned port = 0; port < shape_.ports; ++port) {
    candidates.push_back(candidate(port));
    const std::uint64_t output = candidates.back().output;
    if (output != 0) askers[lowest_bit(output)] |= std::uint64_t{1} << port;
  }
  for (unsigned output = 0; output < shape_.ports; ++output) {
    const std::uint64_t winner = winners_[output].grant(askers[output]);
    if (winner != 0) candidates[lowest_bit(winner)].wins = true;
  }
  return candidates;
}

void SwitchAllocator::follow_inputs() {
  const std::vector<Candidate> candidates = this->candidates();
  for (unsigned output = 0; output < shape_.ports; ++output) {
    unsigned source = 0;
    while (source < shape_.ports &&
           !(candidates[source].wins && candidates[source].output == std::uint64_t{1} << output)) {
      ++source;
    }
    valid_o[output].write(source < shape_.ports);
    source_o[output].write(source < shape_.ports ? source : 0);
  }
  for (unsigned input = 0; input < shape_.numbers(); ++input) {
    const Candidate& of_port = candidates[input / shape_.virtual_channels];
    sends_o[input].write(of_port.wins && (of_port.vc >> input % shape_.virtual_channels & 1) != 0);
  }
}

void SwitchAllocator::require_sound() const {
  for (unsigned input = 0; input < shape_.numbers(); ++input) {
    if (!ready_i[input].read()) continue;
    require_output(route_i[input].read(), shape_.ports, input, shape_.virtual_channels);
  }
}

void SwitchAllocator::tick() {
  require_sound();
  const std::vector<Candidate> candidates = this->candidates();
  for (unsigned port = 0; port < shape_.ports; ++port) {
    const Candidate& candidate = candidates[port];
    if (!candidate.wins) continue;
    picks_[port].serve(candidate.output);
    vcs_[port].serve(candidate.vc);
    winners_[lowest_bit(candidate.output)].serve(std::uint64_t{1} << port);
  }
}

}  // namespace flitcast::pins
