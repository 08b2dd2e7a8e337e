"""The text notation: a hand as a person types it at the table, one line an act.

:func:`read` gives the hands of a text, :func:`write` the text of a hand. The grammar is
``schemas/notation.md``.
"""

from analyzer.logs.notation.problems import Problem, fault_of
from analyzer.logs.notation.reading import Reading, read, read_chunk
from analyzer.logs.notation.writing import own_log, plain_log, write

__all__ = ["Problem", "Reading", "fault_of", "own_log", "plain_log", "read", "read_chunk", "write"]
