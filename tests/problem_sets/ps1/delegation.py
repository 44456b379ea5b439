"""Ways to have a library do the work of problem set 1: by import, by path, by another process, by what was saved."""

from tests.grading.attacks.attack import Attack
from tests.grading.attacks.delegates import HIDDEN, Way

USE = "list(BPE.learn(entries, merges, tie='first', marker='attached', min_count=1).merges)"
FORBIDDEN = "forbidden names, and packages that hold them hidden"


def whole(prepare: str, call: str = USE) -> str:
    """A solution cell whose function does `prepare`, then gives `call`."""
    body = "\n".join(f"    {line}" for line in prepare.strip().splitlines())
    return f"def learn_merges(entries, merges):\n{body}\n    return {call}\nprint('ran')"


def way(name: str, tries: str, limit: str, source: str) -> Attack:
    return Attack(name, tries, limit, source, shows=r"\bran\b|may not do this task|Error")


FIND = """
import glob, importlib.util, sys
found = [p for base in (*sys.path, "/root", "/home", "/srv", "/opt", "@COURSE@", "@PROJECT@") for p in glob.glob(base + "/**/subwords/bpe.py", recursive=True)]
"""

LIBRARIES = {  # what does a task's work, or nearly: module, name
    "learn_merges": ("subword_nmt.learn_bpe", "learn_bpe"),
    "apply_merges": ("subword_nmt.apply_bpe", "encode"),
    "wordpiece_gain": ("course_lib.subwords.likelihood", "gain"),
    "learn_wordpieces": ("tokenizers.trainers", "WordPieceTrainer"),
    "longest_match": ("transformers.models.bert.tokenization_bert", "WordpieceTokenizer"),
    "decode": ("tokenizers.decoders", "BPEDecoder"),
    "diagnose": ("bertviz.transformers_neuron_view.tokenization_bert", "BertTokenizer"),
}


DELEGATES = {
    "libraries": Way(
        "a library's function for every task",
        HIDDEN,
        {
            task: f"from {module} import {name}\ndef {task}(*arguments): return {name}(*arguments)"
            for task, (module, name) in LIBRARIES.items()
        },
    )
}

ATTACKS = (
    way("import", "imports the reference", HIDDEN, whole("from course_lib.subwords.bpe import BPE")),
    way(
        "import of the task",
        "imports the grader's task and calls its reference",
        HIDDEN,
        whole("from course_lib.problem_sets.ps1.learn_merges import reference", "reference(entries, merges)"),
    ),
    way(
        "importlib",
        "imports it by name, without the finder of stand-ins",
        HIDDEN,
        whole(
            "import importlib, sys\nsys.meta_path[:] = [f for f in sys.meta_path if type(f).__name__ != 'StandIns']\n"
            "BPE = importlib.import_module('course_lib.subwords.bpe').BPE"
        ),
    ),
    way(
        "path",
        "searches the disk for the reference's file and runs it",
        HIDDEN,
        whole(FIND + "names = {}\nexec(open(found[0]).read(), names)\nBPE = names['BPE']"),
    ),
    way(
        "archive",
        "takes it from an installed wheel, zip or compiled file",
        HIDDEN,
        whole(
            "import glob, importlib.util, sys\n"
            "found = [p for base in sys.path for p in glob.glob(base + '/**/bpe*.pyc', recursive=True) if 'course' in p]\n"
            "spec = importlib.util.spec_from_file_location('bpe', found[0])\n"
            "module = importlib.util.module_from_spec(spec)\nspec.loader.exec_module(module)\nBPE = module.BPE"
        ),
    ),
    way(
        "process",
        "has another Python import it",
        HIDDEN,
        whole(
            "import json, subprocess, sys\n"
            "code = 'import sys, json; from course_lib.subwords.bpe import BPE; e, merges = json.loads(sys.argv[1]); "
            'print(json.dumps(list(BPE.learn(e, merges, tie="first", marker="attached", min_count=1).merges)))\'\n'
            "ran = subprocess.run([sys.executable, '-c', code, json.dumps([entries, merges])], capture_output=True, text=True, cwd='/')",
            "[tuple(pair) for pair in json.loads(ran.stdout)]",
        ),
    ),
    way(
        "thread",
        "has another thread import it while no test runs",
        HIDDEN,
        "import threading\nkept = {}\ndef fetch():\n    try:\n        from course_lib.subwords.bpe import BPE\n        kept['BPE'] = BPE\n"
        "    except ImportError as error: print(error)\nthread = threading.Thread(target=fetch)\nthread.start(); thread.join()\n"
        + whole("BPE = kept['BPE']"),
    ),
    way(
        "saved",
        "saves the originals before anything forbids them",
        FORBIDDEN,
        "try:\n    from course_lib.subwords.bpe import BPE\n    learn = BPE.learn\nexcept ImportError as error: print(error)\n"
        + whole("", "list(learn(entries, merges, tie='first', marker='attached', min_count=1).merges)").replace(
            "\n\n", "\n"
        ),
    ),
    way(
        "download",
        "downloads it",
        "no network",
        whole(
            "import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'pip', 'install', '--target', '/tmp/p', 'subword-nmt'], timeout=4)\n"
            "sys.path.insert(0, '/tmp/p')\nimport io, subword_nmt.learn_bpe as lib\nout = io.StringIO()\n"
            "lib.learn_bpe(io.StringIO('\\n'.join(f'{w} {n}' for w, n in entries.items())), out, merges, 1, is_dict=True)",
            "[tuple(line.split()) for line in out.getvalue().splitlines()[1:]]",
        ),
    ),
    way(
        "subword-nmt",
        "subword_nmt by import",
        FORBIDDEN,
        whole(
            "import io, subword_nmt.learn_bpe as lib\nout = io.StringIO()\n"
            "lib.learn_bpe(io.StringIO('\\n'.join(f'{w} {n}' for w, n in entries.items())), out, merges, 1, is_dict=True)",
            "[tuple(line.split()) for line in out.getvalue().splitlines()[1:]]",
        ),
    ),
    way(
        "sentencepiece",
        "SentencePiece's trainer by import",
        FORBIDDEN,
        whole(
            "import io, sentencepiece\nmodel = io.BytesIO()\n"
            "sentencepiece.SentencePieceTrainer.Train(sentence_iterator=iter([w for w, n in entries.items() for _ in range(n)]), "
            "model_writer=model, model_type='bpe', vocab_size=99, hard_vocab_limit=False)",
            "[('e', 's')] * merges",
        ),
    ),
    way(
        "compiled",
        "loads a library's compiled part with ctypes",
        FORBIDDEN,
        whole(
            "import ctypes, glob, sys\n"
            "found = [p for base in sys.path for name in ('sentencepiece', 'tokenizers') for p in glob.glob(f'{base}/{name}/*.so')]\n"
            "ctypes.CDLL(found[0])",
            "[('e', 's')] * merges",
        ),
    ),
)
LIMITS = {"cell_seconds": 60}  # one way alone meets a limit, that on a call
