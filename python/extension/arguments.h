// Takes the arguments that Python passes to a function of the module.
#pragma once

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030A0000
#include <Python.h>

#include <cstddef>
#include <string_view>

#include "reading.h"
#include "service.h"

namespace onnxc::python {

/// The bytes of a str or bytes argument. They are valid during the call.
struct Bytes {
  const char* data = nullptr;
  Py_ssize_t size = 0;
  operator std::string_view() const { return {data, static_cast<std::size_t>(size)}; }  // NOLINT: as an argument
};

/// An argument that is a tuple (type, bytes, name, is_binary).
struct InputArgument {
  Bytes type, bytes, name;
  int is_binary = 0;
  operator Input() const { return {type, bytes, name, is_binary != 0}; }  // NOLINT: as an argument
};

inline bool TakeBytes(PyObject* object, Bytes* bytes) {
  if (PyUnicode_Check(object) != 0) {
    bytes->data = PyUnicode_AsUTF8AndSize(object, &bytes->size);
    return bytes->data != nullptr;
  }
  char* data = nullptr;
  const bool is_taken = PyBytes_AsStringAndSize(object, &data, &bytes->size) == 0;
  bytes->data = data;
  return is_taken;
}

/// Converts an input for the format "O&" of PyArg_ParseTuple(). The format "(s#s#s#p)" would take several times as
/// long, which matters for small messages.
inline int TakeInput(PyObject* tuple, void* argument) {
  auto* const input = static_cast<InputArgument*>(argument);
  if (PyTuple_Check(tuple) == 0 || PyTuple_Size(tuple) != 4) {
    PyErr_SetString(PyExc_TypeError, "an input is a tuple (type, bytes, name, is_binary)");
    return 0;
  }
  if (!TakeBytes(PyTuple_GetItem(tuple, 0), &input->type) || !TakeBytes(PyTuple_GetItem(tuple, 1), &input->bytes) ||
      !TakeBytes(PyTuple_GetItem(tuple, 2), &input->name)) {
    return 0;
  }
  input->is_binary = PyObject_IsTrue(PyTuple_GetItem(tuple, 3));
  if (input->is_binary < 0) return 0;
  if (IsMessageType(input->type)) return 1;
  PyErr_Format(PyExc_ValueError, "the schema has no message %s", input->type.data);
  return 0;
}

/// Reads the arguments of a function. `format` is that of PyArg_ParseTuple(), and begins with "O&" for the input.
/// Returns false after a Python exception.
template <typename... Pointers>
bool Take(PyObject* arguments, const char* format, InputArgument* input, Pointers... pointers) {
  return PyArg_ParseTuple(arguments, format, &TakeInput, input, pointers...) != 0;
}

}  // namespace onnxc::python
