"""What the beam tree draws of a search, as plain data: nodes, outputs, and the numbers that decide when it ends."""

import math

from course_lib.search.hypothesis import Normalise
from course_lib.search.tree import BeamTree, Node
from course_lib.subwords.bpe import MARKERS
from course_lib.translator import Translator


class Drawn:
    """A search as nodes that a front end draws, with what other searches add to them.

    `nodes[number]` is {parent, depth, piece, before, goes_on, ends, log_prob, p, total, score, fate, gone}: `before`
    are the pieces of the same word before this one ("B·"), `goes_on` says that the word goes on behind it; `score` is
    what an output with this end is ranked by; `fate` one of the search's, or the name under which a node was added;
    `gone` the step at which a finished one left the beam again, None if it did not.
    """

    def __init__(self, tree: BeamTree, translator: Translator, normalise: Normalise):
        self.tree, self.translator, self.normalise = tree, translator, normalise
        self.nodes: list[dict] = []
        for node in tree.nodes:
            self.nodes.append(self._plain(node, node.parent, node.fate))
        self.places = {(node.parent, node.word): node.number for node in tree.nodes}
        for node in tree.nodes:
            if node.fate == "finished" and tree.finished == "in_beam":
                later = enumerate(tree.beams[node.depth :], node.depth + 1)
                self.nodes[node.number]["gone"] = next((t for t, beam in later if node.number not in beam), None)

    def add(self, tree: BeamTree, fate: str) -> dict:
        """Add the best output of another search, word after word, from where it leaves the tree. Returns its row."""
        number = None
        leaf = tree.leaf(tree.outputs[0])
        for node in tree.path(leaf):
            place = (number, node.word)
            if place not in self.places:
                self.places[place] = len(self.nodes)
                self.nodes.append(self._plain(node, number, fate))
            number = self.places[place]
        return self._row(tree, leaf) | {"end": number}

    def outputs(self) -> list[dict]:
        """The finished hypotheses as rows, best score first; where none is kept, those that live at the end too.

        A row is {end, text, log_p, length, score, finished, kept, plain_rank}: the number of the last node, the place
        without normalisation. Not `kept` is what left the beam before the end; it stands last and has no place.
        """
        tree, last = self.tree, self.tree.beams[-1]
        ends = [node.number for node in tree.nodes if node.fate == "finished"]
        if tree.finished == "in_beam" and not set(ends) & set(last) or not ends:
            ends += last
        winner = tree.leaf(tree.outputs[0])
        rows = [self._row(tree, end) | {"kept": tree.finished == "aside" or end in last} for end in ends]
        rows.sort(key=lambda row: (not row["kept"], -row["score"], row["end"] != winner))
        plainly = sorted((row for row in rows if row["kept"]), key=lambda row: -row["log_p"])
        return [row | {"plain_rank": plainly.index(row) + 1 if row["kept"] else None} for row in rows]

    def decisions(self) -> list[dict]:
        """After each step {alive, done, best, top, bound, proved}: how many go on, how many are finished, and:

        `best` is the best finished score, `top` the highest log p that lives; `bound`, which no hypothesis that lives
        can come to surpass, is `top` normalised by the longest length; `proved`: best ≥ bound.
        """
        tree, made = self.tree, []
        for t, beam in enumerate(tree.beams, 1):
            alive = [node for node in tree.nodes if node.number in beam and node.fate == "kept"]
            done = [node for node in tree.nodes if node.fate == "finished" and node.depth <= t]
            if tree.finished == "in_beam":
                done = [node for node in done if node.number in beam]
            best = max((self.normalise(node.log_probability, node.depth) for node in done), default=None)
            top = max((node.log_probability for node in alive), default=None)
            bound = None if top is None else self.normalise(top, tree.max_length)
            proved = best is not None and (bound is None or best >= bound)
            compared = {"best": best, "top": top, "bound": bound, "proved": proved}
            made.append({"alive": len(alive), "done": len(done), **compared})
        return made

    def ending(self) -> str:
        """Why the search ended: "count", "bound", "length", or "nothing" where nothing was left to go on with."""
        tree, last = self.tree, self.decisions()[-1]
        if not last["alive"]:
            return "nothing"
        if (tree.stop == "count" and last["done"] >= tree.beam_size) or (tree.stop == "bound" and last["proved"]):
            return tree.stop
        return "length"

    def _plain(self, node: Node, parent: int | None, fate: str) -> dict:
        name, goes_on = self._name(node.word)
        up = {"goes_on": False} if parent is None else self.nodes[parent]
        return {
            "parent": parent,
            "depth": node.depth,
            "piece": name,
            "before": f"{up['before']}{up['piece'][:-1]}·" if up["goes_on"] and goes_on is not None else "",
            "goes_on": bool(goes_on),
            "ends": node.word == self.tree.eos,
            "log_prob": round(node.log_prob, 4),
            "p": float(f"{math.exp(node.log_prob):.3g}"),
            "total": round(node.log_probability, 4),
            "score": round(self.normalise(node.log_probability, node.depth), 4),
            "fate": fate,
            "gone": None,
        }

    def _row(self, tree: BeamTree, end: int) -> dict:
        node = tree.nodes[end]
        return {
            "end": end,
            "text": self.translator.written(tree.words(end)),
            "log_p": node.log_probability,
            "length": node.depth,
            "score": self.normalise(node.log_probability, node.depth),
            "finished": node.word == tree.eos,
        }

    def _name(self, word: int) -> tuple[str, bool | None]:
        """A piece without its `</w>`, with "…" where its word goes on; and whether it does, None for a sign."""
        vocabulary = self.translator.vocabulary
        piece, signs = vocabulary.id_to_piece[word], (vocabulary.pad_id, vocabulary.unk_id, vocabulary.bos_id)
        if getattr(self.translator.tokenizer, "marker", None) != "attached" or word in (*signs, self.tree.eos):
            return piece, None
        end = MARKERS["attached"]
        return (piece.removesuffix(end), False) if piece.endswith(end) else (f"{piece}…", True)
