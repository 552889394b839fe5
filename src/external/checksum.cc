#include "external/checksum.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>

#include "external/external_entries.h"
#include "source/openssl_sha.h"
#include "tables/raw_data.h"

namespace onnxc {

struct Checksum::State {
  SHA256_CTX context;
};

Checksum::Checksum() : state_(std::make_unique<State>()) { ::SHA256_Init(&state_->context); }

Checksum::~Checksum() = default;

void Checksum::Add(std::string_view bytes) { ::SHA256_Update(&state_->context, bytes.data(), bytes.size()); }

std::string Checksum::Finish() {
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
  ::SHA256_Final(digest.data(), &state_->context);
  return fmt::format("{}{:02x}", kChecksumPrefix, fmt::join(digest, ""));
}

std::string ChecksumOfData(const onnx::TensorProto& tensor) {
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) return {};
  std::string scratch;
  const auto bytes = RawBytes(tensor, &scratch);
  if (!bytes.has_value()) return {};
  Checksum checksum;
  checksum.Add(*bytes);
  return checksum.Finish();
}

}  // namespace onnxc
