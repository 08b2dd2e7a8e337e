"""The generated schemas: fresh, and in agreement with what is read and told."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

from analyzer.judge.verdict import verdict_json
from analyzer.logs.reading import read
from analyzer.reports.account import make_account
from analyzer.rules.loading import preset, preset_ids
from analyzer.schemas import TYPES, schema_of, schema_text
from tests.hands import log, plays, raw

FOLDER = Path(__file__).parents[1] / "schemas"


@pytest.mark.parametrize("name", TYPES)
def test_the_committed_schema_is_fresh(name: str) -> None:
    text = (FOLDER / f"{name}.schema.json").read_text("utf-8")
    assert text == schema_text(name), f"stale: tienlen schema {name} > schemas/{name}.schema.json"
    jsonschema.Draft202012Validator.check_schema(json.loads(text))


def test_logs_and_verdicts_validate() -> None:
    hand = log(plays("0 3S 3D", "1 8S", "2", "3"), result={"net": [0.5, 0, 0, -0.5]}, _note=1)
    jsonschema.validate(hand, schema_of("hand"))
    with pytest.raises(jsonschema.ValidationError, match="sesion_id"):
        jsonschema.validate({**hand, "sesion_id": "x"}, schema_of("hand"))
    account = make_account(*read(raw(hand))[:2])
    jsonschema.validate(json.loads(verdict_json(account.verdict)), schema_of("verdict"))


@pytest.mark.parametrize("id_", preset_ids())
def test_presets_validate(id_: str) -> None:
    told = msgspec.json.decode(msgspec.json.encode(preset(id_).knobs, enc_hook=str))
    text = msgspec.json.Encoder(decimal_format="number").encode(preset(id_).knobs)
    jsonschema.validate(json.loads(text), schema_of("rules"))
    assert told["table"]["hand_size"] == 13
