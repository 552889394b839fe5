// Shows the progress of a long run on a terminal.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace onnxc::cli {

/// A line on standard error that appears two seconds after the start of a run and disappears at its end.
class Progress {
 public:
  /// `files` is the total number of files.
  explicit Progress(std::size_t files);

  /// Begins the next file. Returns the counter of its processed bytes. The size is known only for regular files.
  [[nodiscard]] std::atomic<std::size_t>* Next(const std::string& path);

  /// Hides the line, so that other text can be written to standard error. The line stays hidden as long as the returned
  /// lock exists.
  [[nodiscard]] std::unique_lock<std::mutex> Hide();

 private:
  void Run(const std::stop_token& stop);
  void Show();
  void Erase();

  const std::size_t files_;
  std::size_t file_ = 0;  // counted from 1
  std::size_t size_ = 0;
  std::string name_;
  std::atomic<std::size_t> done_ = 0;  // processed bytes of the file
  bool is_shown_ = false;
  std::mutex mutex_;  // guards all members except done_
  std::condition_variable_any wake_;
  std::jthread thread_;  // the last member: the thread uses the others
};

}  // namespace onnxc::cli
