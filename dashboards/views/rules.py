"""Luật nhà: presets, their differences and sources, and the start of a club's own rules."""

from __future__ import annotations

import streamlit as st

from analyzer.locale import N_
from analyzer.reports.comparison import differences
from analyzer.reports.grounds import GroundTold, describe, ground_of
from analyzer.reports.rule_sheet import SECTION_NAMES, path_value, paths_of, rule_sheet
from analyzer.rules.faults import RulesError
from analyzer.rules.loading import club_file, parse, preset, preset_ids
from analyzer.rules.ruleset import RuleSet
from analyzer.rules.sense import warnings
from dashboards.words import language, plain, say


def title(id_: str) -> str:
    """A preset as it is offered: its title and id."""
    return f"{preset(id_).title.get(language(), id_)} ({id_})"


def value(rules: RuleSet, path: str) -> str:
    """A value as text in the reader's language."""
    return path_value(rules, path, language())


def source(ground: GroundTold) -> str:
    """Basis and source in a line, with the reason where the value is inferred."""
    told = ground.cite(language())
    return f"{told} · {say(ground.because)}" if ground.because else told


def sheet(rules: RuleSet, paths: list[str]) -> None:
    """Values with what they mean and where they come from, section by section."""
    for section, name in SECTION_NAMES.items():
        own = [path for path in paths if path.partition(".")[0] == section]
        if not own:
            continue
        st.subheader(say(name))
        for path in own:
            ground = ground_of(rules, path)
            doubt = " :material/help:" if ground.doubt else ""
            st.markdown(f"**{plain(say(describe(path)))}** `{path}` = **{plain(value(rules, path))}**{doubt}")
            st.caption(plain(source(ground)))


def compared(one: RuleSet, other: RuleSet) -> None:
    """Where two presets differ, with both sources."""
    paths = list(dict.fromkeys([*paths_of(one), *paths_of(other)]))
    paths = [path for path in paths if value(one, path) != value(other, path)]
    st.caption(say(N_("{n} values differ."), n=len(paths)))
    for path in paths:
        st.markdown(f"**{plain(say(describe(path)))}** `{path}`")
        for rules, column in zip((one, other), st.columns(2), strict=True):
            with column:
                st.markdown(f"{rules.id}: **{plain(value(rules, path))}**")
                st.caption(plain(source(ground_of(rules, path))))


def own_rules(base: RuleSet) -> None:
    """The beginning of a club's own file, and a place to prove one."""
    name = st.text_input(say(N_("Id of your club's rules")), "our-club", max_chars=64)
    text = st.text_area(
        say(N_("Your rules, in TOML")), club_file(name, base), height=260, key=f"toml-{base.id}-{name}"
    )
    checked: RuleSet | None = None
    try:
        checked = parse(text.encode(), f"{name}.toml")
    except RulesError as error:
        for fault in error.faults:
            st.error(plain(fault.message().render(language())))
    if checked is not None:
        st.success(
            say(
                N_("These rules can be used. {n} knobs differ from {base}."),
                n=len(differences(base, checked)),
                base=base.id,
            )
        )
        for path, why in warnings(checked):
            st.warning(plain(f"{path}: {why.render(language())}"))
    st.download_button(
        say(N_("Download as TOML")),
        text.encode(),
        f"{name}.toml",
        "application/toml",
        disabled=checked is None,
        icon=":material/download:",
    )


def asked_for() -> bool:
    """Whether the address names a preset."""
    return st.query_params.get("rules") in preset_ids()


def main() -> None:
    """The page."""
    st.title(say(N_("House rules")))
    titles = {title(id_): id_ for id_ in preset_ids()}
    asked = list(titles.values()).index(st.query_params.get("rules", "")) if asked_for() else 0
    chosen = titles[st.selectbox(say(N_("Rule set")), list(titles), asked, key=f"rules-{language()}")]
    rules = preset(chosen)
    reading, difference, own = st.tabs(
        [say(N_("Rules and sources")), say(N_("Differences")), say(N_("Your own rules"))]
    )
    with reading:
        only = st.toggle(say(N_("Only values in doubt")))
        paths = [path for path in paths_of(rules) if not only or ground_of(rules, path).doubt]
        if only and not paths:
            st.info(say(N_("No value of these rules is in doubt.")))
        sheet(rules, paths)
        st.download_button(
            say(N_("Download the sheet to print")),
            rule_sheet(rules, language()),
            f"{rules.id}.txt",
            icon=":material/print:",
        )
    with difference:
        others = [name for name, id_ in titles.items() if id_ != chosen]
        other = st.selectbox(say(N_("Compare with")), others, key=f"other-{language()}")
        compared(rules, preset(titles[other]))
    with own:
        own_rules(rules)


main()
