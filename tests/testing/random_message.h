// Random messages: any message that protobuf can store and read back. Only the seed determines the result.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>

namespace onnxc::testing {

/// Fills an empty message: with a model such as exporters make, with such a model after a few random changes (an added
/// field, a removed field, unknown fields), with completely random fields, or with one chain of messages down to
/// protobuf's limit of depth. The result was serialized and parsed once, so that unknown fields are stored as a reader
/// sees them.
void FillAtRandom(google::protobuf::Message* message, std::uint64_t seed);

/// Makes one to three such changes in a message that protobuf can read. Protobuf can read the result, too.
void ChangeAtRandom(google::protobuf::Message* message, std::uint64_t seed);

/// Replaces a message inside of `message` by a message of the same type that is somewhere in `source`.
void TakeAtRandom(google::protobuf::Message* message, const google::protobuf::Message& source, std::uint64_t seed);

/// Serializes and parses the message. Returns false if protobuf cannot read it back.
[[nodiscard]] bool Normalise(google::protobuf::Message* message);

}  // namespace onnxc::testing
