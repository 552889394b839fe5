#include "lsp/run.h"

#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lsp/framing.h"
#include "lsp/server.h"
#include "platform/free_memory.h"
#include "platform/process.h"

namespace onnxc::lsp {
namespace {

using Clock = std::chrono::steady_clock;

/// A unit of input: a message, or an error in the bytes. If the content of a message is not JSON, the message is a
/// discarded JSON value.
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
    frame.message = ParsedMessage(content);
    if (frame.message.is_discarded()) reader->GiveBack(std::move(content));
  } else {
    frame.fault = std::move(content);
  }
  return frame;
}

/// A thread-safe queue of frames from the reading thread to the answering thread.
class Queue {
 public:
  void Push(Frame frame) {
    {
      const std::lock_guard lock(mutex_);
      frames_.push_back(std::move(frame));
    }
    changed_.notify_one();
  }

  /// Returns the next frame, or nothing if no frame arrives within the time `most`.
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

/// Threads that answer requests while messages are read. Half of the threads answer only urgent requests, so that an
/// urgent request never waits for a slow request that is not urgent.
class Workers {
 public:
  Workers() {
    for (const bool only_urgent : {true, true, false, false}) {
      threads_.emplace_back([this, only_urgent] { Work(only_urgent); });
    }
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  /// Waits until all requests are answered.
  ~Workers() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void Push(Task task) {
    {
      const std::lock_guard lock(mutex_);
      (task.is_urgent ? urgent_ : others_).push_back(std::move(task.run));
      ++open_;
    }
    changed_.notify_all();
  }

  /// Waits until all requests are answered.
  void Finish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_ == 0; });
  }

 private:
  using Tasks = std::deque<std::function<void()>>;

  void Work(bool only_urgent) {
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto next = [&]() -> Tasks* {
        if (!urgent_.empty()) return &urgent_;
        return only_urgent || others_.empty() ? nullptr : &others_;
      };
      changed_.wait(lock, [&] { return is_over_ || next() != nullptr; });
      Tasks* const tasks = next();
      if (tasks == nullptr) return;
      std::function<void()> run = std::move(tasks->front());
      tasks->pop_front();
      lock.unlock();
      run();
      run = nullptr;  // this frees the documents that the request used
      lock.lock();
      if (--open_ == 0) changed_.notify_all();
    }
  }

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  Tasks urgent_;
  Tasks others_;
  std::size_t open_ = 0;  // number of tasks that are not finished
  bool is_over_ = false;
  std::vector<std::thread> threads_;  // the last member, because the threads use the other members
};

/// Sends diagnostics from a thread of its own. A change is handled at once if there was no other change within the
/// debounce time before it. Otherwise the thread waits until there was no change for the debounce time.
class Publisher {
 public:
  Publisher(Server* server, std::chrono::milliseconds debounce)
      : server_(server), debounce_(debounce), thread_([this] { Work(); }) {}
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;
  ~Publisher() { Stop(); }

  /// Ends the thread. If it is sending diagnostics, waits until they are sent.
  void Stop() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
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
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  Clock::time_point due_;
  Clock::time_point last_ = Clock::time_point::min();  // the time of the last Wake()
  bool is_pending_ = false;
  bool is_over_ = false;
  std::thread thread_;  // the last member, because the thread uses the other members
};

void Answer(Frame frame, Server* server, Workers* workers) {
  if (frame.result == FrameReader::Result::kBroken) server->ReplyToNoMessage(frame.fault);
  if (frame.result != FrameReader::Result::kMessage) return;
  if (workers == nullptr) return server->Handle(frame.message);
  if (Server::IsLast(frame.message)) workers->Finish();
  if (Task task = server->Begin(std::move(frame.message)); task.run) workers->Push(std::move(task));
}

/// Reads messages until the input ends or a message asks to exit.
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
  constexpr std::chrono::seconds kRest(2);
  KeepLittleFreeMemory();
  Queue queue;
  Publisher publisher(server, options.debounce);
  server->workspace().on_pending = [&publisher] { publisher.Wake(); };
  Workers workers;
  std::thread reader([&] { ReadAll(in, server, &queue); });
  while (!server->is_over()) {
    std::optional<Frame> frame = queue.Pop(kRest);
    if (frame && frame->result == FrameReader::Result::kEnd) break;
    if (frame) {
      // Nothing may be sent after the reply to the last request.
      if (Server::IsLast(frame->message)) publisher.Stop();
      Answer(*std::move(frame), server, &workers);
    } else if (!IsAlive(server->workspace().client.process)) {
      // The client's process has ended, but another process may still hold the input open, and the reading thread would
      // wait forever.
      EndProcess(EXIT_FAILURE);
    }
  }
  reader.join();
  server->workspace().on_pending = [] {};
  return server->ended_well();
}

bool RunInOrder(std::istream& in, Server* server) {
  FrameReader reader(in);
  while (!server->is_over()) {
    Frame frame = ReadFrame(&reader);
    if (frame.result == FrameReader::Result::kEnd) break;
    Answer(std::move(frame), server, nullptr);
    server->PublishPending();
  }
  return server->ended_well();
}

}  // namespace

bool Run(std::istream& in, std::ostream& out, const RunOptions& options) {
  in.tie(nullptr);   // otherwise reading would flush standard output, which other threads write to
  std::mutex mutex;  // guards the output
  const auto send_text = [&](const std::string& text) {
    const std::lock_guard lock(mutex);
    WriteFrameOf(out, text);
  };
  Server server([&](const Json& message) { send_text(Dumped(message)); }, send_text);
  return options.threads ? RunWithThreads(in, &server, options) : RunInOrder(in, &server);
}

}  // namespace onnxc::lsp
