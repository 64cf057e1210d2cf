// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// TLM-2.0: a network with sockets for initiators and targets (tlm::Interconnect), from a YAML file
/// or from a topology and a routing in C++, and the checker of the base protocol for any socket
/// (tlm::ProtocolChecker); logs of transactions (tlm::csv_log, tlm::scv_log), and masters that try
/// an interconnect (tlm::RandomMaster). Component `tlm`.
#include "tlm/extensions.h"
#include "tlm/interconnect.h"
#include "tlm/protocol_checker.h"
#include "tlm/random_master.h"
#include "tlm/transaction_log.h"
