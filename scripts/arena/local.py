"""Plays jobs in threads of this process, each with engine processes of its own."""

import queue
import threading

from arena.match import Table

#: The main thread looks up so often, in seconds, to keep the screen alive.
TICK = 0.5


def play(terms, jobs, concurrency):
    """Yield the record of each job as its game ends, and `None` now and then while nothing has.

    When the generator is closed, the games in progress are dropped and their engines killed.
    """
    hall = _Hall(terms, jobs, concurrency)
    try:
        yield from hall.records()
    finally:
        hall.stop()


class _Hall:
    def __init__(self, terms, jobs, concurrency):
        self.jobs, self.lock, self.done = jobs, threading.Lock(), queue.Queue()
        self.stopped = False
        self.tables = [Table(terms) for _ in range(concurrency)]
        self.threads = [threading.Thread(target=self._work, args=(table,), daemon=True) for table in self.tables]
        for thread in self.threads:
            thread.start()

    def _next_job(self):
        with self.lock:
            return None if self.stopped else next(self.jobs, None)

    def _work(self, table):
        try:
            while job := self._next_job():
                self.done.put(table.play(job))
            table.close()
        except Exception as error:  # handed to the main thread, which ends the tournament
            self.done.put(error)
        self.done.put(None)

    def records(self):
        """The records, and ticks."""
        running = len(self.threads)
        while running:
            try:
                result = self.done.get(timeout=TICK)
            except queue.Empty:
                yield None
                continue
            if isinstance(result, Exception):
                raise result
            if result is None:
                running -= 1
            else:
                yield result

    def stop(self):
        """Drop what is being played, leave no process behind."""
        self.stopped = True
        for _ in range(50):
            for table in self.tables:
                table.kill()
            for thread in self.threads:
                thread.join(0.05)
            if not any(thread.is_alive() for thread in self.threads):
                break
        for table in self.tables:
            table.kill()
            if table.judge:
                table.judge.close()
