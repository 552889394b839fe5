// A message of a kind that is known only at run time.
#pragma once

#include <google/protobuf/arena.h>
#include <onnxc/kind.h>
#include <onnxc/proto.h>

#include <memory>

namespace onnxc {

/// The lifetime of a message.
enum class Lifetime {
  kScope,
  kProcess,  ///< until the process ends, which frees all strings at once
};

/// An empty message of a kind in its own arena. A large model is created and freed several times faster in an arena.
class OwnedMessage {
 public:
  explicit OwnedMessage(Kind kind, Lifetime lifetime = Lifetime::kScope);
  OwnedMessage(const OwnedMessage&) = delete;
  OwnedMessage& operator=(const OwnedMessage&) = delete;
  ~OwnedMessage();
  [[nodiscard]] google::protobuf::Message* get() const { return message_; }
  google::protobuf::Message& operator*() const { return *message_; }

 private:
  std::unique_ptr<google::protobuf::Arena> arena_;
  Lifetime lifetime_;
  google::protobuf::Message* message_ = nullptr;
};

}  // namespace onnxc
