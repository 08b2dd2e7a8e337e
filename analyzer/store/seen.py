"""Which hands surely are new: the hashes of all identities met so far, eight bytes each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]


class Seen:
    """Hashes in a few sorted runs, each at least twice as long as the next, so that adding and looking up
    cost hardly more where many are kept."""

    def __init__(self, hashes: Hashes | None = None) -> None:
        self.runs: list[Hashes] = []
        if hashes is not None:
            self._keep(hashes)

    def add(self, hashes: Hashes) -> NDArray[np.bool_]:
        """Keeps these hashes; for each, whether it was kept already or stands here more than once."""
        once, places, times = np.unique(hashes, return_inverse=True, return_counts=True)
        met = times > 1
        for run in self.runs:
            at = np.searchsorted(run, once)
            at[at == len(run)] = 0
            met |= run[at] == once
        self._keep(once)
        found: NDArray[np.bool_] = met[places]
        return found

    def _keep(self, hashes: Hashes) -> None:
        if not len(hashes):
            return
        self.runs.append(np.sort(hashes))
        while len(self.runs) > 1 and len(self.runs[-2]) < 2 * len(self.runs[-1]):
            self.runs[-2:] = [np.sort(np.concatenate(self.runs[-2:]), kind="stable")]
