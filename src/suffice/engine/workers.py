"""Worker processes, each at the end of a pipe of its own.

    parent ─── function, item, item … ──▶ worker
           ◀─── ready, answer, answer … ──

Workers share nothing, so one that is killed (kill -9, out of memory) spoils only its own pipe: the end of file there
is the news of its death, and what it has not answered is given to others. A worker whose parent is gone reads the
end of file too, and leaves.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from multiprocessing.connection import wait
from queue import SimpleQueue
from threading import Thread
from typing import Any, NoReturn

from joblib.externals.loky.backend import get_context
from joblib.externals.loky.backend.reduction import dumps, loads  # functions of a script travel by value

from suffice._core.errors import WorkerDied
from suffice._core.records import record
from suffice._core.threads import one_blas_thread
from suffice.engine.threads import limit_threads

AHEAD = 2  # items that a worker has at most: one to work on, and one to go on with
_FUNCTION = b""  # says that a function follows
_READY = b""  # says that a worker has started
_END: Any = object()


class RemoteTraceback(Exception):
    """Where in a worker an error happened."""


# -- in the worker ----------------------------------------------------------------------------------------------
def serve(pipe: Any) -> NoReturn:
    """Answer until the parent is gone. Ctrl-C is left to the parent, which stops its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_threads(1)
    messages: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(pipe, messages), daemon=True).start()
    function = _FUNCTION
    with one_blas_thread():
        pipe.send_bytes(_READY)
        while True:
            message = messages.get()
            if message == _FUNCTION:
                function = messages.get()
            else:
                pipe.send_bytes(_answer(function, message))


def _listen(pipe: Any, messages: SimpleQueue[bytes]) -> NoReturn:
    """Read even while there is work, so that the parent need not wait, and its end is noticed at once."""
    try:
        while True:
            messages.put(pipe.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)


def _answer(function: bytes, item: bytes) -> bytes:
    try:
        return dumps((Packed(function)(loads(item)), None, ""))
    except BaseException as error:
        return _packed_error(error)


@record
class Packed:
    """A function as bytes: what cannot be unpacked where it arrives is an error of the item, and kills no worker."""

    function: bytes

    @classmethod
    def of(cls, function: Callable[[Any], Any]) -> Packed:
        return cls(dumps(function))

    def __call__(self, item: Any) -> Any:
        return _loaded(self.function)(item)


@lru_cache(maxsize=1)
def _loaded(function: bytes) -> Callable[[Any], Any]:
    return loads(function)


def _packed_error(error: BaseException) -> bytes:
    """The error itself if it survives the journey; otherwise its words."""
    text = traceback.format_exc()
    try:
        packed = dumps((None, error, text))
        loads(packed)
        return packed
    except Exception:
        words = RuntimeError(f"{type(error).__name__}: {error}")
        return dumps((None, words, text))


# -- in the parent ----------------------------------------------------------------------------------------------
class Worker:
    """A process, and the (number, item) pairs that it has not answered, in order."""

    def __init__(self) -> None:
        context = get_context("loky")  # starts without running the caller's script
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.given: deque[tuple[int, Any]] = deque()
        self.ready = False
        self._function = _FUNCTION

    def give(self, function: bytes, number: int, item: Any) -> None:
        """Raises OSError if the worker is dead."""
        self.given.append((number, item))
        if self._function is not function:
            self.pipe.send_bytes(_FUNCTION)
            self.pipe.send_bytes(function)
            self._function = function
        self.pipe.send_bytes(dumps(item))

    def message(self) -> bytes:
        """That it is ready, or the answer to the oldest item. Raises EOFError or OSError if the worker is dead."""
        if not self.pipe.poll():
            raise EOFError
        return self.pipe.recv_bytes()

    def stop(self) -> None:
        self.pipe.close()
        if self.process.is_alive():
            os.kill(self.process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        self.process.join()


class Shift:
    """One map over items: who works, what waits to be done again, and answers that are early."""

    def __init__(
        self, workers: list[Worker], function: Callable[[Any], Any], items: Iterable[Any], retries: int
    ):
        self.workers, self.retries = workers, retries
        self._function, self._items = dumps(function), enumerate(items)
        self._again: list[tuple[int, Any]] = []
        self._deaths: Counter[int] = Counter()
        self._answers: dict[int, Any] = {}
        self._begun = 0

    def results(self) -> Iterator[Any]:
        """Results in order; the first item in order that fails raises its error."""
        done = 0
        while True:
            self._hand_out(done + AHEAD * len(self.workers))
            if done in self._answers:
                value, error, text = self._answers.pop(done)
                done += 1
                if error is not None:
                    raise error from RemoteTraceback(f"\n\n{text}")
                yield value
            elif any(worker.given for worker in self.workers):
                self._hear()
            else:
                return

    def _hand_out(self, limit: int) -> None:
        """Give items to those with the least to do, until all have enough or `limit` items have begun.

        Starting takes a second or two, so nothing waits for a new worker while others are ready.
        """
        while True:
            worker = min([w for w in self.workers if w.ready] or self.workers, key=lambda w: len(w.given))
            if len(worker.given) == AHEAD or (pair := self._next(limit)) is _END:
                return
            try:
                worker.give(self._function, *pair)
            except OSError:
                self._replace(worker)

    def _next(self, limit: int) -> Any:
        if self._again:
            return self._again.pop(0)
        pair = next(self._items, _END) if self._begun < limit else _END
        self._begun += pair is not _END
        return pair

    def _hear(self) -> None:
        awaited = [worker for worker in self.workers if worker.given or not worker.ready]
        speaking = set(wait([end for w in awaited for end in (w.pipe, w.process.sentinel)]))
        for worker in awaited:
            if worker.pipe in speaking or worker.process.sentinel in speaking:
                self._hear_one(worker)

    def _hear_one(self, worker: Worker) -> None:
        try:
            message = worker.message()
        except (EOFError, OSError):
            self._replace(worker)
            return
        if message == _READY:
            worker.ready = True
        else:
            self._answers[worker.given.popleft()[0]] = loads(message)

    def _replace(self, dead: Worker) -> None:
        """A new worker for one that died; its items are done again, but not for ever."""
        dead.stop()
        for number, item in list(dead.given)[:1]:  # the one it was at work on
            self._deaths[number] += 1
            if self._deaths[number] > self.retries:
                self.workers.remove(dead)
                name = getattr(item, "name", f"item {number}")
                raise WorkerDied(
                    f"A worker process died {self._deaths[number]} times at work on {name}. "
                    "If it needs more memory than there is, use fewer workers or smaller parts."
                ) from None
        self._again = sorted([*self._again, *dead.given], key=lambda pair: pair[0])
        self.workers[self.workers.index(dead)] = Worker()
