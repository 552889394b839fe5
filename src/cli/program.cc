#include "cli/program.h"

#include <fmt/format.h>
#include <onnxc/proto.h>

#include <CLI/StringTools.hpp>

namespace onnxc::cli {

std::string Versions() {
  return fmt::format("onnxc {}\nONNX IR version {}\nprotobuf {}\n", ONNXC_VERSION, static_cast<int>(onnx::IR_VERSION),
                     google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION));
}

void AddHelp(CLI::App* app) {
  app->set_help_flag("-h", "Short help");
  app->set_help_all_flag("--help", "Long help, with examples");
  app->set_version_flag("--version", Versions(), kVersionHelp);
}

Program MakeProgram(const Command& command) {
  auto app = std::make_unique<CLI::App>(std::string(command.summary), fmt::format("onnxc {}", command.name));
  AddHelp(app.get());
  Action action = command.add_options(app.get());
  return {std::move(app), std::move(action)};
}

std::vector<OptionInfo> OptionsOf(const CLI::App& app) {
  std::vector<OptionInfo> options;
  for (const CLI::Option* option : app.get_options()) {
    OptionInfo info{
        .names = {}, .value = option->get_type_name(), .words = {}, .description = option->get_description()};
    for (const std::string& name : option->get_snames()) info.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) info.names.push_back("--" + name);
    if (option->get_items_expected_max() == 0) info.value.clear();
    if (!option->get_option_text().empty()) info.words = CLI::detail::split(option->get_option_text(), '|');
    info.takes_file = info.names.empty() ? info.words.empty() : info.value == "FILE";
    if (info.names.empty() && info.value.empty()) info.value = option->get_name();
    info.is_repeated = option->get_items_expected_max() > 1;
    info.is_required = option->get_required();
    options.push_back(std::move(info));
  }
  return options;
}

}  // namespace onnxc::cli
