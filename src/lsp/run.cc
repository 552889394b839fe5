#include "lsp/run.h"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill() is not in <csignal>
#include <sys/types.h>

#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "lsp/framing.h"
#include "lsp/server.h"

namespace onnxc::lsp {
namespace {

using Clock = std::chrono::steady_clock;

/// What the input brings: a message, which is discarded where it is no JSON, or what is wrong with the bytes.
struct Frame {
  FrameReader::Result result = FrameReader::Result::kEnd;
  Json message;
  std::string fault;
};

Frame ReadFrame(FrameReader* reader) {
  Frame frame;
  std::string content;
  frame.result = reader->Next(&content);
  if (frame.result == FrameReader::Result::kMessage) {
    frame.message = Json::parse(content, nullptr, /*allow_exceptions=*/false);
    if (frame.message.is_discarded()) reader->GiveBack(std::move(content));
  } else {
    frame.fault = std::move(content);
  }
  return frame;
}

/// Frames on their way from the thread that reads to the one that answers.
class Queue {
 public:
  void Push(Frame frame) {
    {
      const std::lock_guard lock(mutex_);
      frames_.push_back(std::move(frame));
    }
    changed_.notify_one();
  }

  /// Nothing where no frame comes within that time.
  std::optional<Frame> Pop(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, most, [this] { return !frames_.empty(); })) return std::nullopt;
    Frame frame = std::move(frames_.front());
    frames_.pop_front();
    return frame;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Frame> frames_;
};

/// Pushes diagnostics from a thread of its own: at once after a change. If a change follows another one within the
/// debounce time, it waits until no change has come for that time.
class Publisher {
 public:
  Publisher(Server* server, std::chrono::milliseconds debounce)
      : server_(server), debounce_(debounce), thread_([this] { Work(); }) {}
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;
  ~Publisher() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  void Wake() {
    {
      const std::lock_guard lock(mutex_);
      const Clock::time_point now = Clock::now();
      due_ = now < last_ + debounce_ ? now + debounce_ : now;
      last_ = now;
      is_pending_ = true;
    }
    changed_.notify_one();
  }

 private:
  void Work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return is_over_ || is_pending_; });
      while (!is_over_ && Clock::now() < due_) changed_.wait_until(lock, due_);
      if (is_over_) return;
      is_pending_ = false;
      lock.unlock();
      server_->PublishPending();
      lock.lock();
    }
  }

  Server* server_;
  std::chrono::milliseconds debounce_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  Clock::time_point due_;
  Clock::time_point last_ = Clock::time_point::min();  // when Wake() was called
  bool is_pending_ = false;
  bool is_over_ = false;
  std::thread thread_;  // the last member: it uses the others
};

void Answer(const Frame& frame, Server* server) {
  if (frame.result == FrameReader::Result::kMessage) server->Handle(frame.message);
  if (frame.result == FrameReader::Result::kBroken) server->ReplyToNoMessage(frame.fault);
}

/// Reads until the input ends, or a message asks to exit.
void ReadAll(std::istream& in, Server* server, Queue* queue) {
  FrameReader reader(in);
  for (bool is_over = false; !is_over;) {
    Frame frame = ReadFrame(&reader);
    is_over = frame.result == FrameReader::Result::kEnd;
    if (frame.result == FrameReader::Result::kMessage) is_over = server->LookAhead(frame.message);
    queue->Push(std::move(frame));
  }
}

/// Whether the client's process is there. 0: it is not known.
bool IsAlive(std::int64_t process) {
  if (process <= 0 || process > std::numeric_limits<pid_t>::max()) return true;
  return kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH;
}

bool RunWithThreads(std::istream& in, Server* server, const RunOptions& options) {
  constexpr std::chrono::seconds kRest(2);
  Queue queue;
  Publisher publisher(server, options.debounce);
  server->workspace().on_pending = [&publisher] { publisher.Wake(); };
  std::thread reader([&] { ReadAll(in, server, &queue); });
  while (!server->is_over()) {
    const std::optional<Frame> frame = queue.Pop(kRest);
    if (frame && frame->result == FrameReader::Result::kEnd) break;
    if (frame) Answer(*frame, server);
    // Another process may hold the input open, which the other thread waits for: nobody can be told.
    if (!frame && !IsAlive(server->workspace().client.process)) std::_Exit(EXIT_FAILURE);
  }
  reader.join();
  server->workspace().on_pending = [] {};
  return server->ended_well();
}

bool RunInOrder(std::istream& in, Server* server) {
  FrameReader reader(in);
  while (!server->is_over()) {
    const Frame frame = ReadFrame(&reader);
    if (frame.result == FrameReader::Result::kEnd) break;
    Answer(frame, server);
    server->PublishPending();
  }
  return server->ended_well();
}

}  // namespace

bool Run(std::istream& in, std::ostream& out, const RunOptions& options) {
  in.tie(nullptr);   // reading would flush standard output, which other threads write to
  std::mutex mutex;  // of the output
  Server server([&](const Json& message) {
    const std::lock_guard lock(mutex);
    WriteFrame(out, message);
  });
  return options.threads ? RunWithThreads(in, &server, options) : RunInOrder(in, &server);
}

}  // namespace onnxc::lsp
