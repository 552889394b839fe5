"""Loads the extension module so that it uses its own copy of protobuf.

Some packages, such as tensorflow, put the symbols of their own protobuf into the global scope of the process. The loader searches
this scope first. The module would then call functions of another protobuf version, and crash. With RTLD_DEEPBIND, the loader
searches the module's own libraries first. The flag is used only if such symbols exist, because with the flag the module would
also ignore a preloaded malloc().
"""

import atexit
import ctypes
import importlib
import os
import sys

_SYMBOL_OF_PROTOBUF = "_ZN6google8protobuf7MessageD0Ev"  # google::protobuf::Message::~Message()


def _load() -> None:
    flags = sys.getdlopenflags()
    if hasattr(ctypes.CDLL(None), _SYMBOL_OF_PROTOBUF):
        sys.setdlopenflags(flags | getattr(os, "RTLD_DEEPBIND", 0))
    try:
        module = importlib.import_module("onnxc._core")
    finally:
        sys.setdlopenflags(flags)
    atexit.register(module.finish)


_load()
