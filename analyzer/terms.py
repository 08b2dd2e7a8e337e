"""Every field term with its Vietnamese word, once."""

from __future__ import annotations

from typing import Final

TERMS: Final = {
    "hand": "ván",
    "holding": "bài trên tay",
    "trick": "lượt",
    "play": "đánh",
    "pass": "bỏ lượt",
    "lead": "ra bài",
    "single": "rác",
    "pair": "đôi",
    "triple": "sám cô",
    "four of a kind": "tứ quý",
    "sequence": "sảnh",
    "consecutive pairs": "đôi thông",
    "two": "heo",
    "bomb": "hàng",
    "chop": "chặt",
    "chop chain": "chặt chồng",
    "instant win": "tới trắng",
    "frozen": "cóng",
    "forfeit": "đền bài",
    "rotten": "thối",
    "first": "nhất",
    "second": "nhì",
    "third": "ba",
    "last": "bét",
    "stake": "cược",
    "tribute": "cúng",
    "steal the lead": "cướp cái",
    "settlement": "tính tiền",
    "missed block": "bỏ lỡ chặn",
    "house rules": "luật nhà",
}
"""English term → Vietnamese word, as people at the table say it."""
