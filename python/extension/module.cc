// The extension module onnxc._core, in the limited API of CPython 3.10. The functions that users call are written in
// Python and call this module.
//
// An input is a tuple (type, bytes, name, is_binary), as in struct Input (service.h). Most functions return a tuple
// (ok, value, findings, rendered): `value` is bytes or str, `findings` is the JSON of the findings, and `rendered` is a
// tuple of the findings as people read them: a str with ANSI colours for each. The last two are None if there are no
// findings. The functions `check` and `infer` return a fifth element, Answer::foreign.
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030A0000
#include <Python.h>
#include <onnxc/model_io.h>
#include <onnxc/proto.h>

#include <cerrno>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arguments.h"
#include "cli/program.h"
#include "edit.h"
#include "interruptible.h"
#include "service.h"
#include "weights.h"

namespace onnxc::python {
namespace {

struct DropReference {
  void operator()(PyObject* object) const { Py_XDECREF(object); }
};
using Object = std::unique_ptr<PyObject, DropReference>;

/// Releases Python's lock during its lifetime, so that other Python threads can run.
class WithoutLock {
 public:
  WithoutLock() : state_(PyEval_SaveThread()) {}
  WithoutLock(const WithoutLock&) = delete;
  WithoutLock& operator=(const WithoutLock&) = delete;
  ~WithoutLock() { PyEval_RestoreThread(state_); }

 private:
  PyThreadState* state_;
};

enum class ValueIs { kBytes, kText, kNothing };

/// Thrown after a function of Python has failed and has set a Python exception.
struct PythonError {};

/// Returns the text as a str. Bytes that are not UTF-8 become lone surrogates, as in Python's file names.
Object Text(std::string_view text) {
  return Object(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

Object TextOrNone(std::string_view text) {
  if (!text.empty()) return Text(text);
  Py_INCREF(Py_None);
  return Object(Py_None);
}

/// Returns a tuple of the texts, or None if there are none.
Object TextsOrNone(const std::vector<std::string>& texts) {
  if (texts.empty()) return TextOrNone({});
  Object tuple(PyTuple_New(static_cast<Py_ssize_t>(texts.size())));
  for (std::size_t i = 0; tuple && i < texts.size(); ++i) {
    Object text = Text(texts[i]);
    if (!text || PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), text.release()) < 0) return nullptr;
  }
  return tuple;
}

Object Value(const Answer& answer, ValueIs what) {
  if (!answer.ok || what == ValueIs::kNothing) return TextOrNone({});
  if (what == ValueIs::kText) return Text(answer.value);
  return Object(PyBytes_FromStringAndSize(answer.value.data(), static_cast<Py_ssize_t>(answer.value.size())));
}

/// What a function returns: a tuple; or a tuple that also contains Answer::foreign (a JSON array, or None); or the
/// same, but None instead of a tuple without any information; or only the value, or None if there is no value.
enum class Form { kTuple, kWithForeign, kWithForeignOrNone, kValue };

/// What a call does with files. This decides, in addition to the size of the input, whether Python's lock is released:
/// a file may be large, and a pipe may wait for another Python thread.
enum class Files { kNone, kRead, kWritten };

/// A call: the object that owns the input, and the number of bytes of the input.
struct Call {
  PyObject* owner;
  Py_ssize_t bytes;
  Files files = Files::kNone;
};

constexpr Py_ssize_t kShort = 1 << 10;  // bytes; for fewer, releasing the lock would take too long

/// Runs `work`, and converts its result or its exception for Python. Python's lock is released unless the input is
/// short and `work` uses no files. With a long input, a signal can end the call while `work` is still running, so
/// `work` must refer only to the arguments. A call that writes a file is always completed; `path` is that file.
template <typename Work>
PyObject* Run(Call call, ValueIs what, const Work& work, PyObject* path = nullptr, Form form = Form::kTuple) {
  try {
    constexpr Py_ssize_t kLong = 1 << 18;  // bytes; shorter inputs take only milliseconds
    Answer answer;
    if (call.bytes >= kLong && call.files != Files::kWritten) {
      std::optional<Answer> found = RunInterruptibly(work, call.owner);
      if (!found) return nullptr;
      answer = *std::move(found);
    } else {
      std::optional<WithoutLock> unlocked;
      if (call.bytes >= kShort || call.files != Files::kNone) unlocked.emplace();
      answer = work();
    }
    if (answer.error != 0) {
      errno = answer.error;
      return PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path);
    }
    const bool is_silent = answer.ok && answer.findings.empty() && answer.foreign.empty();
    if (form == Form::kWithForeignOrNone && is_silent) return TextOrNone({}).release();
    Object value = Value(answer, what);
    if (form == Form::kValue) return value.release();
    const Object findings = TextOrNone(answer.findings);
    const Object rendered = TextsOrNone(answer.rendered);
    const Object others = TextOrNone(answer.foreign);
    if (!value || !findings || !rendered || !others) return nullptr;
    PyObject* const ok = answer.ok ? Py_True : Py_False;
    if (form == Form::kTuple) return PyTuple_Pack(4, ok, value.get(), findings.get(), rendered.get());
    return PyTuple_Pack(5, ok, value.get(), findings.get(), rendered.get(), others.get());
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
    return nullptr;
  }
}

PyObject* CallCompile(PyObject*, PyObject* argument) {
  InputArgument input;
  if (TakeInput(argument, &input) == 0) return nullptr;
  return Run({argument, input.bytes.size}, ValueIs::kBytes, [=] { return Compile(input); });
}

PyObject* CallParse(PyObject*, PyObject* argument) {
  InputArgument input;
  if (TakeInput(argument, &input) == 0) return nullptr;
  return Run(
      {argument, input.bytes.size}, ValueIs::kBytes, [=] { return CompileQuietly(input); }, nullptr, Form::kValue);
}

PyObject* CallPrint(PyObject*, PyObject* arguments) {
  InputArgument input;
  int is_reference = 0;
  int allow_loss = 0;
  int small_floats = 0;
  if (!Take(arguments, "O&ppp:print", &input, &is_reference, &allow_loss, &small_floats)) return nullptr;
  const PrintOptions options{.dialect = is_reference != 0 ? Dialect::kReference : Dialect::kOnnxc,
                             .small_float_values = small_floats != 0,
                             .allow_loss = allow_loss != 0};
  return Run({arguments, input.bytes.size}, ValueIs::kText, [=] { return Print(input, options); });
}

PyObject* CallConvert(PyObject*, PyObject* argument) {
  InputArgument input;
  if (TakeInput(argument, &input) == 0) return nullptr;
  return Run({argument, input.bytes.size}, ValueIs::kBytes, [=] { return Convert(input); });
}

PyObject* CallIsBinary(PyObject*, PyObject* argument) {
  InputArgument input;
  if (TakeInput(argument, &input) == 0) return nullptr;
  return PyBool_FromLong(IsBinary(input) ? 1 : 0);
}

/// Returns the bytes of a path, or nothing after a Python exception.
std::optional<std::string> Path(PyObject* path) {
  PyObject* encoded = nullptr;
  if (PyUnicode_FSConverter(path, &encoded) == 0) return std::nullopt;
  const Object owner(encoded);
  return PyBytes_AsString(encoded);
}

PyObject* CallSave(PyObject*, PyObject* arguments) {
  InputArgument input;
  PyObject* path = nullptr;
  int takes_any_suffix = 0;
  if (!Take(arguments, "O&Op:save", &input, &path, &takes_any_suffix)) return nullptr;
  const std::optional<std::string> encoded = Path(path);
  if (!encoded) return nullptr;
  const std::string& file = *encoded;
  if (takes_any_suffix == 0 && !FormatOfSuffix(file)) {
    return PyErr_Format(PyExc_ValueError, "no format has the suffix of %R; there are %s", path,
                        SuffixesInWords().c_str());
  }
  return Run(
      {arguments, input.bytes.size, Files::kWritten}, ValueIs::kNothing, [=] { return Save(input, file); }, path);
}

/// Returns the domains and versions in a dict. Throws PythonError if they have wrong types.
std::map<std::string, std::int64_t> Imports(PyObject* dict) {
  std::map<std::string, std::int64_t> imports;
  PyObject* domain = nullptr;
  PyObject* version = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &domain, &version) != 0;) {
    Py_ssize_t size = 0;
    const char* name = PyUnicode_AsUTF8AndSize(domain, &size);
    if (name == nullptr) throw PythonError();
    const std::int64_t number = PyLong_AsLongLong(version);
    if (number == -1 && PyErr_Occurred() != nullptr) throw PythonError();
    imports.emplace(std::string(name, static_cast<std::size_t>(size)), number);
  }
  return imports;
}

/// Returns what the checker does with files. It reads files only for external data, and the bytes of a model with
/// external data contain the key "location". A long input is not searched for this key, because the lock is released
/// anyway.
Files FilesOf(const Input& input, const CheckOptions& options) {
  const bool is_short = input.bytes.size() < static_cast<std::size_t>(kShort);
  const bool may_read = !input.is_binary || !is_short || input.bytes.find("location") != std::string_view::npos;
  return options.external_files && may_read ? Files::kRead : Files::kNone;
}

/// The arguments of a check that must be converted before they become options.
struct CheckArguments {
  Bytes directory;
  long long ir_version = 0;
  PyObject* imports = nullptr;
};

/// Runs the checker. `owner` owns the input. With Form::kWithForeignOrNone, warnings are left out if there is no error.
PyObject* RunCheck(PyObject* owner, const InputArgument& input, CheckOptions options, const CheckArguments& others,
                   Form form) {
  try {
    options.directory = std::string_view(others.directory);
    options.opset_imports = Imports(others.imports);
    if (others.ir_version > 0) options.ir_version = others.ir_version;
    const bool only_errors = form == Form::kWithForeignOrNone;
    return Run(
        {owner, input.bytes.size, FilesOf(input, options)}, ValueIs::kNothing,
        [=, options = std::move(options)] { return CheckBytes(input, options, only_errors); }, nullptr, form);
  } catch (const PythonError&) {
    return nullptr;
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
}

PyObject* CallCheck(PyObject*, PyObject* arguments) {
  InputArgument input;
  CheckArguments others;
  int strict = 0;
  int external_files = 0;
  int infer = 0;
  int optional_rules = 0;
  Py_ssize_t limit = 0;
  if (!Take(arguments, "O&s#ppppLO!n:check", &input, &others.directory.data, &others.directory.size, &strict,
            &external_files, &infer, &optional_rules, &others.ir_version, &PyDict_Type, &others.imports, &limit)) {
    return nullptr;
  }
  const CheckOptions options{.strict = strict != 0,
                             .optional_rules = optional_rules != 0,
                             .max_diagnostics = static_cast<std::size_t>(limit),
                             .external_files = external_files != 0,
                             .infer = infer != 0};
  return RunCheck(arguments, input, options, others, Form::kWithForeign);
}

/// Takes its arguments without a tuple and a format, because this would take as long as checking a node.
PyObject* CallFindErrors(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  if (count != 5) return PyErr_Format(PyExc_TypeError, "find_errors() takes exactly 5 arguments (%zd given)", count);
  if (PyDict_Check(arguments[4]) == 0) {
    PyErr_SetString(PyExc_TypeError, "argument 5 of find_errors() must be a dict");
    return nullptr;
  }
  InputArgument input;
  CheckArguments others;
  others.imports = arguments[4];
  if (TakeInput(arguments[0], &input) == 0 || !TakeBytes(arguments[1], &others.directory)) return nullptr;
  const int infer = PyObject_IsTrue(arguments[2]);
  others.ir_version = PyLong_AsLongLong(arguments[3]);
  if (infer < 0 || (others.ir_version == -1 && PyErr_Occurred() != nullptr)) return nullptr;
  // No limit, because the errors for which the onnx package raises an exception may come after any number of other
  // findings.
  const CheckOptions options{.max_diagnostics = std::numeric_limits<std::size_t>::max(), .infer = infer != 0};
  return RunCheck(arguments[0], input, options, others, Form::kWithForeignOrNone);
}

PyObject* CallInfer(PyObject*, PyObject* arguments) {
  InputArgument input;
  int strict = 0;
  int data_propagation = 0;
  int overwrite = 0;
  int as_onnx = 0;
  if (!Take(arguments, "O&pppp:infer", &input, &strict, &data_propagation, &overwrite, &as_onnx)) return nullptr;
  const InferRequest request{.options = {.data_propagation = data_propagation != 0, .overwrite = overwrite != 0},
                             .overwrite = overwrite != 0,
                             .as_onnx = as_onnx != 0,
                             .strict = strict != 0};
  return Run(
      {arguments, input.bytes.size}, ValueIs::kBytes, [=] { return Infer(input, request); }, nullptr,
      Form::kWithForeign);
}

PyObject* CallEdit(PyObject*, PyObject* arguments) {
  InputArgument input;
  Bytes request;
  if (!Take(arguments, "O&s#:edit", &input, &request.data, &request.size)) return nullptr;
  return Run({arguments, input.bytes.size}, ValueIs::kBytes, [=] { return Edit(input, request); });
}

PyObject* CallFormat(PyObject*, PyObject* arguments) {
  InputArgument input;
  Py_ssize_t width = 0;
  if (!Take(arguments, "O&n:format", &input, &width)) return nullptr;
  return Run({arguments, input.bytes.size}, ValueIs::kText,
             [=] { return FormatSource(input, static_cast<std::size_t>(width)); });
}

PyObject* CallDiff(PyObject*, PyObject* arguments) {
  InputArgument before, after;
  Bytes ignore;
  double tolerance = 0;
  if (!Take(arguments, "O&O&s#d:diff", &before, &TakeInput, &after, &ignore.data, &ignore.size, &tolerance)) {
    return nullptr;
  }
  if (std::string_view(before.type) != std::string_view(after.type)) {
    PyErr_SetString(PyExc_TypeError, "messages of two types cannot be compared");
    return nullptr;
  }
  DiffOptions options{.ignore = {}, .weights_tolerance = tolerance};
  const std::string words = "," + std::string(std::string_view(ignore)) + ",";
  for (std::size_t aspect = 0; aspect < kAspectWords.size(); ++aspect) {
    const bool is_ignored = words.find("," + std::string(kAspectWords[aspect]) + ",") != std::string::npos;
    if (is_ignored) options.ignore.push_back(static_cast<Aspect>(aspect));
  }
  return Run({arguments, before.bytes.size + after.bytes.size}, ValueIs::kText,
             [=] { return Compare(before, after, options); });
}

PyObject* CallDraw(PyObject*, PyObject* argument) {
  InputArgument input;
  if (TakeInput(argument, &input) == 0) return nullptr;
  return Run({argument, input.bytes.size}, ValueIs::kText, [=] { return Draw(input); });
}

PyObject* CallDescribe(PyObject*, PyObject* argument) {
  InputArgument input;
  if (TakeInput(argument, &input) == 0) return nullptr;
  return Run({argument, input.bytes.size}, ValueIs::kText, [=] { return Describe(input); });
}

PyObject* CallElide(PyObject*, PyObject* arguments) {
  InputArgument input;
  Bytes directory;
  int allow_links = 0;
  unsigned long long threshold = 0;
  int checksums = 0;
  if (!Take(arguments, "O&s#pKp:elide", &input, &directory.data, &directory.size, &allow_links, &threshold,
            &checksums)) {
    return nullptr;
  }
  const WeightsRequest request{std::string(std::string_view(directory)), allow_links != 0, threshold};
  return Run({arguments, input.bytes.size, Files::kRead}, ValueIs::kBytes,
             [=] { return ElideWeights(input, request, checksums != 0); });
}

PyObject* CallAttach(PyObject*, PyObject* arguments) {
  InputArgument input;
  Bytes directory;
  int allow_links = 0;
  PyObject* path = nullptr;
  if (!Take(arguments, "O&s#pO:attach", &input, &directory.data, &directory.size, &allow_links, &path)) {
    return nullptr;
  }
  const std::optional<std::string> file = Path(path);
  if (!file) return nullptr;
  const WeightsRequest request{std::string(std::string_view(directory)), allow_links != 0};
  return Run({arguments, input.bytes.size, Files::kRead}, ValueIs::kBytes,
             [=] { return AttachWeights(input, request, *file); });
}

PyObject* CallInline(PyObject*, PyObject* arguments) {
  InputArgument input;
  Bytes directory;
  int allow_links = 0;
  if (!Take(arguments, "O&s#p:inline", &input, &directory.data, &directory.size, &allow_links)) return nullptr;
  const WeightsRequest request{std::string(std::string_view(directory)), allow_links != 0};
  return Run({arguments, input.bytes.size, Files::kRead}, ValueIs::kBytes,
             [=] { return InlineWeights(input, request); });
}

PyObject* CallExtract(PyObject*, PyObject* arguments) {
  InputArgument input;
  Bytes directory;
  int allow_links = 0;
  unsigned long long threshold = 0;
  PyObject* path = nullptr;
  PyObject* name = nullptr;
  int replace = 0;
  if (!Take(arguments, "O&s#pKOOp:extract", &input, &directory.data, &directory.size, &allow_links, &threshold, &path,
            &name, &replace)) {
    return nullptr;
  }
  const std::optional<std::string> file = Path(path);
  const std::optional<std::string> side_file = file ? Path(name) : std::nullopt;
  if (!side_file) return nullptr;
  const WeightsRequest request{std::string(std::string_view(directory)), allow_links != 0, threshold};
  return Run(
      {arguments, input.bytes.size, Files::kWritten}, ValueIs::kNothing,
      [=] { return ExtractWeights(input, request, *file, *side_file, replace != 0); }, path);
}

PyObject* CallLink(PyObject*, PyObject* arguments) {
  InputArgument input;
  PyObject* tuple = nullptr;
  if (!Take(arguments, "O&O!:link", &input, &PyTuple_Type, &tuple)) return nullptr;
  std::vector<Input> libraries;
  Py_ssize_t bytes = input.bytes.size;
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); ++i) {
    InputArgument library;
    if (TakeInput(PyTuple_GetItem(tuple, i), &library) == 0) return nullptr;
    bytes += library.bytes.size;
    libraries.push_back(library);
  }
  return Run({arguments, bytes}, ValueIs::kBytes, [=] { return LinkFunctions(input, libraries); });
}

PyObject* CallFinish(PyObject*, PyObject*) {
  JoinInterrupted();
  Py_RETURN_NONE;
}

PyObject* CallSuffixes(PyObject*, PyObject*) { return Text(SuffixesAsJson()).release(); }

PyObject* CallExplain(PyObject*, PyObject* arguments) {
  Bytes kind;
  if (PyArg_ParseTuple(arguments, "s#:explain", &kind.data, &kind.size) == 0) return nullptr;
  return TextOrNone(Explain(kind).value_or("")).release();
}

PyObject* CallRules(PyObject*, PyObject*) { return Text(RulesAsJson()).release(); }

/// Runs the command. The arguments are those of a process; the first one is the name of the program.
PyObject* CallMain(PyObject*, PyObject* arguments) {
  std::vector<std::string> words;
  for (Py_ssize_t i = 0; i < PyTuple_Size(arguments); ++i) {
    Object encoded(PyUnicode_EncodeFSDefault(PyTuple_GetItem(arguments, i)));
    char* data = nullptr;
    Py_ssize_t size = 0;
    if (!encoded || PyBytes_AsStringAndSize(encoded.get(), &data, &size) < 0) return nullptr;
    words.emplace_back(data, static_cast<std::size_t>(size));
  }
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int status = 0;
  {
    const WithoutLock unlocked;
    status = cli::Main(static_cast<int>(words.size()), pointers.data());
  }
  return PyLong_FromLong(status);
}

PyMethodDef methods[] = {
    {"compile", CallCompile, METH_O, "compile(input): a text to a message's bytes"},
    {"parse", CallParse, METH_O, "parse(input): like compile, but only the bytes, or None if there is an error"},
    {"print", CallPrint, METH_VARARGS, "print(input, reference, allow_loss, small_floats): a message to a text"},
    {"convert", CallConvert, METH_O, "convert(input): any format to a message's bytes"},
    {"is_binary", CallIsBinary, METH_O, "is_binary(input): whether it is a message's bytes, in today's schema"},
    {"save", CallSave, METH_VARARGS,
     "save(input, path, any_suffix): writes a file in the format of its suffix; binary where any suffix is taken"},
    {"check", CallCheck, METH_VARARGS,
     "check(input, directory, strict, external_files, infer, optional_rules, ir_version, opset_imports, limit): "
     "findings"},
    {"find_errors", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(CallFindErrors)), METH_FASTCALL,
     "find_errors(input, directory, infer, ir_version, opset_imports): like check, but None if there is no error"},
    {"infer", CallInfer, METH_VARARGS,
     "infer(input, strict, data_propagation, overwrite, as_onnx): a model with types and shapes"},
    {"edit", CallEdit, METH_VARARGS, "edit(input, request): a changed model; the request is JSON"},
    {"format", CallFormat, METH_VARARGS, "format(input, width): a text laid out anew"},
    {"diff", CallDiff, METH_VARARGS, "diff(before, after, ignore, tolerance): what differs, as JSON"},
    {"draw", CallDraw, METH_O, "draw(input): the picture in Graphviz' language"},
    {"describe", CallDescribe, METH_O, "describe(input): what is in a model, as JSON"},
    {"elide", CallElide, METH_VARARGS,
     "elide(input, directory, allow_links, size_threshold, checksums): a message without its weights"},
    {"attach", CallAttach, METH_VARARGS, "attach(input, directory, allow_links, file): elided data from a file"},
    {"inline", CallInline, METH_VARARGS, "inline(input, directory, allow_links): all external data in the message"},
    {"extract", CallExtract, METH_VARARGS,
     "extract(input, directory, allow_links, size_threshold, path, name, replace): a model and its weights as two "
     "files"},
    {"link", CallLink, METH_VARARGS, "link(input, libraries): a model with the functions that it calls"},
    {"suffixes", CallSuffixes, METH_NOARGS, "suffixes(): the suffixes of files, each with its format, as JSON"},
    {"explain", CallExplain, METH_VARARGS, "explain(kind): the page about a kind of finding, or None"},
    {"rules", CallRules, METH_NOARGS, "rules(): the rules of the checker, as JSON"},
    {"finish", CallFinish, METH_NOARGS, "finish(): waits for the work of calls that were interrupted"},
    {"main", CallMain, METH_VARARGS, "main(program, *arguments): runs the command, returns its exit status"},
    {nullptr, nullptr, 0, nullptr},
};

int Execute(PyObject* module) {
  try {
    // Builds the descriptors of protobuf now. Otherwise protobuf would build them at their first use. If memory ran out
    // during that, they would stay incomplete, and Python continues after a MemoryError.
    (void)onnx::ModelProto::descriptor();
  } catch (const std::bad_alloc&) {
    (void)PyErr_NoMemory();
    return -1;
  }
  return PyModule_AddStringConstant(module, "version", ONNXC_VERSION);
}

// Nothing in this module belongs to one interpreter, so each interpreter may have its own lock. A module tells that to
// CPython 3.12 and later by a slot; earlier versions do not know this slot.
constexpr long kKnowsInterpreters = 0x030C0000;
constexpr int kMultipleInterpreters = 3;                    // Py_mod_multiple_interpreters
void* const kEachWithItsLock = reinterpret_cast<void*>(2);  // Py_MOD_PER_INTERPRETER_GIL_SUPPORTED
PyModuleDef_Slot slots[] = {
    {Py_mod_exec, reinterpret_cast<void*>(Execute)}, {kMultipleInterpreters, kEachWithItsLock}, {0, nullptr}};
PyModuleDef_Slot old_slots[] = {{Py_mod_exec, reinterpret_cast<void*>(Execute)}, {0, nullptr}};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "onnxc._core",
                          "The library onnxc: bytes and text in, bytes and findings out.",
                          0,
                          methods,
                          slots,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace
}  // namespace onnxc::python

PyMODINIT_FUNC PyInit__core() {
  PyObject* const version = PySys_GetObject("hexversion");
  const bool is_old = version != nullptr && PyLong_AsLong(version) < onnxc::python::kKnowsInterpreters;
  if (is_old) onnxc::python::definition.m_slots = onnxc::python::old_slots;
  return PyModuleDef_Init(&onnxc::python::definition);
}
