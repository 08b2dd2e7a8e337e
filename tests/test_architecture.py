"""The direction of imports, and where the heavy libraries may stand."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
LAYERS = ["cards", "combinations", "rules", "logs", "judge", "store|reports|simulate|schemas"]
LAYERS += [
    "auth_file",
    "serving",
    "click_words",
    "console",
    "cluster|printing|revisions",
    "upkeep|quarantine|access|intake|exports|house_rules|disputes|converting|correcting",
    "cli",
]
EXACT = {
    "analyzer.judge.settlement",
    "analyzer.rules.house",
    "analyzer.rules.plays",
    "analyzer.rules.ruleset",
    "analyzer.rules.knobs",
}
FREE = {"locale", "version", "terms"}
HOME = {
    "duckdb": {"store"},
    "polars": {"store", "dashboards"},
    "pyarrow": {"store", "logs", "reports", "cluster"},
    "xlsxwriter": {"reports"},
    "streamlit": {"dashboards"},
    "plotly": {"dashboards"},
}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted([*ROOT.glob("analyzer/**/*.py"), *ROOT.glob("dashboards/**/*.py")]):
        yield ".".join(path.relative_to(ROOT).with_suffix("").parts), ast.parse(path.read_text("utf-8"))


def imports(tree: ast.Module) -> Iterator[str]:
    skipped = {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for child in block.body
        for node in ast.walk(child)
    }
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def layer(module: str) -> int | None:
    parts = module.split(".")
    if parts[0] != "analyzer" or len(parts) < 2 or parts[1] in FREE:
        return None
    for number, names in enumerate(LAYERS):
        if parts[1] in names.split("|"):
            return number
    return len(LAYERS)


def test_imports_go_one_way() -> None:
    wrong = []
    for name, tree in modules():
        own = layer(name)
        if own is None:
            continue
        for target in imports(tree):
            other = layer(target)
            same_room = name.split(".")[:2] == target.split(".")[:2]
            if other is not None and not same_room and other > own:
                wrong.append(f"{name} imports {target}")
    assert not wrong


def test_heavy_libraries_stay_at_home() -> None:
    wrong = []
    for name, tree in modules():
        room = name.split(".")[1] if name.startswith("analyzer.") else "dashboards"
        for target in imports(tree):
            homes = HOME.get(target.split(".")[0])
            if homes is not None and room not in homes:
                wrong.append(f"{name} imports {target}")
    assert not wrong


def test_the_judge_reads_no_file_and_no_clock() -> None:
    forbidden = {"time", "datetime", "os", "pathlib", "io", "random", "subprocess", "socket"}
    for name, tree in modules():
        if name.startswith("analyzer.judge"):
            assert not forbidden & {target.split(".")[0] for target in imports(tree)}, name
            calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
            assert not [c for c in calls if c.func.id == "open"], name  # type: ignore[attr-defined]


def test_the_engine_never_names_a_preset() -> None:
    from analyzer.rules.loading import preset_ids

    for name, tree in modules():
        if name.startswith(
            ("analyzer.judge", "analyzer.rules.house", "analyzer.rules.plays", "analyzer.rules.instant_wins")
        ):
            texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)}
            assert not texts & set(preset_ids()), name


def test_no_float_holds_money() -> None:
    for name, tree in modules():
        if name in EXACT:
            assert not [
                n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, float)
            ], name
            assert not [
                n for n in ast.walk(tree) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div)
            ], name
