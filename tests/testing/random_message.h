// Messages at random: whatever protobuf can hold and read back. The seed alone decides what comes out.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>

namespace onnxc::testing {

/// Fills an empty message: with models as exporters make them, with such models after a few random changes (a field
/// more, one less, unknown fields), with pure noise, or with one chain of messages down to protobuf's limit of depth.
/// What comes out has been through protobuf's wire format once, so that unknown fields stand as a reader sees them.
void FillAtRandom(google::protobuf::Message* message, std::uint64_t seed);

/// Makes one to three such changes in any message that protobuf reads. It stays one.
void ChangeAtRandom(google::protobuf::Message* message, std::uint64_t seed);

/// Puts a message that stands somewhere in `source` in the place of one of its type in `message`.
void TakeAtRandom(google::protobuf::Message* message, const google::protobuf::Message& source, std::uint64_t seed);

/// The same message after protobuf has written and read it. False: protobuf does not read it back.
[[nodiscard]] bool Normalise(google::protobuf::Message* message);

}  // namespace onnxc::testing
