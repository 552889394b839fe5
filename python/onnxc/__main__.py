"""The command: ``python -m onnxc`` and ``onnxc``."""

import signal
import sys

from onnxc import _core


def main() -> int:
    """Runs the command with the arguments of the process, and returns its exit status."""
    # Python's own handler of Ctrl-C would run only after the command ends.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _core.main("onnxc", *sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
