#include "testing/roundtrip.h"

#include <onnxc/formatter.h>
#include <onnxc/model_io.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <algorithm>
#include <type_traits>

#include "testing/equality.h"
#include "testing/proto.h"
#include "testing/random_message.h"
#include "testing/shrink.h"
#include "testing/sink.h"

namespace onnxc::testing {
namespace {

using google::protobuf::Message;

/// The first line that is different in protobuf's text format.
std::string Difference(const Message& before, const Message& after) {
  const std::string a = before.DebugString();
  const std::string b = after.DebugString();
  const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (at == a.end() && other == b.end()) return "comes back with other bytes, though equal in protobuf's text format";
  const auto line = [](const std::string& text, std::size_t place) {
    const std::size_t begin = place == 0 ? 0 : text.rfind('\n', place - 1) + 1;
    return "`" + text.substr(begin, std::min<std::size_t>(text.find('\n', place) - begin, 160)) + "`";
  };
  const auto place = static_cast<std::size_t>(at - a.begin());
  return "was " + line(a, place) + ", comes back as " + line(b, place);
}

template <typename Proto>
std::optional<Fault> FindLossOfText(const Proto& message, const PrintResult& printed) {
  if (!printed.diagnostics.ok())
    return Fault{"not printed: " + RenderText(printed.diagnostics, SourceText("message", ""))};
  Proto back;
  const Diagnostics diagnostics = Parse(printed.text, &back);
  if (!diagnostics.ok()) {
    return Fault{"not read: " + RenderText(diagnostics, SourceText("text", printed.text, nullptr)), printed.text};
  }
  if (Bytes(message) != Bytes(back)) return Fault{Difference(message, back), printed.text};
  const std::string trimmed = TrimLines(printed.text);
  return trimmed == printed.text ? std::nullopt : FindLossOfText(message, {.text = trimmed, .diagnostics = {}});
}

template <typename Proto>
std::optional<Fault> FindLossIn(const Proto& message) {
  const PrintResult plain = Print(message);
  std::optional<Fault> fault = FindLossOfText(message, plain);
  if constexpr (std::is_same_v<Proto, onnx::ModelProto>) {
    if (!fault) fault = FindOtherTextOfBytes(Bytes(message));
  }
  if (fault) return fault;
  const PrintResult values = Print(message, {.small_float_values = true});
  return values.text == plain.text ? std::nullopt : FindLossOfText(message, values);
}

template <typename Proto>
std::optional<Fault> FindSilentLossIn(const Proto& message) {
  const PrintResult printed = Print(message, {.dialect = Dialect::kReference, .allow_loss = true});
  if (!printed.diagnostics.ok()) {  // no text of the reference dialect can represent data of a wrong size
    const std::string found = RenderText(printed.diagnostics, SourceText("message", "", nullptr));
    if (found.find(" bytes of data where ") != std::string::npos) return std::nullopt;
    return Fault{"not printed, though loss is allowed", found};
  }
  Proto back;
  const Diagnostics diagnostics = Parse(printed.text, &back);
  if (!diagnostics.ok()) {
    return Fault{"not read: " + RenderText(diagnostics, SourceText("text", printed.text, nullptr)), printed.text};
  }
  if (!printed.diagnostics.empty()) return std::nullopt;
  Proto before = message;
  ToMeaning(&before);
  ToMeaning(&back);
  if (Bytes(before) == Bytes(back)) return std::nullopt;
  return Fault{Difference(before, back), printed.text};
}

template <typename Proto>
std::optional<Fault> FindOtherLayoutOf(const Proto& message, Kind kind) {
  const std::string text = Print(message).text + "\n";
  const FormatResult formatted = FormatText(text, {.kind = kind});
  if (formatted.text == text) return std::nullopt;
  if (!formatted.diagnostics.ok()) return Fault{"not formatted", text};
  return Fault{"formatted:\n" + formatted.text, text};
}

/// Calls `visitor` with the message as its own C++ type, and with its kind.
template <typename Visitor>
std::optional<Fault> WithType(const Message& message, Visitor visitor) {
  std::optional<Fault> fault = Fault{"not a message of any kind"};
  ForEachKind([&](const auto& row) {
    using Proto = typename std::decay_t<decltype(row)>::Message;
    if (const auto* typed = dynamic_cast<const Proto*>(&message)) fault = visitor(*typed, row.kind);
  });
  return fault;
}

}  // namespace

std::string TrimLines(std::string_view text) {
  static constexpr std::string_view kWhiteSpace[] = {
      " ",      "\t",     "\v",     "\f",     "\r",     "\u0085", "\u00a0", "\u1680", "\u2000",
      "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009",
      "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff"};
  std::string trimmed;
  for (;;) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    const auto last = [&] {
      return std::ranges::find_if(kWhiteSpace, [&](std::string_view space) { return line.ends_with(space); });
    };
    for (const auto* space = last(); space != std::end(kWhiteSpace); space = last()) line.remove_suffix(space->size());
    trimmed += line;
    if (end == std::string_view::npos) return trimmed;
    trimmed += '\n';
    text.remove_prefix(end + 1);
  }
}

std::optional<Fault> FindLoss(const Message& message) {
  return WithType(message, [](const auto& typed, Kind) { return FindLossIn(typed); });
}

std::optional<Fault> FindSilentLoss(const Message& message) {
  return WithType(message, [](const auto& typed, Kind) { return FindSilentLossIn(typed); });
}

std::optional<Fault> FindOtherTextOfBytes(std::string_view bytes) {
  onnx::ModelProto model;
  const Diagnostics unreadable = Decode(bytes, Format::kBinary, &model);
  const auto findings = [](const Diagnostics& found) { return RenderJson(found, SourceText("", "")); };
  for (const Dialect dialect : {Dialect::kOnnxc, Dialect::kReference}) {
    Joined sink;
    const PrintOptions options{.dialect = dialect, .allow_loss = dialect == Dialect::kReference};
    const Diagnostics found = PrintFromBytes(bytes, &sink, options);
    const PrintResult whole =
        unreadable.ok() ? Print(model, options) : PrintResult{.text = {}, .diagnostics = unreadable};
    if (found.ok() != whole.diagnostics.ok()) return Fault{"its bytes are read by one only"};
    if (findings(found) != findings(whole.diagnostics)) {
      return Fault{"other things are found in its bytes:\n" + findings(found), findings(whole.diagnostics)};
    }
    if (sink.text != whole.text) return Fault{"its bytes have another text:\n" + sink.text, whole.text};
  }
  return std::nullopt;
}

std::optional<Fault> FindOtherLayout(const Message& message) {
  return WithType(message, [](const auto& typed, Kind kind) { return FindOtherLayoutOf(typed, kind); });
}

std::string Describe(const std::string& heading, const Message& message, Property property) {
  const std::unique_ptr<Message> least(message.New());
  least->CopyFrom(message);
  Shrink(least.get(), [&] {
    const std::unique_ptr<Message> read(least->New());
    read->CopyFrom(*least);
    return Normalise(read.get()) && property(*read).has_value();
  });
  EXPECT_TRUE(Normalise(least.get()));
  const Fault fault = property(*least).value_or(Fault{"fails no more"});
  return heading + "\n-- message (" + std::string(message.GetTypeName()) + ")\n" + least->DebugString() + "-- text\n" +
         fault.text + "\n-- fault\n" + fault.what + "\n";
}

std::unique_ptr<Message> NewMessage(Kind kind) {
  std::unique_ptr<Message> message;
  WithKind(kind, [&](const auto& row) { message = std::make_unique<typename std::decay_t<decltype(row)>::Message>(); });
  return message;
}

}  // namespace onnxc::testing
