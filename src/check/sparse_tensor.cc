// Rules for sparse tensors: values, indices and their order.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "check/context.h"
#include "check/tensor_size.h"

namespace onnxc::check {
namespace {

using onnx::SparseTensorProto;
using onnx::TensorProto;

class SparseTensor {
 public:
  SparseTensor(const SparseTensorProto& tensor, const Place& place, Run& run)
      : tensor_(tensor), place_(place), run_(run) {}

  void Check() {
    if (!tensor_.has_values()) return Report(diag::kSparseValues);
    const TensorProto& values = tensor_.values();
    CheckTensorRules(values, place_.Child(values, SparseTensorProto::kValuesFieldNumber), run_);
    if (values.dims_size() != 1) return Report(diag::kSparseValuesShape);
    if (tensor_.dims_size() == 0) return Report(diag::kSparseDims);
    for (const std::int64_t dim : tensor_.dims()) {
      if (dim <= 0) return Report(diag::kSparseDim, dim);
    }
    if (tensor_.has_indices()) {
      CheckIndices(values.dims(0));
    } else if (values.dims(0) != 0) {
      Report(diag::kSparseIndices);
    }
  }

 private:
  template <typename... Args>
  void Report(const DiagnosticBase<Args...>& rule, std::type_identity_t<Args>... args) {
    run_.findings.Report(rule, place_, args...);
  }

  void CheckIndices(std::int64_t count) {
    const TensorProto& indices = tensor_.indices();
    CheckTensorRules(indices, place_.Child(indices, SparseTensorProto::kIndicesFieldNumber), run_);
    if (indices.data_type() != TensorProto::INT64) return Report(diag::kSparseIndicesType);
    if (indices.dims_size() != 1 && indices.dims_size() != 2) return Report(diag::kSparseIndicesShape);
    if (indices.dims(0) != count) return Report(diag::kSparseIndexCount, count, indices.dims(0));
    const int rank = tensor_.dims_size();
    if (indices.dims_size() == 2 && indices.dims(1) != rank) {
      return Report(diag::kSparseIndexRank, indices.dims(1), rank);
    }
    const int width = indices.dims_size() == 1 ? 1 : rank;
    if (!ReadIndices(count, width)) return Report(diag::kSparseIndexData);
    CheckOrder(count, width);
  }

  /// Reads all indices. Returns false if their number does not match the shape.
  bool ReadIndices(std::int64_t count, int width) {
    const TensorProto& indices = tensor_.indices();
    const std::optional<std::int64_t> numbers = Multiply(count, width);
    if (!numbers.has_value() || indices.data_location() == TensorProto::EXTERNAL) return false;
    if (indices.has_raw_data()) {
      if (indices.raw_data().size() / 8 < static_cast<std::uint64_t>(*numbers)) return false;
      numbers_.resize(static_cast<std::size_t>(*numbers));
      // Raw data are little-endian, and so are all platforms that onnxc supports.
      if (!numbers_.empty()) std::memcpy(numbers_.data(), indices.raw_data().data(), numbers_.size() * 8);
      return true;
    }
    numbers_.assign(indices.int64_data().begin(), indices.int64_data().end());
    return static_cast<std::int64_t>(numbers_.size()) == *numbers;
  }

  /// Returns the offset of an index in the dense tensor, or nothing if the index is outside of the shape. The offset
  /// wraps around if the tensor has too many elements for 64 bits.
  std::optional<std::int64_t> Offset(std::size_t index, int width) const {
    std::uint64_t offset = 0;
    if (width == 1 && tensor_.indices().dims_size() == 1) {
      const std::int64_t at = numbers_[index];
      if (at < 0 || !elements_ || at >= *elements_) return std::nullopt;
      return at;
    }
    for (int axis = 0; axis < width; ++axis) {
      const std::int64_t at = numbers_[index * static_cast<std::size_t>(width) + static_cast<std::size_t>(axis)];
      if (at < 0 || at >= tensor_.dims(axis)) return std::nullopt;
      offset = offset * static_cast<std::uint64_t>(tensor_.dims(axis)) + static_cast<std::uint64_t>(at);
    }
    return static_cast<std::int64_t>(offset);
  }

  void ReportOutside(std::size_t index, int width, const Place& at) {
    constexpr int kMost = 8;  // the maximum number of indices that a message lists
    if (width > kMost || tensor_.dims_size() > kMost || !elements_) {
      run_.findings.Report(diag::kSparseIndex, at, fmt::format("number {}", index), "the shape");
      return;
    }
    const std::span numbers(numbers_.data() + index * static_cast<std::size_t>(width), static_cast<std::size_t>(width));
    const bool is_one = tensor_.indices().dims_size() == 1;
    run_.findings.Report(diag::kSparseIndex, at,
                         is_one ? fmt::to_string(numbers[0]) : fmt::format("[{}]", fmt::join(numbers, ", ")),
                         fmt::format("[{}]", fmt::join(tensor_.dims(), ", ")));
  }

  void CheckOrder(std::int64_t count, int width) {
    const Place at = place_.Child(tensor_.indices(), SparseTensorProto::kIndicesFieldNumber);
    std::int64_t last = -1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const std::optional<std::int64_t> offset = Offset(i, width);
      if (!offset.has_value()) return ReportOutside(i, width, at);
      if (*offset <= last) {
        run_.findings.Report(diag::kSparseOrder, at, i);
        return;
      }
      last = *offset;
    }
  }

  const SparseTensorProto& tensor_;
  const Place& place_;
  Run& run_;
  std::optional<std::int64_t> elements_ = Product(tensor_.dims());  // number of elements of the dense tensor
  std::vector<std::int64_t> numbers_;
};

}  // namespace

void CheckSparseTensorRules(const SparseTensorProto& tensor, const Place& place, Run& run) {
  SparseTensor(tensor, place, run).Check();
}

}  // namespace onnxc::check
