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

/// A str or bytes argument; its bytes stay where they are during the call.
struct Bytes {
  const char* data = nullptr;
  Py_ssize_t size = 0;
  operator std::string_view() const { return {data, static_cast<std::size_t>(size)}; }  // NOLINT: as an argument
};

/// The tuple (type, bytes, name, is_binary).
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

/// A converter of PyArg_ParseTuple(), for "O&": an input. The format "(s#s#s#p)" takes several times as
/// long, which counts where the message is small.
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

/// Takes the arguments of a function. `format` is PyArg_ParseTuple()'s; the first argument is an input, "O&".
template <typename... Pointers>
bool Take(PyObject* arguments, const char* format, InputArgument* input, Pointers... pointers) {
  return PyArg_ParseTuple(arguments, format, &TakeInput, input, pointers...) != 0;
}

}  // namespace onnxc::python
