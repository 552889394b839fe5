#include "codec/owned_message.h"

#include <onnxc/arena.h>

#include <atomic>
#include <type_traits>

namespace onnxc {

OwnedMessage::OwnedMessage(Kind kind, Lifetime lifetime)
    : arena_(std::make_unique<google::protobuf::Arena>(ModelArena())), lifetime_(lifetime) {
  WithKind(kind,
           [&](const auto& row) { message_ = NewIn<typename std::decay_t<decltype(row)>::Message>(arena_.get()); });
}

OwnedMessage::~OwnedMessage() {
  static std::atomic<google::protobuf::Arena*>
      last;  // keeps the arena reachable, so that leak checkers do not report it
  if (lifetime_ == Lifetime::kProcess) delete last.exchange(arena_.release());
}

}  // namespace onnxc
