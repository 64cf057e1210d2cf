// SPDX-License-Identifier: Apache-2.0
#include "tlm/burst.h"

#include <algorithm>

namespace flitcast::tlm {

std::vector<Piece> pieces_of(unsigned bytes, unsigned streaming_width, unsigned most) {
  if (most == 0 || bytes <= most) return {{0, bytes, 0, streaming_width}};
  const unsigned row = row_bytes(bytes, streaming_width);
  const unsigned chunk = row <= most ? most / row * row : most;
  std::vector<Piece> pieces;
  if (row < bytes && row <= most) {
    for (unsigned at = 0; at < bytes; at += chunk) {
      pieces.push_back({at, std::min(chunk, bytes - at), 0, row});
    }
    return pieces;
  }
  for (unsigned start = 0; start < bytes; start += row) {
    const unsigned end = std::min(row, bytes - start);
    for (unsigned at = 0; at < end; at += most) {
      const unsigned size = std::min(most, end - at);
      pieces.push_back({start + at, size, at, size});
    }
  }
  return pieces;
}

Payload& PartPayloads::make(const Payload& whole, const Piece& piece) {
  Part& part = parts_.take();
  part.set_mm(this);
  part.acquire();
  part.set_command(whole.get_command());
  part.set_data_ptr(whole.get_data_ptr() == nullptr ? nullptr
                                                    : whole.get_data_ptr() + piece.offset);
  part.set_data_length(piece.bytes);
  part.set_streaming_width(piece.streaming_width);
  part.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
  part.set_dmi_allowed(false);
  part.set_gp_option(whole.get_gp_option());
  const unsigned char* const enables = whole.get_byte_enable_ptr();
  const unsigned length = whole.get_byte_enable_length();
  part.enables.clear();
  // Repeats the byte enables of the whole transaction as often as its data requires.
  for (unsigned b = 0; enables != nullptr && length != 0 && b < piece.bytes; ++b) {
    part.enables.push_back(enables[(piece.offset + b) % length]);
  }
  part.set_byte_enable_ptr(part.enables.empty() ? nullptr : part.enables.data());
  part.set_byte_enable_length(static_cast<unsigned>(part.enables.size()));
  for (unsigned e = 0; e < ::tlm::max_num_extensions(); ++e) {
    part.shared.push_back(whole.get_extension(e));
    if (part.shared.back() != nullptr) part.set_extension(e, part.shared.back());
  }
  return part;
}

// The initiator owns the extensions of the whole transaction; those of the target are freed with
// the part.
void PartPayloads::free(Payload* payload) {
  Part& part = *static_cast<Part*>(payload);
  for (unsigned e = 0; e < part.shared.size(); ++e) {
    const bool kept = part.shared[e] != nullptr && part.get_extension(e) == part.shared[e];
    if (kept) part.set_extension(e, nullptr);
  }
  part.shared.clear();
  part.reset();
  parts_.give_back(part);
}

}  // namespace flitcast::tlm
