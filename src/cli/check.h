// Options and steps of the subcommands that analyze their inputs.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/fix.h"
#include "cli/inputs.h"
#include "cli/side_file.h"
#include "verdict/analyze.h"

namespace onnxc::cli {

/// Adds the option `--no-infer`.
void AddInferOption(CLI::App* app, bool* no_infer);

/// Adds the option `--weights`.
void AddWeightsOption(CLI::App* app, std::string* weights);

/// Adds the option `--link`.
void AddLinkOption(CLI::App* app, std::vector<std::string>* libraries);

/// The options of the subcommands compile and check.
struct AnalysisOptions {
  CommonOptions common;
  std::vector<std::string> inputs = {"-"};
  std::string kind;
  unsigned threads = 0;
  bool no_infer = false;
  std::string weights;
  std::vector<std::string> libraries;
  std::vector<std::string> operators;
  FixOptions fix;
  SourceOptions source;
};

/// Returns how the options analyze an input. The rules have only the built-in operators.
[[nodiscard]] verdict::AnalyzeOptions AnalyzeOptionsFor(const AnalysisOptions& options, const Input& input,
                                                        unsigned threads, Report* report);

/// Returns how a model is read without checks.
[[nodiscard]] verdict::AnalyzeOptions ReadOptionsFor(const CommonOptions& options, const std::string& path,
                                                     Report* report);

/// Adds all findings of an analysis to the report.
void ReportAll(const verdict::Analysis& analysis, const SourceText& source, Report* report);

}  // namespace onnxc::cli
