"""Runs the recorded cases of tests/conformance with the package, and with the onnx package in the same process."""

import base64
import importlib
import json
import pathlib
import re
import sys

import pytest

import onnxc

FOLDER = pathlib.Path(__file__).parents[2] / "tests" / "conformance"
if not FOLDER.exists():
    pytest.skip("the recorded cases are not in the source distribution", allow_module_level=True)
sys.path.insert(0, str(FOLDER))

PARSERS = {
    "model": onnxc.parse_model,
    "graph": onnxc.parse_graph,
    "function": onnxc.parse_function,
    "node": onnxc.parse_node,
    "attr": onnxc.parse_attribute,
    "type": onnxc.parse_type,
    "tensor": onnxc.parse_tensor,
    "shape": onnxc.parse_shape,
}


def read_cases(name):
    cases = [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]
    return [pytest.param(case, id=case["id"]) for case in cases]


def exempt(name):
    return set(re.findall(r"(?m)^(\w+)", (FOLDER / name).read_text(encoding="utf-8")))


EXEMPT = exempt("exempt.txt")


@pytest.fixture
def conform(onnx):
    return importlib.import_module("conform")


def outcome(parse, text, conform):
    """Returns the bytes of the message at L1, or None if the text is rejected."""
    try:
        message = parse(text)
    except (onnxc.OnnxcError, onnxc_parser_error()):
        return None
    return conform.normalise(message).SerializeToString(deterministic=True)


def onnxc_parser_error():
    import onnx.parser

    return onnx.parser.ParseError


@pytest.mark.parametrize("case", read_cases("cases.jsonl"))
def test_text(case, conform):
    """The package makes the same message of the text as the original, or the case is listed under a deviation."""
    ours = outcome(PARSERS[case["kind"]], conform.case_text(case), conform)
    if not case["ok"]:  # refused by both, or read by an extension
        return
    if "pb_b64" not in case:  # a huge result, which is not recorded
        assert (ours is None) == (case["id"] in EXEMPT)
        return
    theirs = conform.normalise(conform.KINDS[case["kind"]].FromString(base64.b64decode(case["pb_b64"])))
    assert (ours == theirs.SerializeToString(deterministic=True)) == (case["id"] not in EXEMPT)


@pytest.mark.parametrize("case", [case for case in read_cases("cases.jsonl") if case.values[0]["kind"] in list(PARSERS)[:4]])
def test_text_beside_the_original(case, conform, onnx):
    """Both parsers in one process give the same message, or an exception that the same `except` clause catches."""
    import onnxc.parser

    if case.get("crash") or case.get("result") == "ok-but-binary-unreadable":
        pytest.skip("the original does not survive it, or gives what cannot be read")
    try:
        text = conform.case_text(case).decode()
    except UnicodeDecodeError:
        pytest.skip("the original takes a str, and this is no UTF-8")
    parse = f"parse_{case['kind']}"
    theirs = ours = None
    try:
        theirs = getattr(onnx.parser, parse)(text)
    except Exception as error:
        refusal = type(error)
    try:
        ours = getattr(onnxc.parser, parse)(text)
    except onnx.parser.ParseError as error:
        assert error.findings.errors and isinstance(error, onnxc.parser.ParseError)
        assert isinstance(error.args[0], str)
    if theirs is None:  # `refusal` may be a RuntimeError, which the original lets through for numbers that do not fit
        assert refusal in (onnx.parser.ParseError, RuntimeError, ValueError, IndexError)
        return
    same = ours is not None and conform.normalise(ours) == conform.normalise(theirs)
    assert same == (case["id"] not in EXEMPT)


# Models that the original's full check refuses for reasons other than types and shapes.
FULL_CHECK_EXEMPT = {
    "c010",  # a model before IR version 3 imports nothing, which its inference takes for a missing import
    "c054",  # a reference to an attribute outside of a function: the rule reference-outside, which onnxc.check reports
}


def exception_of(check, *arguments, **options):
    try:
        check(*arguments, **options)
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize("full_check", [False, True], ids=["plain", "full"])
@pytest.mark.parametrize("case", read_cases("checker_cases.jsonl"))
def test_checker(case, full_check, onnx):
    """The replacement raises the same exception as the original, for a message, its bytes and its file."""
    import onnxc.checker

    if not case["parse"]:
        pytest.skip("the original cannot parse it")
    model = onnx.parser.parse_model(case["text"])
    theirs = exception_of(onnx.checker.check_model, model, full_check)
    for given in (model, model.SerializeToString()):
        ours = exception_of(onnxc.checker.check_model, given, full_check)
        assert ours is None or isinstance(ours, onnxc.OnnxcError)
        if full_check and case["id"] in FULL_CHECK_EXEMPT:
            assert (ours is None) != (theirs is None)
            continue
        assert (ours is None) == (theirs is None), (ours, theirs)
        if theirs is not None:
            assert isinstance(ours, type(theirs)), (ours, theirs)
