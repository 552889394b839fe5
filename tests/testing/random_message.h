// Random messages. Each can be any message that protobuf can store and read back. The result depends only on the seed.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>

namespace onnxc::testing {

/// Fills an empty message in one of four ways: like the output of an exporter; like the output of an exporter after a
/// few random changes (an added field, a removed field, unknown fields); with completely random fields; or with one
/// chain of messages down to protobuf's depth limit. The message is then serialized and parsed, so that unknown fields
/// are stored as a reader sees them.
void FillAtRandom(google::protobuf::Message* message, std::uint64_t seed);

/// Makes one to three of the random changes above in a message that protobuf can read. Protobuf can read the result,
/// too.
void ChangeAtRandom(google::protobuf::Message* message, std::uint64_t seed);

/// Replaces a message inside of `message` by a message of the same type inside of `source`.
void TakeAtRandom(google::protobuf::Message* message, const google::protobuf::Message& source, std::uint64_t seed);

/// Serializes and parses the message. Returns false if protobuf cannot read it back.
[[nodiscard]] bool Normalise(google::protobuf::Message* message);

}  // namespace onnxc::testing
