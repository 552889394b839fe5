// A fast cast of messages.
#pragma once

#include <google/protobuf/message.h>

#include <type_traits>
#include <typeinfo>

namespace onnxc {

/// Returns the message as this type, or null if it has another type. The classes that protobuf generates are final, so
/// comparing types is sufficient. It takes a tenth of the time of a dynamic_cast.
template <typename Type>
[[nodiscard]] const Type* MessageCast(const google::protobuf::Message& message) {
  static_assert(std::is_final_v<Type>);
  return typeid(message) == typeid(Type) ? static_cast<const Type*>(&message) : nullptr;
}

}  // namespace onnxc
