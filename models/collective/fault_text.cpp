// SPDX-License-Identifier: Apache-2.0
#include "collective/fault_text.h"

namespace flitcast {

namespace {

template <class Id>
std::string number(Id id) {
  return std::to_string(index(id));
}

std::string what_is_wrong(Fault fault, const Send& send, const Channel* shared) {
  switch (fault) {
    case Fault::kNoSuchNode:
      return ", but one of the three does not exist";
    case Fault::kBrokenPath:
      return " along a path that is empty or leaves the network";
    case Fault::kWrongReceiver:
      return ", but the path ends elsewhere";
    case Fault::kLongPath:
      return " over more than one channel";
    case Fault::kSenderLacksChunk:
      return " but does not hold it";
    case Fault::kLinkShared:
      return " over the channel that leaves router " + number(shared->from.router) + " by output " +
             number(shared->from.port) + ", which is taken";
    case Fault::kSendLimit:
      return ", one send more than node " + number(send.from) + " may make";
    case Fault::kReceiveLimit:
      return ", one message more than node " + number(send.to) + " may receive";
    default:
      return "";
  }
}

}  // namespace

const char* to_text(Fault fault) {
  switch (fault) {
    case Fault::kNoSuchNode:
      return "no such node or chunk";
    case Fault::kBrokenPath:
      return "broken path";
    case Fault::kWrongReceiver:
      return "wrong receiver";
    case Fault::kLongPath:
      return "long path";
    case Fault::kSenderLacksChunk:
      return "sender lacks chunk";
    case Fault::kLinkShared:
      return "link shared";
    case Fault::kSendLimit:
      return "send limit";
    case Fault::kReceiveLimit:
      return "receive limit";
    case Fault::kUnserved:
      return "unserved";
    case Fault::kRounds:
      return "rounds";
    case Fault::kTransmissions:
      return "transmissions";
    case Fault::kDuplicates:
      return "duplicates";
  }
  return "";
}

std::string describe(Fault fault, std::size_t round, const Send& send, const Channel* shared) {
  const std::string receiver = "node " + number(send.to);
  const std::string chunk = "chunk " + number(send.chunk);
  if (fault == Fault::kUnserved) return receiver + " lacks " + chunk + " at the end";
  return "round " + std::to_string(round) + ": node " + number(send.from) + " sends " + chunk +
         " to " + receiver + what_is_wrong(fault, send, shared);
}

}  // namespace flitcast
