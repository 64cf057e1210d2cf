// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>
#include <verilated_syms.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace flitcast {

/// One bit of a register in a Verilated module.
class RegisterBit {
 public:
  RegisterBit(std::string name, std::uint8_t* byte, unsigned bit)
      : name_(std::move(name)), byte_(byte), mask_(static_cast<std::uint8_t>(1U << bit)) {}

  /// Returns a name such as "gen_output[0].flit_q[17]"; "slots_q[2][6]" is bit 6 of word 2 of an
  /// array.
  const std::string& name() const { return name_; }
  bool value() const { return (*byte_ & mask_) != 0; }
  /// Sets the bit; the outputs follow when the model settles.
  void set(bool value) {
    *byte_ = static_cast<std::uint8_t>(value ? *byte_ | mask_ : *byte_ & ~mask_);
  }

 private:
  std::string name_;
  std::uint8_t* byte_;
  std::uint8_t mask_;
};

namespace registers_detail {

// Verilator stores all words in the machine's byte order, lowest byte first.
inline void append_bits(const std::string& name, void* word, int width,
                        std::vector<RegisterBit>& bits) {
  for (unsigned bit = 0; bit < static_cast<unsigned>(width); ++bit) {
    std::uint8_t* const byte = static_cast<std::uint8_t*>(word) + bit / 8;
    bits.emplace_back(name + '[' + std::to_string(bit) + ']', byte, bit % 8);
  }
}

inline void append_variable(const std::string& scope, const VerilatedVar& variable,
                            std::vector<RegisterBit>& bits) {
  const std::string name = scope + variable.name();
  const int width = variable.dims() > variable.udims() ? variable.packed().elements() : 1;
  if (variable.udims() == 0) return append_bits(name, variable.datap(), width, bits);
  for (int word = 0; word < variable.elements(1); ++word) {
    std::uint8_t* const place = static_cast<std::uint8_t*>(variable.datap()) +
                                static_cast<std::size_t>(word) * variable.entSize();
    append_bits(name + '[' + std::to_string(word) + ']', place, width, bits);
  }
}

}  // namespace registers_detail

/// Returns the bits of all registers of a module that is Verilated as COSIM, always in the same
/// order: variables with names in _q, and the ports that registers.vlt lists. Arrays have at most
/// one dimension.
inline std::vector<RegisterBit> register_bits(VerilatedContext& context) {
  std::vector<RegisterBit> bits;
  for (const auto& [path, scope] : *context.scopeNameMap()) {
    if (scope->varsp() == nullptr) continue;
    // The path starts with "TOP.<module>".
    std::string place(path);
    place.erase(0, place.find('.') + 1);
    const auto module_end = place.find('.');
    place = module_end == std::string::npos ? "" : place.substr(module_end + 1) + '.';
    for (const auto& entry : *scope->varsp()) {
      registers_detail::append_variable(place, entry.second, bits);
    }
  }
  return bits;
}

}  // namespace flitcast
