#include <fmt/format.h>
#include <onnxc/graphviz.h>

#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "draw/drawn_nodes.h"
#include "print/brief.h"
#include "source/names.h"
#include "source/nodes.h"
#include "source/plain_node.h"
#include "source/report.h"
#include "source/unicode.h"
#include "wire/nesting.h"

namespace onnxc {
namespace {

using Values = google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>;

constexpr std::string_view kHeader = R"(digraph onnx {
  compound=true;
  nodesep=0.3; ranksep=0.35;
  fontname="Helvetica"; fontsize=11;
  node [fontname="Helvetica", fontsize=11, shape=box, style="rounded,filled", color="#5b7083", fillcolor="#e8eef4", margin="0.12,0.05", height=0.3];
  edge [fontname="Helvetica", fontsize=8, color="#5b7083", fontcolor="#5b7083", arrowsize=0.6];
)";
constexpr std::string_view kInputStyle =
    R"(class=input, shape=ellipse, style=filled, fillcolor="#dff0d8", color="#6a9955")";
constexpr std::string_view kOutputStyle =
    R"(class=output, shape=ellipse, style=filled, fillcolor="#fbe9d0", color="#c08a3e")";
constexpr std::string_view kWeightStyle =
    R"(class=weight, shape=box, style=filled, fillcolor="#f4f4f4", color="#aaaaaa", fontsize=8)";
constexpr std::string_view kUnknownStyle = R"(class=unknown, shape=plaintext, style="", fontcolor="#b03030")";
constexpr std::string_view kFrameStyle =
    R"(style="rounded,filled"; color="#9aa9b7"; fillcolor="#fafbfc"; labeljust=l;)";

/// Escapes characters for Graphviz in HTML-like labels and in quoted strings. Control characters are shown as escapes.
std::string Html(std::string_view text) {
  std::string html;
  for (const char c : Quoted(text)) {
    switch (c) {
      case '&': html += "&amp;"; break;
      case '<': html += "&lt;"; break;
      case '>': html += "&gt;"; break;
      case '"': html += "&quot;"; break;
      case '\\': html += "&#92;"; break;  // otherwise it could begin an escape such as \N or \"
      default: html += c;
    }
  }
  return html.empty() ? " " : html;  // Graphviz does not accept an empty label
}

/// The node of the drawing that represents the source of a value.
class Origin {
 public:
  explicit Origin(std::string id) : id_(std::move(id)) {}
  /// A weight is drawn inside of the nodes that read it, or separately if necessary.
  explicit Origin(const onnx::TensorProto& weight) : weight_(&weight) {}

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] bool IsWeight() const { return weight_ != nullptr; }
  /// Returns the label of a weight. It is computed only once, because many nodes may read a weight with many
  /// dimensions.
  [[nodiscard]] const std::string& brief() {
    if (brief_.empty()) brief_ = Html(BriefWithValue(*weight_));
    return brief_;
  }

 private:
  std::string id_;
  const onnx::TensorProto* weight_ = nullptr;
  std::string brief_;
};

/// The values that the nodes of a graph can read: those of the graph and of its enclosing graphs.
struct Frame {
  Frame* outer = nullptr;
  NameMap<Origin> origins;
  NameMap<std::string> types;

  [[nodiscard]] Origin* Find(std::string_view name) {
    for (Frame* frame = this; frame != nullptr; frame = frame->outer) {
      const auto found = frame->origins.find(name);
      if (found != frame->origins.end()) return &found->second;
    }
    return nullptr;
  }
  [[nodiscard]] std::string_view TypeOf(std::string_view name) const {
    for (const Frame* frame = this; frame != nullptr; frame = frame->outer) {
      const auto found = frame->types.find(name);
      if (found != frame->types.end()) return found->second;
      if (frame->origins.contains(name)) return {};
    }
    return {};
  }
};

class Drawing {
 public:
  /// `nodes` receives the names of drawn nodes if it is not null.
  explicit Drawing(const DrawOptions& options, DrawnNodes* nodes = nullptr) : nodes_(nodes), levels_(options.depth) {}

  std::string Finish() { return std::string(kHeader) + out_ + lines_ + "}\n"; }

  /// Returns whether the message is nested too deeply to be drawn. If so, adds the error to the drawing.
  bool IsTooDeep(const google::protobuf::Message& message) {
    const Diagnostics deep = wire::CheckNesting(message);
    for (const Diagnostic& item : deep.items()) {
      Line("{} [label=<{}>, {}];", NewId(), Html(item.message), kUnknownStyle);
    }
    return !deep.ok();
  }

  /// Draws the contents of a graph. Returns the id of a node in the graph. A line to the graph as a whole is drawn to
  /// this node, because DOT has no lines to frames.
  std::string Graph(const onnx::GraphProto& graph, Frame* outer) {
    Frame frame{.outer = outer, .origins = {}, .types = {}};
    for (const Values* values : {&graph.value_info(), &graph.input(), &graph.output()}) AddTypes(*values, &frame);
    for (const onnx::TensorProto& tensor : graph.initializer()) frame.origins.emplace(tensor.name(), Origin(tensor));
    for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer()) {
      frame.origins.emplace(tensor.values().name(), Origin(tensor.values()));
    }
    const int first = next_id_;
    for (const onnx::ValueInfoProto& input : graph.input()) Input(input.name(), &frame);
    Body(graph.node(), &frame);
    for (const onnx::ValueInfoProto& output : graph.output()) Output(output.name(), frame);
    return Anchor(first);
  }

  std::string Function(const onnx::FunctionProto& function) {
    Frame frame;
    AddTypes(function.value_info(), &frame);
    const int first = next_id_;
    for (const std::string& input : function.input()) Input(input, &frame);
    Body(function.node(), &frame);
    for (const std::string& output : function.output()) Output(output, frame);
    return Anchor(first);
  }

  /// Draws the output of `draw` in a frame with a title. Returns the result of `draw` and the id of the frame.
  template <typename Draw>
  std::pair<std::string, std::string> InFrame(std::string_view title, Draw draw) {
    const std::string id = fmt::format("cluster_{}", next_frame_++);
    Line("subgraph {} {{", id);
    indent_ += 2;
    Line("{} label=<{}>;", kFrameStyle, title);
    const std::string anchor = draw();
    indent_ -= 2;
    Line("}}");
    return {anchor, id};
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    out_.append(indent_, ' ');
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  std::string NewId() { return fmt::format("n{}", next_id_++); }

  /// Returns the id of node number `first`. If no node with this number was drawn yet, draws an invisible one.
  std::string Anchor(int first) {
    if (next_id_ == first) Line("{} [shape=point, style=invis];", NewId());
    return fmt::format("n{}", first);
  }

  static void AddTypes(const Values& values, Frame* frame) {
    for (const onnx::ValueInfoProto& value : values) {
      if (value.has_type()) frame->types.emplace(value.name(), Brief(value.type()));
    }
  }

  void Input(std::string_view name, Frame* frame) {
    if (frame->origins.contains(name)) return;  // the input has a default value, and is drawn as a weight
    const std::string id = NewId();
    Line("{} [label=<{}>, {}];", id, Html(name), kInputStyle);
    frame->origins.emplace(name, Origin(id));
  }

  void Output(std::string_view name, Frame& frame) {
    const std::string id = NewId();
    Line("{} [label=<{}>, {}];", id, Html(name), kOutputStyle);
    Connect(name, id, frame);
  }

  void Body(const Nodes& nodes, Frame* frame) {
    std::vector<std::string> ids;
    for (const onnx::NodeProto& node : nodes) {  // all outputs are found first, because the nodes may be in any order
      ids.push_back(NewId());
      if (nodes_ != nullptr) nodes_->emplace(&node, ids.back());
      for (const std::string& output : node.output()) {
        if (!output.empty()) frame->origins.emplace(output, Origin(ids.back()));
      }
    }
    for (int i = 0; i < nodes.size(); ++i) Node(nodes[i], ids[static_cast<std::size_t>(i)], *frame);
  }

  void Node(const onnx::NodeProto& node, const std::string& id, Frame& frame) {
    std::string details;
    const auto add = [&details](std::string_view name, std::string_view value) {
      details += fmt::format("{} = {}<BR ALIGN=\"LEFT\"/>", Html(name), Html(value));
    };
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_ref_attr_name()) {
        add(attribute.name(), "@" + attribute.ref_attr_name());
      } else if (!HoldsGraphs(attribute)) {
        add(attribute.name(), Brief(attribute));
      } else if (levels_ <= 0) {
        if (attribute.has_g()) add(attribute.name(), fmt::format("graph {}", attribute.g().name()));
        for (const onnx::GraphProto& graph : attribute.graphs())
          add(attribute.name(), fmt::format("graph {}", graph.name()));
      }
    }
    for (const std::string& input : node.input()) {
      if (Origin* origin = frame.Find(input); origin != nullptr && origin->IsWeight()) {
        details += fmt::format("{} : {}<BR ALIGN=\"LEFT\"/>", Html(input), origin->brief());
      } else if (!input.empty()) {
        Connect(input, id, frame);
      }
    }
    const std::string domain = node.domain().empty() ? "" : node.domain() + ".";
    const std::string label = node.name().empty() ? "" : fmt::format("<BR/><I>{}</I>", Html(node.name()));
    const std::string name = fmt::format("<B>{}</B>{}", Html(domain + node.op_type()), label);
    const std::string tooltip = node.name().empty() ? Brief(node) : node.name();
    if (!details.empty()) details = "<BR/><FONT POINT-SIZE=\"8\" COLOR=\"#44515d\">" + details + "</FONT>";
    Line("{} [label=<{}{}>, tooltip=\"{}\"];", id, name, details, Html(tooltip));
    for (const onnx::AttributeProto& attribute : node.attribute()) Subgraphs(attribute, id, frame);
  }

  void Subgraphs(const onnx::AttributeProto& attribute, const std::string& owner, Frame& frame) {
    if (levels_ <= 0) return;
    --levels_;
    const auto draw = [&](const onnx::GraphProto& graph) {
      const std::string title = fmt::format("{} <I>{}</I>", Html(attribute.name()), Html(graph.name()));
      const auto [anchor, id] = InFrame(title, [&] { return Graph(graph, &frame); });
      lines_ += fmt::format("  {} -> {} [lhead={}, style=dashed, arrowhead=odot];\n", owner, anchor, id);
    };
    if (attribute.has_g()) draw(attribute.g());
    for (const onnx::GraphProto& graph : attribute.graphs()) draw(graph);
    ++levels_;
  }

  /// Draws a line from the source of a value. The line is added to `lines_`, because DOT requires that lines follow all
  /// frames.
  void Connect(std::string_view value, const std::string& to, Frame& frame) {
    Origin* const origin = frame.Find(value);
    std::string from;
    if (origin != nullptr && !origin->IsWeight()) {
      from = origin->id();
    } else {
      from = NewId();
      const std::string type = origin == nullptr ? "" : "<BR/>" + origin->brief();
      Line("{} [label=<{}{}>, {}];", from, Html(value), type, origin == nullptr ? kUnknownStyle : kWeightStyle);
    }
    const std::string_view type = frame.TypeOf(value);
    const std::string label = type.empty() ? "" : fmt::format("label=<{}>, ", Html(fmt::format(" {}", type)));
    lines_ += fmt::format("  {} -> {} [{}tooltip=\"{}\"];\n", from, to, label, Html(value));
  }

  DrawnNodes* nodes_;
  int levels_;  // levels of subgraphs that may still be drawn
  std::string out_;
  std::string lines_;  // lines between nodes
  int next_id_ = 0;
  int next_frame_ = 0;
  std::size_t indent_ = 2;
};

void DrawFunction(const onnx::FunctionProto& function, Drawing* drawing) {
  const std::string domain = function.domain().empty() ? "" : function.domain() + ".";
  const std::string overload = function.overload().empty() ? "" : ":" + function.overload();
  const std::string title = fmt::format("function <B>{}</B>", Html(domain + function.name() + overload));
  drawing->InFrame(title, [&] { return drawing->Function(function); });
}

/// Draws the graphs of a training step, which can read the initializers of the model.
void DrawTraining(const onnx::TrainingInfoProto& training, const onnx::GraphProto& main, Drawing* drawing) {
  Frame outer;
  for (const onnx::TensorProto& tensor : main.initializer()) outer.origins.emplace(tensor.name(), Origin(tensor));
  const auto draw = [&](std::string_view role, const onnx::GraphProto& graph) {
    drawing->InFrame(fmt::format("training: {} <I>{}</I>", role, Html(graph.name())),
                     [&] { return drawing->Graph(graph, &outer); });
  };
  if (training.has_initialization()) draw("initialization", training.initialization());
  if (training.has_algorithm()) draw("algorithm", training.algorithm());
}

std::string Draw(const onnx::GraphProto& graph, const DrawOptions& options, DrawnNodes* nodes) {
  Drawing drawing(options, nodes);
  if (!drawing.IsTooDeep(graph)) drawing.Graph(graph, nullptr);
  return drawing.Finish();
}

std::string Draw(const onnx::FunctionProto& function, const DrawOptions& options, DrawnNodes* nodes) {
  Drawing drawing(options, nodes);
  if (!drawing.IsTooDeep(function)) DrawFunction(function, &drawing);
  return drawing.Finish();
}

}  // namespace

std::string DrawDot(const onnx::ModelProto& model, const DrawOptions& options) {
  Drawing drawing(options);
  if (drawing.IsTooDeep(model)) return drawing.Finish();
  if (model.has_graph() || model.functions().empty()) drawing.Graph(model.graph(), nullptr);
  for (const onnx::TrainingInfoProto& training : model.training_info()) DrawTraining(training, model.graph(), &drawing);
  for (const onnx::FunctionProto& function : model.functions()) DrawFunction(function, &drawing);
  return drawing.Finish();
}

std::string DrawDot(const onnx::GraphProto& graph, DrawnNodes* nodes, const DrawOptions& options) {
  return Draw(graph, options, nodes);
}
std::string DrawDot(const onnx::GraphProto& graph, const DrawOptions& options) { return Draw(graph, options, nullptr); }

std::string DrawDot(const onnx::FunctionProto& function, DrawnNodes* nodes, const DrawOptions& options) {
  return Draw(function, options, nodes);
}
std::string DrawDot(const onnx::FunctionProto& function, const DrawOptions& options) {
  return Draw(function, options, nullptr);
}

}  // namespace onnxc
