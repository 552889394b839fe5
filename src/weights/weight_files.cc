#include "weights/weight_files.h"

#include "external/external_entries.h"
#include "weights/tensors.h"

namespace onnxc {

void AddWeightFiles(const google::protobuf::Message& message, const std::string& path, WeightFiles* files) {
  weights::ForEachTensor(const_cast<google::protobuf::Message*>(&message),
                         [&](const onnx::TensorProto* tensor, const Place&) {
                           if (!weights::IsExternal(*tensor)) return;
                           const std::string location(ReadEntries(*tensor).location);
                           if (!location.empty()) files->Add(path, location);
                         });
}

}  // namespace onnxc
