#include "lsp/run.h"

#include <condition_variable>
#include <deque>
#include <mutex>
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

  Frame Pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !frames_.empty(); });
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

bool RunWithThreads(std::istream& in, Server* server, const RunOptions& options) {
  Queue queue;
  Publisher publisher(server, options.debounce);
  server->workspace().on_pending = [&publisher] { publisher.Wake(); };
  std::thread reader([&] { ReadAll(in, server, &queue); });
  for (Frame frame = queue.Pop(); frame.result != FrameReader::Result::kEnd; frame = queue.Pop()) {
    Answer(frame, server);
    if (server->is_over()) break;
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
