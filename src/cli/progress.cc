#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "cli/options.h"
#include "source/unicode.h"

namespace onnxc::cli {
namespace {

constexpr std::chrono::milliseconds kDelay(2000);
constexpr std::chrono::milliseconds kStep(200);

std::size_t TerminalWidth() {
  winsize size = {};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : 80;
}

}  // namespace

Progress::Progress(std::size_t files) : files_(files), thread_([this](const std::stop_token& stop) { Run(stop); }) {}

std::atomic<std::size_t>* Progress::Next(const std::string& path) {
  const std::lock_guard lock(mutex_);
  ++file_;
  name_ = path == "-" ? "<stdin>" : Shown(path);
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  size_ = error ? 0 : static_cast<std::size_t>(size);
  done_ = 0;
  return &done_;
}

std::unique_lock<std::mutex> Progress::Hide() {
  std::unique_lock lock(mutex_);
  Erase();
  return lock;
}

void Progress::Run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto never = [] { return false; };
  for (auto pause = kDelay; !wake_.wait_for(lock, stop, pause, never) && !stop.stop_requested(); pause = kStep) Show();
  Erase();
}

void Progress::Show() {
  if (file_ == 0) return;
  std::string line = "onnxc: " + name_;
  if (files_ > 1) line = fmt::format("onnxc: file {} of {}: {}", file_, files_, name_);
  std::string percent;
  if (const std::size_t done = done_.load(std::memory_order_relaxed); done != 0 && size_ != 0) {
    percent = done < size_ ? fmt::format(" {}%", done * 100 / size_) : ", which is read";
  }
  const std::size_t room = TerminalWidth() - 1;  // a line that fills the terminal would wrap to the next line
  line.resize(std::min(line.size(), room - std::min(room, percent.size())));
  PrintError("\r\x1b[K" + line + percent);
  is_shown_ = true;
}

void Progress::Erase() {
  if (is_shown_) PrintError("\r\x1b[K");
  is_shown_ = false;
}

}  // namespace onnxc::cli
