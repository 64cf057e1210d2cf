// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace flitcast::testing {

/// The id of the reports of a rule of the base protocol.
inline std::string id_of_rule(const std::string& name) {
  std::string id = "/flitcast/tlm/";
  for (const char c : name) id += c == ' ' ? '_' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return id;
}

/// A pool of payloads with data and a memory manager, which counts those in use.
class Payloads : public ::tlm::tlm_mm_interface {
 public:
  struct Payload : ::tlm::tlm_generic_payload {
    explicit Payload(::tlm::tlm_mm_interface* manager) : tlm_generic_payload(manager) {}
    std::vector<unsigned char> data;
    std::uint64_t note = 0;  ///< For use by tests.
  };

  ~Payloads() override = default;

  /// A payload as an initiator sends it, acquired once.
  Payload& make(::tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
    if (free_.empty()) {
      all_.push_back(std::make_unique<Payload>(this));
      free_.push_back(all_.back().get());
    }
    Payload& payload = *free_.back();
    free_.pop_back();
    payload.acquire();
    payload.data.assign(bytes, 0);
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(payload.data.data());
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes == 0 ? 1 : bytes);
    payload.set_byte_enable_ptr(nullptr);
    payload.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
    payload.set_dmi_allowed(false);
    return payload;
  }
  void free(::tlm::tlm_generic_payload* payload) override {
    payload->reset();
    free_.push_back(static_cast<Payload*>(payload));
  }

  std::size_t in_use() const { return all_.size() - free_.size(); }

 private:
  std::vector<std::unique_ptr<Payload>> all_;
  std::vector<Payload*> free_;
};

}  // namespace flitcast::testing
