"""Tests the language server with pytest-lsp, which acts as a client with the capabilities of real editors."""
import asyncio
import json
import re
import subprocess
import threading
import time

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pytest_lsp.client import default_feature

import colours
from conftest import server_path
from test_vscode import COLOURED, SNAPSHOTS
from texts import ROOT

BRANCH = ROOT / "testdata/examples/branch.onnxtxt"
SCALE = ROOT / "testdata/docs/scale.onnxtxt"


@default_feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
def remember(client: LanguageClient, params: types.PublishDiagnosticsParams):
    """Stores pushed diagnostics by version, because the diagnostics of an old version say nothing about a newer version."""
    client.__dict__.setdefault("pushed", {})[params.uri, params.version] = params.diagnostics


@default_feature(types.CLIENT_REGISTER_CAPABILITY)
def register(client: LanguageClient, params: types.RegistrationParams):
    """The server registers for changed settings; pytest-lsp does not answer this request itself."""


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[str(server_path()), "lsp"]),
                    params=["visual_studio_code", "neovim", "emacs"])  # fmt: skip
async def client(request, lsp_client: LanguageClient):
    lsp_client.name = request.param
    params = types.InitializeParams(
        capabilities=client_capabilities(request.param),
        workspace_folders=[types.WorkspaceFolder(uri=ROOT.as_uri(), name="onnxc")],
    )
    lsp_client.provides = (await lsp_client.initialize_session(params)).capabilities
    yield
    await lsp_client.shutdown_session()


class Document:
    """A text that is open in the client, and places in it by their words."""

    def __init__(self, client, path, text=None):
        self.client, self.uri, self.version = client, path.as_uri(), 1
        self.text = path.read_text() if text is None else text
        item = types.TextDocumentItem(uri=self.uri, language_id="onnxtxt", version=1, text=self.text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))

    @property
    def id(self):
        return types.TextDocumentIdentifier(uri=self.uri)

    def at(self, words, offset=0):
        """Returns the position of the first occurrence of `words`, plus `offset` characters."""
        before = self.text[: self.text.index(words) + offset]
        return types.Position(line=before.count("\n"), character=len(before) - before.rfind("\n") - 1)

    def place(self, words, offset=0):
        return {"text_document": self.id, "position": self.at(words, offset)}

    def of(self, range_):
        """Returns the text of a range."""
        lines = self.text.split("\n")
        start, end = range_.start, range_.end
        if start.line == end.line:
            return lines[start.line][start.character : end.character]
        inner = lines[start.line + 1 : end.line]
        return "\n".join([lines[start.line][start.character :], *inner, lines[end.line][: end.character]])

    def apply(self, edits):
        """Returns the text after edits, as the client would make them."""
        lines = self.text.splitlines(keepends=True) + [""]
        offsets = [sum(map(len, lines[:i])) for i in range(len(lines))]
        text = self.text
        for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
            begin = offsets[edit.range.start.line] + edit.range.start.character
            end = offsets[edit.range.end.line] + edit.range.end.character
            text = text[:begin] + edit.new_text + text[end:]
        return text

    def type(self, words, instead):
        """Replaces the first occurrence of `words`, and notifies the server."""
        begin, end = self.at(words), self.at(words, len(words))
        self.version += 1
        change = types.TextDocumentContentChangePartial(range=types.Range(start=begin, end=end), text=instead)
        versioned = types.VersionedTextDocumentIdentifier(uri=self.uri, version=self.version)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(text_document=versioned, content_changes=[change]))
        self.text = self.text.replace(words, instead, 1)


async def diagnostics(client, document):
    if client.provides.diagnostic_provider and client.capabilities.text_document.diagnostic:
        report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(text_document=document.id))
        return report.items
    for _ in range(600):
        found = getattr(client, "pushed", {}).get((document.uri, document.version))
        if found is not None:
            return found
        await asyncio.sleep(0.1)
    raise TimeoutError(f"no diagnostics of version {document.version}")


def changes_of(edit, uri):
    if edit.document_changes:
        return [e for change in edit.document_changes if change.text_document.uri == uri for e in change.edits]
    return edit.changes[uri]


def needs(client, provider):
    if getattr(client.provides, provider) is None:
        pytest.skip(f"the server has no {provider}")


@pytest.mark.asyncio
async def test_diagnostics_follow_the_text(client):
    document = Document(client, SCALE)
    found = await diagnostics(client, document)
    assert [(d.code, document.of(d.range)) for d in found] == [("unknown-name", "wieghts"), ("input-count", "c")]
    document.type("wieghts", "weights")
    document.type("(c, c)", "(c)")
    assert list(await diagnostics(client, document)) == []


@pytest.mark.asyncio
async def test_quick_fix(client):
    document = Document(client, SCALE)
    found = [d for d in await diagnostics(client, document) if d.code == "unknown-name"]
    context = types.CodeActionContext(diagnostics=found, only=[types.CodeActionKind.QuickFix])
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(text_document=document.id, range=found[0].range, context=context))  # fmt: skip
    fixed = document.apply(changes_of(actions[0].edit, document.uri))
    assert fixed == document.text.replace("wieghts", "weights")


@pytest.mark.asyncio
async def test_hover_tells_the_type(client):
    document = Document(client, BRANCH)
    hover = await client.text_document_hover_async(types.HoverParams(**document.place("total")))
    assert "float" in hover.contents.value
    hover = await client.text_document_hover_async(types.HoverParams(**document.place("ReduceSum")))
    assert "keepdims" in hover.contents.value


@pytest.mark.asyncio
async def test_definition_and_references_cross_subgraphs(client):
    document = Document(client, BRANCH)
    inner = document.place("Neg (total)", 5)
    definition = await client.text_document_definition_async(types.DefinitionParams(**inner))
    place = definition[0] if isinstance(definition, (list, tuple)) else definition
    range_ = place.target_selection_range if isinstance(place, types.LocationLink) else place.range
    assert range_.start == document.at("total =")
    context = types.ReferenceContext(include_declaration=True)
    references = await client.text_document_references_async(types.ReferenceParams(**inner, context=context))
    assert len(references) == 4 and all(document.of(reference.range) == "total" for reference in references)


@pytest.mark.asyncio
async def test_outline(client):
    document = Document(client, BRANCH)
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(text_document=document.id))
    assert symbols[0].name == "absolute_sum"


@pytest.mark.asyncio
async def test_formatting(client):
    document = Document(client, ROOT / "untitled.onnxtxt", "g (float  x)=>(float y){y=Relu(x)}\n")
    options = types.FormattingOptions(tab_size=3, insert_spaces=True)
    edits = await client.text_document_formatting_async(types.DocumentFormattingParams(text_document=document.id, options=options))
    assert document.apply(edits) == "g (float x) => (float y) {\n   y = Relu (x)\n}\n"


@pytest.mark.asyncio
async def test_rename(client):
    needs(client, "rename_provider")
    document = Document(client, BRANCH)
    edit = await client.text_document_rename_async(types.RenameParams(**document.place("total"), new_name="sum"))
    assert document.apply(changes_of(edit, document.uri)) == document.text.replace("total", "sum")


@pytest.mark.asyncio
async def test_completion_of_operators(client):
    needs(client, "completion_provider")
    document = Document(client, ROOT / "untitled.onnxtxt", "<ir_version: 8, opset_import: [\"\": 17]>\ng (float x) => (float y) {\n   y = Sof\n}\n")
    found = await client.text_document_completion_async(types.CompletionParams(**document.place("Sof", 3)))
    labels = [item.label for item in getattr(found, "items", found)]
    assert "Softmax" in labels


@pytest.mark.asyncio
async def test_inlay_hints_tell_types(client):
    needs(client, "inlay_hint_provider")
    document = Document(client, BRANCH)
    whole = types.Range(start=types.Position(0, 0), end=types.Position(99, 0))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(text_document=document.id, range=whole))
    labels = [hint.label if isinstance(hint.label, str) else "".join(part.value for part in hint.label) for hint in hints]
    assert any("bool" in label for label in labels)


@pytest.mark.asyncio
async def test_picture(client):
    if client.provides.execute_command_provider is None:
        pytest.skip("the server has no commands")
    document = Document(client, BRANCH)
    where = {"uri": document.uri, "position": {"line": 4, "character": 4}}
    graph = await client.workspace_execute_command_async(types.ExecuteCommandParams(command="onnxc.showGraph", arguments=[where]))
    assert "digraph" in str(graph)


@pytest.mark.asyncio
@pytest.mark.parametrize("name", [name for name in COLOURED if not name.endswith((".graph", ".attr"))])
async def test_semantic_tokens_agree_with_the_grammars(client, language, name):
    needs(client, "semantic_tokens_provider")
    path = ROOT / f"testdata/{name}.onnxtxt"
    document = Document(client, path)
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(text_document=document.id))
    tree = colours.of_tree(language, path.read_bytes())
    scopes = colours.of_snapshot((SNAPSHOTS / f"{path.name}.snap").read_text())
    lines, wrong, count = document.text.split("\n"), [], 0
    for line, column, length, kind in colours.of_server(tokens.data, client.provides.semantic_tokens_provider.legend.token_types):
        word = lines[line][column : column + length]
        captures, scope = tree.get((line, column), {""}), scopes.get((line, column), "")
        count += 1
        if not captures & colours.TREE[kind] or not re.match(colours.TEXTMATE[kind], scope):
            wrong.append((line + 1, column + 1, word, kind, captures, scope))
    assert count > 10 and not wrong, f"{len(wrong)} of {count}: " + "\n".join(map(str, wrong))


def test_each_message_comes_whole_while_requests_come_fast():
    """The thread that reads must not disturb the thread that writes."""
    document = {"uri": "file:///fast.onnxtxt"}

    def frame(message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        return b"Content-Length: %d\r\n\r\n" % len(data) + data

    opened = {**document, "languageId": "onnxtxt", "version": 1, "text": BRANCH.read_text()}
    first = [{"id": 0, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
             {"method": "initialized", "params": {}}, {"method": "textDocument/didOpen", "params": {"textDocument": opened}}]  # fmt: skip
    place = {"textDocument": document, "position": {"line": 4, "character": 5}}
    requests = [{"id": i, "method": "textDocument/documentSymbol", "params": place} for i in range(1, 150)]
    for _ in range(10):
        server = subprocess.Popen([server_path(), "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        output = []
        reader = threading.Thread(target=lambda: output.append(server.stdout.read()))
        reader.start()
        for i, message in enumerate([*first, *requests, {"id": 999, "method": "shutdown"}, {"method": "exit"}]):
            server.stdin.write(frame(message))
            server.stdin.flush()
            if i % 3 == 0:
                time.sleep(0.001)
        server.stdin.close()
        reader.join(60)
        assert server.wait(60) == 0
        rest = output[0]
        while rest:
            head, _, rest = rest.partition(b"\r\n\r\n")
            length = int(head.removeprefix(b"Content-Length: "))
            json.loads(rest[:length])
            rest = rest[length:]
