"""Ways to hide that a code was taken from another: each makes code that does the same."""

import ast
import builtins


def renamed(code: str) -> str:
    """Every name that the code itself gives, but those of its last function, is another."""
    tree = ast.parse(code)
    own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    new = {name: f"value_{number}" for number, name in enumerate(sorted(own - set(dir(builtins))))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = new.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = new.get(node.arg, node.arg)
    return ast.unparse(tree)


def laid_out(code: str) -> str:
    """Other spaces, no comments, and a docstring in every function."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body.insert(0, ast.Expr(ast.Constant("What this function is for.")))
    return ast.unparse(ast.fix_missing_locations(tree))


def reordered(code: str) -> str:
    """Functions in another order, and two assignments that do not need each other exchanged, wherever such stand."""
    tree = ast.parse(code)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    tree.body = [node for node in tree.body if node not in functions] + functions[::-1]
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            for place in range(len(body) - 1):
                if _independent(*body[place : place + 2]):
                    body[place], body[place + 1] = body[place + 1], body[place]
    return ast.unparse(tree)


def all_three(code: str) -> str:
    """Renamed, laid out anew, reordered."""
    return renamed(laid_out(reordered(code)))


def strewn(code: str) -> str:
    """A line without effect behind every statement of a function."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(getattr(node, "body", None), list) and not isinstance(node, (ast.Module, ast.ClassDef)):
            node.body = [each for line in node.body for each in (ast.parse("step = None").body[0], line)]
    return ast.unparse(ast.fix_missing_locations(tree))


def _independent(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether these are two assignments of names of which neither reads nor sets what the other sets."""
    if not (isinstance(one, ast.Assign) and isinstance(other, ast.Assign)):
        return False
    names = [{node.id for node in ast.walk(each) if isinstance(node, ast.Name)} for each in (one, other)]
    sets = [
        {n.id for n in ast.walk(each) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for each in (one, other)
    ]
    return not (sets[0] & names[1] or sets[1] & names[0])


DISGUISES = {
    "copied as it is": lambda code: code,
    "other names": renamed,
    "other layout": laid_out,
    "another order": reordered,
    "all three": all_three,
    "strewn with lines": strewn,
}
