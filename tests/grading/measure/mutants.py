"""Wrong versions made from right ones: one change in the code, or around the function."""

import ast
import copy
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial, wraps
from operator import is_not
from os.path import commonprefix
from random import Random
from types import ModuleType

import torch

from course_lib.grading.boundary.student_side import tensors

OTHER = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And, ast.Break: ast.Continue},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult},
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
ORDERED = (ast.Sub, ast.Div, ast.MatMult, ast.FloorDiv, ast.Mod)


@dataclass(frozen=True)
class Mutant:
    """A wrong version of a function: the style it was made from, the line that was changed, and how.

    There are hundreds of a task: `make` makes the function of those that are tried.
    """

    style: str
    line: str
    change: str
    make: Callable[[], Callable]

    @cached_property
    def function(self) -> Callable:
        return self.make()

    @property
    def place(self) -> tuple[str, str, str]:
        return self.style, self.line, self.change


def mutants(
    style: str, module: ModuleType, name: str, example: tuple, trains: bool = False, lent: tuple[str, ...] = ()
) -> Iterator[Mutant]:
    """Every mutant of the function `name` of `module`, and of all that it uses there but what is `lent`.

    `example` are arguments for it: changes that can show in no such argument are left out.
    """
    yield from around(style, getattr(module, name), example, trains)
    source = inspect.getsource(module)
    tree = ast.parse(source)
    for node, fresh in rewrites(tree, name, lent):
        yield Mutant(style, line_of(source, node), described(node, fresh), partial(changed, tree, node, fresh, name))


def twice(module: ModuleType, name: str, rng: Random) -> tuple[str, Callable]:
    """A version with two changes in the code, drawn from all there are, and what they are."""
    tree, said = ast.parse(inspect.getsource(module)), []
    for _ in range(2):
        node, fresh = rng.choice(list(rewrites(tree, name)))
        said.append(described(node, fresh))
        tree = replaced(tree, node, fresh)
    return "; ".join(said), function_of(tree, name)


def rewrites(tree: ast.Module, name: str, lent: tuple[str, ...] = ()) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """Every node of the code of `name`, with each of its changes."""
    used = reached(tree, name, lent)
    for statement in tree.body:
        if getattr(statement, "name", None) in used:
            passed_over = idle(statement)
            for node in ast.walk(statement):
                if id(node) not in passed_over:
                    written = ast.unparse(node)
                    yield from ((node, fresh) for fresh in changes(node) if not fresh or ast.unparse(fresh) != written)


def changed(tree: ast.Module, node: ast.AST, fresh: ast.AST | None, name: str) -> Callable:
    """The function `name` that the code in `tree` defines with `fresh` in the place of `node`."""
    return function_of(replaced(tree, node, fresh), name)


def function_of(tree: ast.Module, name: str) -> Callable:
    """The function `name` that the code in `tree` defines."""
    namespace: dict = {"__name__": "a_mutant"}
    exec(compile(tree, "<mutant>", "exec"), namespace)
    return namespace[name]


def described(node: ast.AST, fresh: ast.AST | None) -> str:
    """What stood there, and what stands there now; of long code that begins alike, from where it differs."""
    written, instead = ast.unparse(node), "nothing" if fresh is None else ast.unparse(fresh)
    if shortened(written) == shortened(instead):
        alike = len(commonprefix([written, instead]))
        written, instead = f"…{written[alike - 10 :]}", f"…{instead[alike - 10 :]}"
    return f"{shortened(written)} → {shortened(instead)}"


def reached(tree: ast.Module, name: str, lent: tuple[str, ...] = ()) -> set[str]:
    """The names of the module's definitions that `name` uses, directly or not, without those of `lent`."""
    defined = {e.name: e for e in tree.body if isinstance(e, (ast.FunctionDef, ast.ClassDef)) and e.name not in lent}
    found, ahead = set(), [name]
    while ahead:
        if (next_ := ahead.pop()) in defined and next_ not in found:
            found.add(next_)
            ahead += [node.id for node in ast.walk(defined[next_]) if isinstance(node, ast.Name)]
            ahead += [base.id for base in getattr(defined[next_], "bases", ()) if isinstance(base, ast.Name)]
    return found


def changes(node: ast.AST) -> Iterator[ast.AST | None]:
    """What may stand in the place of `node`; None: nothing."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
        yield but(node, ops=[OTHER[type(node.ops[0])](), *node.ops[1:]])
    elif isinstance(node, ast.BoolOp):
        yield from node.values
        yield but(node, op=OTHER[type(node.op)]())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node.operand
    elif isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
        if type(node.op) in OTHER:
            yield but(node, op=OTHER[type(node.op)]())
        if isinstance(node.op, ORDERED):
            yield but(node, left=node.right, right=node.left)
    elif isinstance(node, ast.Constant):
        yield from map(ast.Constant, constants(node.value))
    elif isinstance(node, ast.Slice):
        yield from (but(node, **{part: None}) for part in ("lower", "upper", "step") if getattr(node, part) is not None)
    elif isinstance(node, ast.Call):
        yield from call_changes(node)
    elif isinstance(node, (ast.IfExp, ast.If)):
        yield from (but(node, test=ast.Constant(test)) for test in (True, False))
    elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        yield from (but(node, value=but(node.value, elts=elts)) for elts in exchanged(node.value.elts))
    elif isinstance(node, ast.AugAssign):
        yield None
        yield ast.copy_location(ast.Assign([node.target], node.value), node)
    elif isinstance(node, ast.Break):
        yield ast.Continue()
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield but(node, ifs=[])
    elif isinstance(node, (ast.Continue, ast.Expr)):
        yield None


def but(node: ast.AST, **fields: object) -> ast.AST:
    """A copy of `node` with other fields."""
    made = copy.copy(node)
    vars(made).update(fields)
    return made


def exchanged(items: list) -> Iterator[list]:
    """`items` with two neighbours exchanged, each pair in turn."""
    for i in range(len(items) - 1):
        yield [*items[:i], items[i + 1], items[i], *items[i + 2 :]]


def call_changes(node: ast.Call) -> Iterator[ast.AST]:
    """Another function, exchanged arguments, no call at all."""
    if isinstance(node.func, ast.Name) and node.func.id in NAMES:
        yield but(node, func=ast.Name(NAMES[node.func.id], ast.Load()))
    if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name):
        yield node.func.value
    elif isinstance(node.func, ast.Attribute) and not (node.func.value.id == "torch" and len(node.args) != 1):
        yield node.args[0] if node.func.value.id == "torch" else node.func.value
    elif isinstance(node.func, ast.Name) and len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]
    yield from (but(node, args=args) for args in exchanged(node.args))
    for i in (i for i, keyword in enumerate(node.keywords) if keyword.arg != "strict"):
        yield but(node, keywords=node.keywords[:i] + node.keywords[i + 1 :])


def constants(value: object) -> list:
    """Values near `value`."""
    if type(value) is bool:
        return [not value]
    if type(value) is int:
        return [value + 1, value - 1]
    if type(value) is float:
        return [2 * value if value else 1.0]
    return [""] if isinstance(value, str) and value else []


def around(style: str, function: Callable, example: tuple, trains: bool) -> Iterator[Mutant]:
    """Changes outside the code: an argument ignored, detached or changed in place, one row for the whole batch.

    Those that can show in no argument like those of the `example` are left out.
    """
    for place, name in enumerate(inspect.signature(function).parameters):
        given = [*tensors(example[place])]
        for change, alter in BEFORE.items():
            if change == "ignored" or given:
                yield Mutant(style, f"({name})", change, partial(before, function, place, alter))
        if trains and any(each.is_floating_point() for each in given):
            yield Mutant(style, f"({name})", "detached", partial(before, function, place, cut_off))
        if trains and (given or isinstance(example[place], (list, dict))):
            yield Mutant(style, f"({name})", "changed in place", partial(in_place, function, place))
    if trains:
        yield Mutant(style, "return", "detached", partial(after, function, torch.Tensor.detach))
        yield Mutant(style, "return", "in float32", partial(after, function, torch.Tensor.float))
        yield Mutant(style, "return", "in float64", partial(after, function, torch.Tensor.double))


def mapped(value, alter: Callable):
    """`value` with every tensor within it altered."""
    if isinstance(value, torch.Tensor):
        return alter(value)
    if isinstance(value, dict):
        return {key: mapped(item, alter) for key, item in value.items()}
    return type(value)(mapped(item, alter) for item in value) if isinstance(value, (list, tuple)) else value


def first_row(tensor: torch.Tensor) -> torch.Tensor:
    return tensor[:1].expand_as(tensor)


BEFORE = {
    "ignored": lambda value: mapped(value, torch.zeros_like) if [*tensors(value)] else type(value)(),
    "first row for all": lambda value: mapped(value, first_row),
}


def cut_off(value):
    return mapped(value, torch.Tensor.detach)


def before(function: Callable, place: int, alter: Callable) -> Callable:
    @wraps(function)
    def changed(*arguments):
        return function(*arguments[:place], alter(arguments[place]), *arguments[place + 1 :])

    return changed


def after(function: Callable, alter: Callable) -> Callable:
    @wraps(function)
    def changed(*arguments):
        return mapped(function(*arguments), alter)

    return changed


def in_place(function: Callable, place: int) -> Callable:
    @wraps(function)
    def changed(*arguments):
        result, value = function(*arguments), arguments[place]
        with torch.no_grad():
            for tensor in tensors(value):
                tensor.zero_()
        if isinstance(value, list) and value:
            value.pop()
        elif isinstance(value, dict) and value:
            value.pop(next(iter(value)))
        return result

    return changed


def replaced(tree: ast.Module, node: ast.AST, fresh: ast.AST | None) -> ast.Module:
    """The tree with `fresh` in the place of `node`, one of its own nodes; what does not hold `node` is not copied."""

    def copied(each: object) -> object:
        if each is node:
            return ast.Pass() if fresh is None else fresh
        if isinstance(each, list):
            items = list(map(copied, each))
            return items if any(map(is_not, items, each)) else each
        if isinstance(each, ast.AST):
            fields = {name: made for name, value in ast.iter_fields(each) if (made := copied(value)) is not value}
            return but(each, **fields) if fields else each
        return each

    return ast.fix_missing_locations(copied(tree))


def idle(definition: ast.AST) -> set[int]:
    """The ids of nodes that change nothing for right arguments: docstrings, and the `strict` of zip."""
    nodes = list(ast.walk(definition))
    texts = [each for each in nodes if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)]
    strict = [each.value for each in nodes if isinstance(each, ast.keyword) and each.arg == "strict"]
    return {id(node) for text in texts for node in (text, text.value)} | set(map(id, strict))


def line_of(source: str, node: ast.AST) -> str:
    """The line of code where `node` begins."""
    number = getattr(node, "lineno", None) or getattr(getattr(node, "target", None), "lineno", 1)
    return source.splitlines()[number - 1].strip()


def shortened(code: str, width: int = 60) -> str:
    line = " ".join(code.split())
    return line if len(line) <= width else line[: width - 1] + "…"
