// Rules for the distribution of a node over several devices.

#include "check/context.h"

namespace onnxc::check {
namespace {

using onnx::NodeDeviceConfigurationProto;
using onnx::NodeProto;
using onnx::ShardingSpecProto;

void CheckSpec(const Names& values, const ShardingSpecProto& spec, const Place& place, Run& run) {
  if (!values.contains(spec.tensor_name())) {
    run.findings.Report(diag::kShardingTensor, {place, ShardingSpecProto::kTensorNameFieldNumber},
                        Quoted(spec.tensor_name()));
  }
  for (int i = 0; i < spec.sharded_dim_size(); ++i) {
    const onnx::ShardedDimProto& dim = spec.sharded_dim(i);
    const Place at = place.Child(dim, ShardingSpecProto::kShardedDimFieldNumber, i);
    if (!dim.has_axis()) run.findings.Report(diag::kShardingAxis, at);
    for (int j = 0; j < dim.simple_sharding_size(); ++j) {
      if (dim.simple_sharding(j).has_num_shards()) continue;
      run.findings.Report(diag::kShardingCount,
                          at.Child(dim.simple_sharding(j), onnx::ShardedDimProto::kSimpleShardingFieldNumber, j));
    }
  }
}

}  // namespace

void CheckSharding(const NodeProto& node, const Place& place, Context& context) {
  Run& run = context.run;
  Names values(node.input().begin(), node.input().end());
  values.insert(node.output().begin(), node.output().end());
  for (int i = 0; i < node.device_configurations_size(); ++i) {
    const NodeDeviceConfigurationProto& configuration = node.device_configurations(i);
    const Place at = place.Child(configuration, NodeProto::kDeviceConfigurationsFieldNumber, i);
    CheckFieldSince(*NodeProto::descriptor(), NodeProto::kDeviceConfigurationsFieldNumber, at, run);
    if (context.knows_names && !run.configurations.contains(configuration.configuration_id())) {
      run.findings.Report(diag::kUnknownDeviceConfiguration,
                          {at, NodeDeviceConfigurationProto::kConfigurationIdFieldNumber},
                          Quoted(configuration.configuration_id()));
    }
    for (int j = 0; j < configuration.sharding_spec_size(); ++j) {
      const ShardingSpecProto& spec = configuration.sharding_spec(j);
      CheckSpec(values, spec, at.Child(spec, NodeDeviceConfigurationProto::kShardingSpecFieldNumber, j), run);
    }
  }
}

}  // namespace onnxc::check
