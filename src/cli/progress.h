// How far a long run is, on a terminal.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace onnxc::cli {

/// A line on standard error that appears when a run has taken two seconds, and is gone when the run is done.
class Progress {
 public:
  /// `files` is how many there will be.
  explicit Progress(std::size_t files);

  /// Turns to the next file, whose bytes are counted by the atomic that is returned. The size of what is no regular
  /// file is not known.
  [[nodiscard]] std::atomic<std::size_t>* Next(const std::string& path);

  /// While it lives, nothing is shown: something else is written to standard error.
  [[nodiscard]] std::unique_lock<std::mutex> Hide();

 private:
  void Run(const std::stop_token& stop);
  void Show();
  void Erase();

  const std::size_t files_;
  std::size_t file_ = 0;  // from 1
  std::size_t size_ = 0;
  std::string name_;
  std::atomic<std::size_t> done_ = 0;  // bytes of the file
  bool is_shown_ = false;
  std::mutex mutex_;  // of all but done_
  std::condition_variable_any wake_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace onnxc::cli
