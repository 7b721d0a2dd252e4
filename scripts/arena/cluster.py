"""Plays jobs on a Dask cluster (`pip install distributed`), anywhere.

The workers get this package by themselves; the engines must be on every machine under the same paths. A worker that
dies loses nothing: the scheduler gives its games to another, and if it gives them up, they are handed in again.
"""

import io
import queue
import sys
import tempfile
import threading
import zipfile
from dataclasses import asdict
from pathlib import Path

from arena.local import TICK
from arena.match import Job, Table, Terms

#: A game that has ended so many workers is not handed in again.
MOST_TRIES = 10
#: How long a scheduler is waited for, in seconds.
CONNECT = 20

_here = threading.local()


class ClusterError(Exception):
    """The cluster cannot be used; the text says why and what was expected."""


def play_job(terms, job):
    """What a worker does: plays a game with the engines that its thread has kept from the last."""
    if getattr(_here, "terms", None) != terms:
        if getattr(_here, "table", None):
            _here.table.close()
        _here.terms, _here.table = terms, Table(Terms.from_json(terms))
    job = Job(**{**job, "opening": tuple(job["opening"])})
    return _here.table.play(job)


def package():
    """A zip of what the workers need."""
    scripts = Path(__file__).resolve().parent.parent
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        beside = [scripts / name for name in ("referee.py", "renju.py", "uci_engine.py")]
        for path in [*scripts.glob("arena/*.py"), *beside]:
            archive.write(path, path.relative_to(scripts))
    return data.getvalue()


def play(terms, jobs, address, concurrency=None):
    """Yield the record of each job as its game ends, and `None` now and then while nothing has.

    `concurrency` is how many games are handed in at a time; by default two for each thread of the workers.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise ClusterError("--dask needs dask.distributed; type: pip install distributed") from error
    try:
        client = Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        expected = "an address such as tcp://127.0.0.1:8786"
        raise ClusterError(f"no Dask scheduler at {address}; expected {expected}") from error
    try:
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder) / "inarow_tournament.zip"
            archive.write_bytes(package())
            client.upload_file(str(archive))
            yield from _Desk(client, terms.to_json(), jobs, concurrency).records()
    finally:
        client.close()


class _Desk:
    """Hands games in and takes records back."""

    def __init__(self, client, terms, jobs, concurrency):
        self.client, self.terms, self.jobs, self.concurrency = client, terms, jobs, concurrency
        self.done = queue.Queue()
        self.pending = {}
        self.tries = {}
        self.warned = False

    def records(self):
        """The records, and ticks."""
        more = True
        try:
            while True:
                while more and len(self.pending) < self._room():
                    job = next(self.jobs, None)
                    more = job is not None
                    if more:
                        self._hand_in(job)
                if not more and not self.pending:
                    return
                try:
                    future = self.done.get(timeout=TICK)
                except queue.Empty:
                    self._look_for_workers()
                    yield None
                    continue
                record = self._take(future)
                if record:
                    yield record
        finally:
            self.client.cancel([future for future, _ in self.pending.values()], force=True)

    def _room(self):
        if self.concurrency:
            return self.concurrency
        return max(2, 2 * sum(self.client.nthreads().values()))

    def _look_for_workers(self):
        """Say once that nothing is played because there is nobody to play it."""
        if not self.warned and not self.client.nthreads():
            self.warned = True
            print("the cluster has no workers now; waiting for some: dask worker ADDRESS", file=sys.stderr)

    def _hand_in(self, job):
        """Give a game to the cluster."""
        tries = self.tries[job.id] = self.tries.get(job.id, 0) + 1
        values = {**asdict(job), "opening": list(job.opening)}
        future = self.client.submit(play_job, self.terms, values, pure=False, key=f"{id(self)}-{job.id}-{tries}")
        self.pending[future.key] = future, job
        future.add_done_callback(self.done.put)

    def _take(self, future):
        """The record of a game that is over; `None` if it has to be played again."""
        _, job = self.pending.pop(future.key)
        if future.status == "finished":
            return future.result()
        if self.tries[job.id] >= MOST_TRIES:
            error = future.exception() if future.status == "error" else future.status
            raise ClusterError(f"game {job.id} failed {MOST_TRIES} times: {error}")
        self._hand_in(job)
        return None
