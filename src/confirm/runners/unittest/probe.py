"""Runs exactly the tests it is told, in the order it is told, with unittest's own suite and cases, and writes what became of each as a line of JSON."""

import copy
import hashlib
import importlib
import json
import os
import sys
import time
import traceback
import types
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "plan.json"), encoding="utf-8") as handle:
    PLAN = json.load(handle)
ROOT = os.path.realpath(PLAN["root"])


def tell(**record):
    # Appended and closed each time: a process that dies in a test leaves everything it told before.
    with open(os.path.join(HERE, "records.jsonl"), "a", encoding="utf-8") as out:
        out.write(json.dumps(record) + "\n")


def words(error):
    # The end of a traceback says the most.
    return "\n".join("".join(traceback.format_exception(*error)).strip().split("\n")[-6:])[-2000:]


def from_root(path):
    return os.path.relpath(os.path.realpath(path), ROOT).replace(os.sep, "/")


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


def place_of(test):
    """The file and line of a test's method, as far as Python knows them."""
    method = getattr(type(test), test._testMethodName, None)
    while hasattr(method, "__wrapped__"):
        method = method.__wrapped__
    module = sys.modules.get(type(test).__module__)
    path = getattr(module, "__file__", None)
    code = getattr(method, "__code__", None)
    line = code.co_firstlineno if code is not None and path is not None and os.path.realpath(code.co_filename) == os.path.realpath(path) else None
    return (None if path is None else from_root(path)), line


def load():
    """The tests by id, in unittest's own order. Only the modules that are needed are imported."""
    top = os.path.join(ROOT, PLAN["top"])
    sys.path.insert(0, top)
    loader = unittest.TestLoader()
    if PLAN.get("modules") is None:
        found = loader.discover(top, pattern=PLAN["pattern"], top_level_dir=top)
    else:
        found = unittest.TestSuite()
        for module in PLAN["modules"]:
            try:
                found.addTest(loader.loadTestsFromModule(importlib.import_module(module)))
            except Exception:
                tell(file=PLAN["files"][module], error=words(sys.exc_info()))
    tests = {}
    for test in flat(found):
        if isinstance(test, unittest.loader._FailedTest):
            path = os.path.join(top, *test._testMethodName.split(".")) + ".py"
            tell(file=from_root(path), error=str(test._exception).strip()[-2000:])
            continue
        name, number = test.id(), 2
        while name in tests:
            name, number = f"{test.id()} #{number}", number + 1
        tests[name] = test
    return tests


def unskip(test):
    type(test).__unittest_skip__ = False
    method = getattr(test, test._testMethodName)
    if getattr(method, "__unittest_skip__", False) and hasattr(method, "__wrapped__"):
        inner = method.__wrapped__
        setattr(test, test._testMethodName, types.MethodType(getattr(inner, "__func__", inner), test))


class Suite(unittest.TestSuite):
    """Set-up of classes and modules is counted to the test that waits for it, their teardown to the test before."""

    def _timed(self, result, method, *args):
        start = time.perf_counter()
        try:
            return method(*args)
        finally:
            result.between((time.perf_counter() - start) * 1000, method.__name__ in ("_tearDownPreviousClass", "_handleModuleTearDown"))

    def _handleModuleFixture(self, test, result):
        return self._timed(result, super()._handleModuleFixture, test, result)

    def _handleClassSetUp(self, test, result):
        return self._timed(result, super()._handleClassSetUp, test, result)

    def _tearDownPreviousClass(self, test, result):
        return self._timed(result, super()._tearDownPreviousClass, test, result)


class Result(unittest.TestResult):
    def __init__(self, ids):
        super().__init__()
        self.ids, self.now, self.last, self.before, self.count, self.broken, self.started = ids, None, None, 0, 0, [], set()

    def between(self, ms, behind):
        if not behind:
            self.before += ms
        elif self.last is not None:
            self.last["teardownMs"] += ms
            tell(**self.last)

    def startTest(self, test):
        super().startTest(test)
        self.now = {"n": str(self.count), "id": self.ids[id(test)], "attempts": 1, "setupMs": self.before, "testMs": 0, "teardownMs": 0}
        self.started.add(self.now["id"])
        self.count += 1
        self.before = 0
        tell(n=self.now["n"], id=self.now["id"])
        for method, phase in (("_callSetUp", "setupMs"), ("_callTestMethod", "testMs"), ("_callTearDown", "teardownMs"), ("doCleanups", "teardownMs")):
            if hasattr(test, method):
                setattr(test, method, self.timed(getattr(test, method), phase))

    def timed(self, method, phase):
        record = self.now

        def call(*args):
            start = time.perf_counter()
            try:
                return method(*args)
            finally:
                record[phase] += (time.perf_counter() - start) * 1000

        return call

    def stopTest(self, test):
        super().stopTest(test)
        self.now.setdefault("outcome", "pass")
        tell(**self.now)
        self.last, self.now = self.now, None
        for method in ("_callSetUp", "_callTestMethod", "_callTearDown", "doCleanups"):
            test.__dict__.pop(method, None)

    def failed(self, error):
        self.now.update(outcome="fail", message=self.now.get("message") or words(error))

    def addError(self, test, error):
        super().addError(test, error)
        if self.now is not None:
            self.failed(error)
        elif str(test).startswith(("setUpClass", "setUpModule")):
            self.broken.append((str(test), words(error)))
        elif self.last is not None:
            # What breaks behind the last test of a class or a module is laid at its door.
            self.last.update(outcome="fail", message=self.last.get("message") or "after the test: " + words(error))
            tell(**self.last)

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.failed(error)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self.failed(error)

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.now.update(outcome="fail", message="it was expected to fail, and passed")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        if self.now is None:
            # A class or a module that skips itself in its set-up: its tests are told of below.
            self.broken.append((str(test), None))
        elif self.now.get("outcome") != "fail":
            self.now["outcome"] = "skip"


def tell_unstarted(chosen, result):
    """Tests that a broken set-up of their class or module kept from starting."""
    for name, test in chosen:
        if name in result.started:
            continue
        cls = type(test)
        for what, message in result.broken:
            if f"({cls.__module__}.{cls.__qualname__})" in what or f"({cls.__module__})" in what:
                result.count += 1
                tell(n=str(result.count), id=name, outcome="skip" if message is None else "fail", **({} if message is None else {"message": "its set-up broke: " + message}))
                break


def main():
    tests = load()
    if PLAN["mode"] == "list":
        for name, test in tests.items():
            path, line = place_of(test)
            tell(listed={"id": name, "file": path, "line": line, "name": test._testMethodName})
        return
    wanted = PLAN.get("ids")
    names = list(tests) if wanted is None else [name for name in wanted if name in tests]
    if PLAN.get("seed") is not None:
        names.sort(key=lambda name: hashlib.sha1(f"{PLAN['seed']} {name}".encode()).digest())
    # The same test may come twice: each time it is a case of its own.
    chosen = [(name, copy.copy(tests[name])) for name in names]
    if PLAN.get("unskip"):
        for _, test in chosen:
            unskip(test)
    result = Result({id(test): name for name, test in chosen})
    suite = Suite(test for _, test in chosen)
    suite._cleanup = False
    suite.run(result)
    tell_unstarted(chosen, result)



if __name__ == "__main__":
    main()
