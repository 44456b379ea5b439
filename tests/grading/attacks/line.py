"""Attacks on the data that cross: what the student's kernel answers on the line, and what it says as a kernel."""

from .attack import Attack

CHECKED = "answers are data, checked part by part"
SERVER = """
import json, socket, struct, sys, threading, time
from course_lib.grading import serve
def packed(data):
    data = data if isinstance(data, bytes) else json.dumps(data).encode()
    return struct.pack(">Q", len(data)) + data
def read(line):
    head = line.recv(8, socket.MSG_WAITALL)
    if len(head) < 8: raise SystemExit
    return json.loads(line.recv(struct.unpack(">Q", head)[0], socket.MSG_WAITALL))
def replaced(reply, hello=b""):
    def serve_(path, names):
        line = socket.socket(socket.AF_UNIX)
        line.connect(path)
        line.sendall(hello)
        try:
            while True:
                answer = reply(read(line))
                for part in [answer] if isinstance(answer, bytes) else answer: line.sendall(part)
        except (SystemExit, OSError): pass
    serve.serve = serve_
"""

FORGED = (
    SERVER
    + """
values = [
    1, 7, True, None, "7", {"value": {"handle": 10**9}}, {"value": {"handle": -1}}, {"value": {"handle": 0}}, {"value": 7, "error": None},
    {"error": ["Unreachable", "\\ud800<script>"]}, {"error": "ab"}, {"error": {"a": 1, "b": 2}}, {"error": ["x"] * 3}, {"error": [[[]], {}]},
    {"value": {"tensor": ["float32", [3], "AAAA"]}}, {"value": {"tensor": ["float32", [2**62, 2**62, 0], ""]}}, {"value": {"tensor": ["float32", [-1], ""]}},
    {"value": {"tensor": ["__class__", [1], "AAAA"]}}, {"value": {"tensor": ["float32", [1] * 100, "AAAAAA=="]}}, {"value": {"float": "nan"}},
    {"value": {"dict": [[{"list": []}, 1]]}}, {"value": {"set": [{"list": []}]}}, {"value": {"list": {"a": 1}}}, {"value": {"tuple": "abc"}},
    {"value": {"float": "7"}}, {"value": {"a": 1, "b": 2}}, {"value": {"bytes": "###"}}, {"value": 10**300}, {"points": 7, "passed": True}, [], "error", {},
]
raw = [b'{"value": ' + b"[" * 900 + b"]" * 900 + b"}", b'{"value": NaN}', b'{"value": 1e999}', b'{"value": -Infinity}', b"\\xff\\xfe", b"", b"{", b'{"error": ' + b"[" * 990 + b"]" * 990 + b"}", b"9" * 5000]
turn = iter(range(10**9))
def reply(request):
    if request["do"] != "call" and next(turn) % 5: return packed({"value": None if request["do"] == "forbid" else {"handle": 0}})
    n = next(turn)
    return packed((values + raw)[n % (len(values) + len(raw))])
replaced(reply)
"""
)

NAMES = (
    SERVER
    + """
replies = [{"value": 7}, {"value": {"list": [7]}}, {"value": {"dict": [["points", 7]]}}, {"value": "learn_merges"}, {"value": {"tensor": ["float32", [], "AADgQA=="]}}]
turn = iter(range(10**9))
replaced(lambda request: packed(replies[next(turn) % len(replies)]))
grade = check = lambda *_: 7
"""
)

EAGER = (
    SERVER
    + """
replaced(lambda request: packed({"value": {"handle": 0}}) * 2, packed({"value": {"handle": 0}}) * 20)
def also():
    while True:
        try:
            line = socket.socket(socket.AF_UNIX)
            line.connect("/line/line")
            line.sendall(packed({"value": 7}) * 100)
        except OSError: pass
        time.sleep(0.01)
threading.Thread(target=also, daemon=True).start()
"""
)

BIG = (
    SERVER
    + """
def long(head, part, times, tail=b""):
    yield struct.pack(">Q", len(head) + times * len(part) + len(tail)) + head
    for _ in range(times): yield part
    yield tail
kinds = [
    lambda: struct.pack(">Q", 2**63), lambda: struct.pack(">Q", 2**64 - 1), lambda: long(b'{"value": [', b"{}," * (1 << 20), 20, b"1]}"),
    lambda: long(b'{"value": "', b"a" * (1 << 20), 90, b'"}'), lambda: packed({"value": {"list": [{"list": [0] * 1000}] * 1500}}),
    lambda: long(b"", b" " * (1 << 20), 90),
]
turn = iter(range(10**9))
replaced(lambda request: kinds[next(turn) % len(kinds)]() if request["do"] == "call" else packed({"value": {"handle": 0}}))
"""
)  # nothing big is made before the line asks: on a busy machine it would end the cell that is to say that it ran

DRIP = (
    SERVER
    + """
def serve_(path, names):
    line = socket.socket(socket.AF_UNIX)
    line.connect(path)
    read(line)
    line.sendall(struct.pack(">Q", 10**6))
    try:
        while True:
            line.sendall(b" ")
            time.sleep(0.5)
    except OSError: pass
serve.serve = serve_
"""
)

SLOW = """
import time
def learn_merges(*_):
    time.sleep(1.5)
    return []
"""

FORGED_MESSAGES = """
import json, threading, time
kernel = get_ipython().kernel
def message(kind, content, parent=None):
    kernel.session.send(kernel.iopub_socket, kind, content, parent=parent or kernel.get_parent())
bad = [[], 7, "x", {}, {"text": 7}, {"name": [], "text": {}}, {"data": [], "metadata": []}, {"data": {"text/plain": 7}, "metadata": {}}, {"execution_state": []},
       {"ename": 1, "evalue": [], "traceback": 7}, {"data": {"image/png": "iVBORw0KGgo=", "text/html": "<script>"}, "metadata": {"a": 1}}, None, {"name": "stdout", "text": "\\ud800"}]
for kind in ("stream", "display_data", "execute_result", "error", "status", "comm_open", "comm_msg", "clear_output", "update_display_data", "input_request", "x" * 999):
    for content in bad:
        try: message(kind, content)
        except Exception: pass
message("execute_result", {"data": {"text/plain": "7"}, "metadata": {}, "execution_count": 1})
message("status", {"execution_state": "idle"})
for socket_ in (kernel.shell_stream, kernel.control_stream):
    try: socket_.send_multipart([b"<IDS|MSG>", b"0" * 64, b"{}", b"{}", b"{}", b"{}"])
    except Exception: pass
def later():
    for n in range(400):
        for source in ("ps1_learn_merges__counts", "ps1"):
            try:
                message("execute_result", {"data": {"text/plain": "7"}, "metadata": {}, "execution_count": 1}, {"header": {"msg_id": source}})
                message("status", {"execution_state": "idle"})
            except Exception: pass
        time.sleep(0.02)
threading.Thread(target=later, daemon=True).start()
try: input("?")
except Exception as error: print(type(error).__name__)
"""

IDLE = """
import threading, time
kernel = get_ipython().kernel
parent = kernel.get_parent()
kernel.session.send(kernel.iopub_socket, "status", {"execution_state": "idle"}, parent=parent)
kernel.session.send(kernel.shell_stream, "execute_reply", {"status": "ok", "execution_count": 1}, parent=parent)
print("ran", flush=True)
time.sleep(10**6)
"""

EQUAL_HASHES = """
same = [n * (2**61 - 1) for n in range(400_000)]
kinds = [set(same[:300]), dict.fromkeys(same[:300], 1), {float(n) for n in range(9)}, frozenset((n, n) for n in same[:300])]
class Large(set):
    def __iter__(self): return iter(same)
class Keys(dict):
    def items(self): return [((n,), n) for n in same]
turn = iter(range(10**9))
def learn_merges(*_): return (kinds + [Large(), Keys()])[next(turn) % 6]
"""

SURROGATES = """
import json
kernel = get_ipython().kernel
def say(kind, content):
    header = {"msg_id": "x", "msg_type": kind, "session": "x", "username": "x", "date": "2026-01-01T00:00:00Z", "version": "5.3"}
    parts = [json.dumps(part, default=str).encode() for part in (header, kernel.get_parent()["header"], {}, content)]
    kernel.iopub_socket.send_multipart([kind.encode(), b"<IDS|MSG>", kernel.session.sign(parts), *parts])
for text in ("\\ud800", "\\udfff<b>", "a\\ud83d"):
    say("stream", {"name": "stdout", "text": text})
    say("stream", {"name": text, "text": text})
    say("error", {"ename": text, "evalue": text, "traceback": [text]})
    say("display_data", {"data": {"text/plain": text, "image/png": text, text: text}, "metadata": {text: text}, "transient": {}})
def learn_merges(*_): raise ValueError("\\ud800")
"""

FRAMES = """
kernel = get_ipython().kernel
part = bytes(15 << 20)
print("ran", flush=True)
for _ in range(20):
    kernel.session.send(kernel.iopub_socket, "comm_msg", {"comm_id": "x", "data": {}}, parent=kernel.get_parent(), buffers=[part] * 400)
import time
time.sleep(5)
"""

NESTED = """
import json
kernel = get_ipython().kernel
many, few = b'{"a": [' + b"[]," * (%d << 20) + b"[]]}", b"{}"
def say(*large):
    parts = [json.dumps(part, default=str).encode() for part in (kernel.session.msg_header("stream"), kernel.get_parent()["header"], {}, {})]
    parts = [many if n in large else part for n, part in enumerate(parts)]
    kernel.iopub_socket.send_multipart([b"<IDS|MSG>", kernel.session.sign(parts), *parts] + [many] * (4 in large))
print("ran", flush=True)
%s
"""

KEPT = """
def learn_merges(*_): return [[] for _ in range(190_000)] + ["x" * (11 << 20)]
"""

ATTACKS = (
    Attack(
        "equal hashes", "sets and dicts of numbers that all have one hash", "few members that are no text", EQUAL_HASHES
    ),
    Attack(
        "lone surrogates",
        "half a character in messages and errors, which no file can store",
        "cleaned outputs",
        SURROGATES,
    ),
    Attack("many frames", "messages of 6 GB in frames of an allowed size", "our own memory is watched", FRAMES),
    Attack(
        "nested messages",
        "45 MB of empty lists in each part of a message",
        "messages are counted before they are parsed",
        NESTED % (15, "for n in range(5): say(n)"),
    ),
    Attack(
        "nested frames",
        "four parts of a message with 36 MB of empty lists each",
        "messages are counted before they are parsed",
        NESTED % (12, "say(0, 1, 2, 3)"),
    ),
    Attack(
        "kept answers", "answers of 11 MB, as many as there are cases", "sizes of an answer, of all of a test", KEPT
    ),
    Attack(
        "forged answers",
        "malformed, nested, NaN, wrong bytes, objects that do not exist, in place of answers",
        CHECKED,
        FORGED,
    ),
    Attack(
        "forged names", "answers to what a name is: numbers, lists, texts; grade and check of its own", CHECKED, NAMES
    ),
    Attack("eager", "answers before it is asked, twice, from many connections", CHECKED, EAGER),
    Attack("big answers", "lengths of 2^63, 90 MB, twenty million parts", "sizes of a message", BIG),
    Attack("dripping answer", "a byte each half second", "call limit for all of an answer", DRIP),
    Attack("slow answers", "each call just within its limit", "limits of a test and of the notebook", SLOW),
    Attack(
        "forged messages",
        "malformed and forged kernel messages, input, results for test cells",
        "only the grader's kernel scores",
        FORGED_MESSAGES,
        shows='"text/plain": "7"',
    ),
    Attack(
        "forged idle",
        "says that a cell is done, and goes on for ever",
        "call limit, then a new kernel",
        IDLE,
        shows="it was stopped after|no answer",
    ),
)
LIMITS = {"call_seconds": 1, "cell_seconds": 4, "notebook_seconds": 16}
