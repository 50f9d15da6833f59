"""One public name as Markdown: its signature, its docstring, and what a class has in it, from the source itself.

Types and defaults are shown as the source has them (`FloatArray`, not numpy's own spelling of it).
"""

import ast
import enum
import inspect
import sys
import textwrap
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from docstring_pages import as_markdown, plain

WIDEST = 80  # characters of a signature on one line: what a page of the site shows without scrolling


def describe(name: str, thing: Any, module: ModuleType) -> Iterator[str]:
    """The paragraphs about one name of a module."""
    if inspect.isclass(thing):
        yield from _class(name, thing)
    elif callable(thing):
        yield _signature(name, thing)
        yield as_markdown(thing.__doc__)
    else:
        yield from _constant(name, thing, module)


def _constant(name: str, thing: Any, module: ModuleType) -> Iterator[str]:
    if isinstance(thing, Mapping):
        yield f"`{module.__name__}.{name}`: a mapping."
        yield "\n".join(f"- `{key}`: {plain(_in_short(value))}" for key, value in thing.items())
    else:
        yield f"`{module.__name__}.{name}`: " + ", ".join(f"`{entry}`" for entry in thing) + "."


def _in_short(value: Any) -> str:
    """A method by its title, a scale by its levels."""
    return ", ".join(value.levels) if hasattr(value, "levels") else str(getattr(value, "title", value))


def _class(name: str, thing: type) -> Iterator[str]:
    tree = _tree(thing)
    if not issubclass(thing, enum.Enum | Exception):
        yield _signature(name, thing)
    if not (thing.__doc__ or "").startswith(f"{name}("):  # dataclasses without one get their signature
        yield as_markdown(thing.__doc__)
    if issubclass(thing, Exception) and thing.__base__ is not None:
        yield f"A kind of `{thing.__base__.__name__}`."
    attributes = [*_attributes(tree), *_set_at_the_start(tree), *_properties(thing), *_looked_up(name, tree)]
    if attributes:
        yield "\n".join(attributes)
    for owner in [base for base in thing.__mro__ if base.__module__.startswith("surpeer.")]:
        for node in _functions(_tree(owner)):
            if not _is_property(node):
                yield f"#### {name}.{node.name}"
                yield _code(f"{name}.{node.name}", node, _globals(owner))
                yield as_markdown(ast.get_docstring(node))


def _tree(thing: Any) -> Any:
    return ast.parse(textwrap.dedent(inspect.getsource(thing))).body[0]


def _globals(thing: Any) -> Mapping[str, Any]:
    return vars(sys.modules[thing.__module__])


def _signature(name: str, thing: Any) -> str:
    tree, known = _tree(thing), _globals(thing)
    if not isinstance(tree, ast.ClassDef):
        return _code(name, tree, known)
    start = next((node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"), None)
    if start is not None:
        return _code(name, start, known, returns=False)
    fields = [node for node in tree.body if isinstance(node, ast.AnnAssign)]
    signature = _fence(name, [_field(node) for node in fields], "")
    return signature if fields and signature.count("\n") == 2 else ""  # a long one is made by functions, not by users


def _field(node: ast.AnnAssign) -> str:
    default = "" if node.value is None else f" = {ast.unparse(node.value)}"
    return f"{ast.unparse(node.target)}: {_type(node.annotation)}{default}"


def _code(name: str, node: Any, known: Mapping[str, Any], *, returns: bool = True) -> str:
    """The signature as it stands in the source."""
    texts = _split_arguments(node.args, known)
    if texts and texts[0] in ("self", "cls"):
        texts = texts[1:]
    result = f" -> {_type(node.returns)}" if returns and node.returns is not None else ""
    return _fence(name, texts, result)


def _split_arguments(arguments: ast.arguments, known: Mapping[str, Any]) -> list[str]:
    """Every argument by itself, with its type and default."""
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = len(positional) - len(arguments.defaults)
    texts = [
        _argument(given, arguments.defaults[at - missing] if at >= missing else None, known)
        for at, given in enumerate(positional)
    ]
    if arguments.vararg is not None:
        texts.append(f"*{_argument(arguments.vararg, None, known)}")
    elif arguments.kwonlyargs:
        texts.append("*")
    texts += [
        _argument(given, default, known)
        for given, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    return [*texts, f"**{_argument(arguments.kwarg, None, known)}"] if arguments.kwarg is not None else texts


def _argument(given: ast.arg, default: ast.expr | None, known: Mapping[str, Any]) -> str:
    text = given.arg if given.annotation is None else f"{given.arg}: {_type(given.annotation)}"
    return text if default is None else f"{text} = {_default(default, known)}"


def _default(given: ast.expr, known: Mapping[str, Any]) -> str:
    """A default as a caller would write it: what stands behind a constant's name."""
    value = known.get(given.id, given) if isinstance(given, ast.Name) else given
    if isinstance(value, ast.Constant):
        value = value.value
    if isinstance(value, ast.AST):
        return ast.unparse(value)
    return f'"{value}"' if isinstance(value, str) else repr(value).replace("'", '"')


def _type(annotation: ast.expr) -> str:
    """A type; one that is quoted in the source without its quotes."""
    return ast.unparse(annotation).replace("'", "")


def _fence(name: str, arguments: list[str], result: str) -> str:
    line = f"{name}({', '.join(arguments)}){result}"
    if len(line) > WIDEST:
        line = "\n".join([f"{name}(", *(f"    {argument}," for argument in arguments), f"){result}"])
    return f"```text\n{line}\n```"


def _attributes(tree: Any) -> Iterator[str]:
    """Fields and members, with the text below each."""
    for node, following in zip(tree.body, [*tree.body[1:], None], strict=True):
        text = _text_of(following)
        if isinstance(node, ast.AnnAssign) and not ast.unparse(node.target).startswith("_"):
            yield _attribute(ast.unparse(node.target), _type(node.annotation), text)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).isupper():
            yield _attribute(ast.unparse(node.targets[0]), "", text)


def _text_of(node: ast.AST | None) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return inspect.cleandoc(node.value.value)
    return ""


def _set_at_the_start(tree: Any) -> Iterator[str]:
    """What `__init__` keeps of its arguments under their names."""
    for start in [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]:
        types = {given.arg: given.annotation for given in start.args.args if given.annotation is not None}
        kept = [node.attr for node in ast.walk(start) if isinstance(node, ast.Attribute) and _is_stored_in_self(node)]
        yield from (_attribute(name, _type(types[name]), "") for name in kept if name in types)


def _is_stored_in_self(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _looked_up(name: str, tree: Any) -> Iterator[str]:
    """`scores[paper]`, where the class has that."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__getitem__" and ast.get_docstring(node):
            kind = "" if node.returns is None else _type(node.returns)
            yield _attribute(f"{name.lower()}[{node.args.args[1].arg}]", kind, ast.get_docstring(node))


def _properties(thing: type) -> Iterator[str]:
    for node in _functions(_tree(thing)):
        if _is_property(node):
            kind = "" if node.returns is None else _type(node.returns)
            yield _attribute(node.name, kind, ast.get_docstring(node) or _passed_on(thing, node))


def _passed_on(owner: type, node: ast.FunctionDef) -> str:
    """What is said of `b` where a property only hands on `self.a.b`."""
    match node.body:
        case [ast.Return(value=ast.Attribute(value=ast.Attribute(value=ast.Name(id="self"), attr=part), attr=name))]:
            return _said_of(name, _type_of(owner, part))
    return ""


def _type_of(owner: type, part: str) -> Any:
    """The class of a field."""
    fields = {ast.unparse(node.target): node for node in _tree(owner).body if isinstance(node, ast.AnnAssign)}
    return _globals(owner).get(_type(fields[part].annotation)) if part in fields else None


def _said_of(name: str, owner: Any) -> str:
    """The text below a field, or that of a property."""
    if not inspect.isclass(owner):
        return ""
    body = _tree(owner).body
    for node, following in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name:
            return _text_of(following)
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_docstring(node) or _passed_on(owner, node)
    return ""


def _attribute(name: str, kind: str, text: str | None) -> str:
    typed = f"`{name}` (`{kind}`)" if kind else f"`{name}`"
    return f"- {typed}: {plain(' '.join(text.split()))}" if text else f"- {typed}"


def _functions(tree: Any) -> Iterator[ast.FunctionDef]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node


def _is_property(node: ast.FunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
