"""The cache: any damage to its files causes a miss or the true value, never an error."""

import errno
import os
import random
import shutil
import stat
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from rulesengine.support import cache as module
from rulesengine.support.cache import MAX_ENTRY, Cache, digest
from tests.helpers.cli_calls import call
from tests.helpers.one_thread import in_this_thread
from tests.helpers.processes import PATIENCE, running

DATA = bytes(range(256)) * 8
KEY = digest(b"a", b"key")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory of the cache; threads of earlier tests that compile get no cache."""
    path = tmp_path / "cache"
    monkeypatch.setenv("RULESENGINE_CACHE", str(path))
    real = module.directory
    monkeypatch.setattr(module, "directory", in_this_thread(real, lambda: ""))
    return path


@pytest.fixture
def cache(folder: Path) -> Cache:
    return opened()


def opened() -> Cache:
    found = Cache.find()
    assert isinstance(found, Cache), found
    return found


def entry(cache: Cache, kind: str = "rules", key: bytes = KEY) -> Path:
    return Path(cache.directory, f"{kind}-{key.hex()}")


# guarantees without errors


def test_entry_persists_for_the_next_process(cache: Cache) -> None:
    cache.put("rules", KEY, DATA)
    assert opened().get("rules", KEY) == DATA


def test_absent_entry_is_a_miss(cache: Cache) -> None:
    cache.put("rules", KEY, DATA)
    assert cache.get("rules", digest(b"another")) is None
    assert cache.get("kernel", KEY) is None


@pytest.mark.parametrize("data", [b"", b"\0", os.urandom(1_500_000)])
def test_any_bytes_come_back(cache: Cache, data: bytes) -> None:
    cache.put("kernel", KEY, data)
    assert cache.get("kernel", KEY) == data


def test_a_later_value_takes_the_place_of_an_earlier_one(cache: Cache) -> None:
    cache.put("rules", KEY, b"earlier")
    cache.put("rules", KEY, b"later")
    assert cache.get("rules", KEY) == b"later"


def test_folder_and_files_are_closed_to_others(cache: Cache, folder: Path) -> None:
    cache.put("rules", KEY, DATA)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
    assert {file.name for file in folder.iterdir()} == {"key", entry(cache).name}


def test_digest_depends_on_the_boundaries_of_parts() -> None:
    assert len({digest(b"ab", b"c"), digest(b"a", b"bc"), digest(b"abc"), digest(b"abc", b"")}) == 4


@pytest.mark.parametrize(("kind", "key"), [("../rules", KEY), ("", KEY), ("rules", b"short")])
def test_an_entry_never_gets_a_name_of_its_own_choice(cache: Cache, kind: str, key: bytes) -> None:
    with pytest.raises(ValueError, match="small letters"):
        cache.put(kind, key, DATA)


def test_info_counts_entries_and_clear_removes_them_all(cache: Cache, folder: Path) -> None:
    cache.put("rules", KEY, DATA)
    cache.put("kernel", KEY, DATA)
    assert cache.info() == (str(folder), 2, 2 * (len(DATA) + 32))
    assert cache.clear() == 2
    assert (opened().info().entries, opened().get("rules", KEY)) == (0, None)


def test_clear_leaves_the_files_of_others(cache: Cache, folder: Path) -> None:
    (folder / "mine.txt").write_text("mine")
    (folder / "rules-short").write_text("mine")
    cache.put("rules", KEY, DATA)
    assert cache.clear() == 1
    assert sorted(file.name for file in folder.iterdir()) == ["mine.txt", "rules-short"]


# locks


def test_a_lock_has_one_owner_at_a_time(cache: Cache, folder: Path) -> None:
    let, owners, most = threading.Event(), list[int](), list[int]()
    caches = [opened() for _ in range(3)]

    def own(number: int) -> None:
        with caches[number].lock(KEY):
            owners.append(number)
            most.append(len(owners))
            assert let.wait(PATIENCE)
            owners.remove(number)

    threads = [threading.Thread(target=own, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    let.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert most == [1, 1, 1]


def test_keys_of_another_lock_do_not_wait(cache: Cache) -> None:
    with cache.lock(bytes(32)), cache.lock(b"\1" + bytes(31)):
        pass


def test_an_interrupt_ends_the_wait_for_a_lock(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "sleep", interrupt)
    with cache.lock(KEY), pytest.raises(KeyboardInterrupt), opened().lock(KEY):
        raise AssertionError


def test_a_lock_that_is_not_released_is_ignored_after_a_while(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(module, "sleep", waited.append)
    with cache.lock(KEY), cache.lock(KEY):
        pass
    assert 50 <= sum(waited) <= 70


def test_a_folder_that_is_gone_has_no_lock(cache: Cache, folder: Path) -> None:
    shutil.rmtree(folder)
    with cache.lock(KEY):
        assert not folder.exists()


def test_locks_are_no_entries_and_are_cleared(cache: Cache, folder: Path) -> None:
    with cache.lock(KEY):
        pass
    assert cache.info().entries == 0
    assert cache.clear() == 0
    assert list(folder.iterdir()) == []


# location


def test_it_lies_in_the_folder_that_the_system_has_for_caches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RULESENGINE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert module.directory() == str(tmp_path / "rulesengine")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setattr(sys, "platform", "linux")
    assert module.directory() == "/home/somebody/.cache/rulesengine"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert module.directory() == "/home/somebody/Library/Caches/rulesengine"


@pytest.mark.skipif(sys.platform == "win32", reason="no database of users")
def test_empty_home_directory_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    import pwd

    monkeypatch.delenv("RULESENGINE_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "")
    monkeypatch.setattr(sys, "platform", "linux")
    home = pwd.getpwuid(os.getuid()).pw_dir
    assert module.directory() == str(Path(home) / ".cache" / "rulesengine")
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)  # no such user
    assert module.directory() == ""


@pytest.mark.parametrize("value", ["", "relative/folder"])
def test_it_can_be_switched_off(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", value)
    assert Cache.open() is None


@pytest.mark.parametrize(
    ("value", "why"),
    [("", "it is switched off"), ("its", "RULESENGINE_CACHE is no absolute path: `its`")],
)
def test_reason_for_no_cache_is_reported(
    value: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", value)
    assert Cache.find() == why
    assert call("cache", "info").out == f"there is no cache: {why}\n"


# damage


@pytest.mark.slow
def test_a_thousand_random_corruptions_are_misses(cache: Cache) -> None:
    draw = random.Random(35)
    cache.put("rules", KEY, DATA)
    good, file = entry(cache).read_bytes(), entry(cache)
    for _ in range(1000):
        file.write_bytes(corrupted(good, draw))
        assert cache.get("rules", KEY) is None
    file.write_bytes(good)
    assert cache.get("rules", KEY) == DATA


def corrupted(good: bytes, draw: random.Random) -> bytes:
    """Return other bytes: changed bits, parts cut out, duplicated or randomised, or truncated."""
    bad = bytearray(good)
    while bad == good:
        at, length = draw.randrange(len(bad) + 1), draw.choice((1, 7, 64, 5000))
        match draw.randrange(5):
            case 0 if at < len(bad):
                bad[at] ^= 1 << draw.randrange(8)
            case 1:
                del bad[at : at + length]
            case 2:
                bad[at:at] = bad[at : at + length]
            case 3:
                bad[at : at + length] = draw.randbytes(length)
            case 4:
                del bad[at:]
    return bytes(bad)


@pytest.mark.parametrize("length", [0, 1, 31, 32, 33, 1000])
def test_a_truncated_entry_is_a_miss(cache: Cache, length: int) -> None:
    cache.put("rules", KEY, DATA)
    os.truncate(entry(cache), length)
    assert cache.get("rules", KEY) is None


def test_entries_that_changed_places_are_misses(cache: Cache) -> None:
    other = digest(b"other")
    cache.put("rules", KEY, DATA)
    cache.put("rules", other, b"other")
    cache.put("kernel", KEY, b"kernel")
    bytes_of = {path: path.read_bytes() for path in (entry(cache), entry(cache, "rules", other))}
    entry(cache).write_bytes(bytes_of[entry(cache, "rules", other)])
    entry(cache, "rules", other).write_bytes(bytes_of[entry(cache)])
    entry(cache, "kernel").write_bytes(bytes_of[entry(cache)])
    assert [cache.get("rules", k) for k in (KEY, other)] == [None, None]
    assert cache.get("kernel", KEY) is None


def test_an_entry_under_a_foreign_key_is_a_miss(cache: Cache, folder: Path) -> None:
    cache.put("rules", KEY, DATA)
    (folder / "key").write_bytes(os.urandom(32))
    assert opened().get("rules", KEY) is None


@pytest.mark.parametrize("key", [b"", b"short", b"x" * 33, None])
def test_a_damaged_key_is_replaced(cache: Cache, folder: Path, key: bytes | None) -> None:
    cache.put("rules", KEY, DATA)
    (folder / "key").unlink()
    if key is not None:
        (folder / "key").write_bytes(key)
    again = opened()
    assert again.get("rules", KEY) is None
    again.put("rules", KEY, DATA)
    assert opened().get("rules", KEY) == DATA


def test_an_entry_or_key_that_others_may_read_is_not_used(cache: Cache, folder: Path) -> None:
    cache.put("rules", KEY, DATA)
    entry(cache).chmod(0o644)
    assert cache.get("rules", KEY) is None
    cache.put("rules", KEY, DATA)
    (folder / "key").chmod(0o640)
    assert opened().get("rules", KEY) is None


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701, 0o777])
def test_a_folder_that_is_open_to_others_gets_a_private_one(
    cache: Cache, folder: Path, mode: int
) -> None:
    cache.put("rules", KEY, DATA)
    folder.chmod(mode)
    assert (cache.get("rules", KEY), cache.info().entries) == (None, 0)
    cache.put("rules", digest(b"new"), DATA)
    assert len(list(folder.iterdir())) == 2
    inner = opened()
    assert inner.directory == str(folder / "private")
    assert stat.S_IMODE((folder / "private").stat().st_mode) == 0o700
    assert inner.get("rules", KEY) is None
    inner.put("rules", KEY, b"mine alone")
    assert opened().get("rules", KEY) == b"mine alone"
    assert stat.S_IMODE(folder.stat().st_mode) == mode
    folder.chmod(0o700)
    assert opened().get("rules", KEY) == DATA


def test_a_private_folder_that_is_open_to_others_is_not_used_either(
    cache: Cache, folder: Path
) -> None:
    for name in (".", "private", "private/private"):
        opened()
        (folder / name).chmod(0o755)
    assert opened().directory == str(folder / "private/private/private")
    Path(opened().directory).chmod(0o755)
    assert Cache.open() is None
    assert "private/private/private: is open to others (mode 755)" in str(Cache.find())


def test_a_private_folder_is_never_a_link_or_a_file(cache: Cache, folder: Path) -> None:
    folder.chmod(0o777)
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir(0o700)
    (folder / "private").symlink_to(elsewhere)
    assert Cache.open() is None
    assert list(elsewhere.iterdir()) == []
    (folder / "private").unlink()
    (folder / "private").write_bytes(b"")
    assert Cache.open() is None


def test_a_folder_of_somebody_else_is_no_cache(
    cache: Cache, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.put("rules", KEY, DATA)
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert Cache.open() is None
    assert cache.get("rules", KEY) is None
    assert "somebody else" in str(Cache.find())


def test_a_symbolic_link_to_a_folder_is_no_cache(
    cache: Cache, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = folder.with_name("link")
    link.symlink_to(folder, target_is_directory=True)
    for name in (str(link), f"{link}/"):
        monkeypatch.setenv("RULESENGINE_CACHE", name)
        assert Cache.open() is None


def test_symbolic_links_in_the_place_of_files_are_not_followed(cache: Cache, folder: Path) -> None:
    cache.put("rules", KEY, DATA)
    for file in (entry(cache), folder / "key"):
        moved = folder.with_name(file.name)
        file.rename(moved)
        file.symlink_to(moved)
        assert opened().get("rules", KEY) is None
    assert moved.read_bytes() != (folder / "key").read_bytes()


@pytest.mark.parametrize("make", [lambda p: p.mkdir(), lambda p: os.mkfifo(p)])
def test_entry_that_is_no_file_is_a_miss(cache: Cache, make: Callable[[Path], None]) -> None:
    make(entry(cache))
    assert cache.get("rules", KEY) is None


@pytest.mark.parametrize("make", [lambda p: p.touch(), lambda p: p.symlink_to("nowhere")])
def test_cache_path_that_is_no_folder_disables_the_cache(
    folder: Path, make: Callable[[Path], None]
) -> None:
    make(folder)
    assert Cache.open() is None
    assert Cache.find() != ""


def test_no_cache_comes_where_there_can_be_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "/dev/null/cache")
    assert str(Cache.find()) == "/dev/null/cache: not a directory"


def test_a_folder_that_is_gone_is_a_miss(cache: Cache, folder: Path) -> None:
    cache.put("rules", KEY, DATA)
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    cache.put("rules", KEY, DATA)
    assert (cache.get("rules", KEY), cache.info().entries, cache.clear()) == (None, 0, 0)


# errors of the system; a test that runs as root can only simulate them


@pytest.mark.parametrize("call", ["open", "replace", "unlink", "scandir", "fstat", "close"])
@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.EMFILE, errno.EIO])
def test_a_system_call_that_fails_is_a_miss(
    cache: Cache, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    real = getattr(os, call)

    def fail(*arguments: object, **keywords: object) -> object:
        if call == "close":
            real(*arguments)
        raise OSError(number, os.strerror(number))

    # Only entries of this key count: code that earlier tests compile may arrive meanwhile.
    cache.put("rules", KEY, DATA)
    with monkeypatch.context() as patched:
        patched.setattr(os, call, in_this_thread(fail, real))
        cache.put("rules", KEY, b"other")
        assert cache.get("rules", KEY) in (None, DATA, b"other")
        assert cache.info().entries >= 0
        assert cache.clear() >= 0
        assert call not in ("open", "fstat") or Cache.open() is None
    assert sum(KEY.hex() in path.name for path in Path(cache.directory).iterdir()) <= 1


def test_on_a_full_disk_nothing_is_kept_and_nothing_left_behind(
    cache: Cache, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.put("rules", KEY, DATA)
    real: Any = os.fdopen

    class Full:
        """A file that takes some bytes before the disk is full."""

        def __init__(self, file: int) -> None:
            self.stream = real(file, "wb")

        def __enter__(self) -> "Full":
            return self

        def __exit__(self, *_: object) -> None:
            self.stream.close()

        def write(self, data: bytes) -> None:
            self.stream.write(data[:100])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def fdopen(file: int, mode: str, **keywords: int) -> object:
        return Full(file) if mode == "wb" else real(file, mode, **keywords)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fdopen", in_this_thread(fdopen, real))
        cache.put("rules", digest(b"other"), DATA)
        cache.put("rules", KEY, b"other")
    assert cache.get("rules", KEY) == DATA
    assert sorted(file.name for file in folder.iterdir()) == ["key", entry(cache).name]
    (folder / "key").unlink()
    with monkeypatch.context() as patched:
        patched.setattr(os, "fdopen", in_this_thread(fdopen, real))
        assert Cache.open() is None


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to root")
def test_a_read_only_folder_is_read_and_not_written(cache: Cache, folder: Path) -> None:
    cache.put("rules", KEY, DATA)
    folder.chmod(0o500)
    try:
        again = opened()
        again.put("rules", digest(b"other"), DATA)
        assert again.get("rules", KEY) == DATA
        assert again.get("rules", digest(b"other")) is None
    finally:
        folder.chmod(0o700)


# size limit


def test_oversized_entry_is_not_cached(cache: Cache, folder: Path) -> None:
    cache.put("kernel", KEY, bytes(MAX_ENTRY + 1))
    assert cache.get("kernel", KEY) is None
    entry(cache, "kernel").touch(0o600)
    os.truncate(entry(cache, "kernel"), 10 * MAX_ENTRY)
    assert cache.get("kernel", KEY) is None


def test_the_oldest_entries_go_when_it_is_full(
    cache: Cache, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_TOTAL", 5 * (len(DATA) + 32))
    keys = [bytes([0, number]) * 16 for number in range(9)]
    for age, key in enumerate(reversed(keys)):
        cache.put("rules", key, DATA)
        os.utime(entry(cache, "rules", key), (10**9 + age, 10**9 + age))
    assert [key for key in keys if cache.get("rules", key)] == keys[:5]


def test_stale_temporary_files_are_removed(cache: Cache, folder: Path) -> None:
    left, young = folder / "new.77.abandoned", folder / "new.78.young"
    left.touch()
    young.touch()
    os.utime(left, (10**9, 10**9))
    cache.put("rules", bytes(32), DATA)
    assert (left.exists(), young.exists()) == (False, True)


# concurrency

COLD = """
import sys
import threading
from rulesengine.support.cache import Cache, digest
print("ready", flush=True)
sys.stdin.readline()
cache = Cache.open()
own = digest(sys.argv[1].encode())
cache.put("rules", own, sys.argv[1].encode() * 1000)
cache.put("rules", digest(b"shared"), b"shared" * 1000)
print((cache.get("rules", own) or b"")[:2].decode(), Cache.open()._key == cache._key)
"""


def test_the_key_that_came_first_is_the_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, first = os.link, Cache("", os.urandom(32))

    def link(*arguments: Any, **keywords: Any) -> None:
        (folder / "key").touch(0o600)
        (folder / "key").write_bytes(first._key)
        real(*arguments, **keywords)

    monkeypatch.setattr(os, "link", in_this_thread(link, real))
    assert opened()._key == first._key == (folder / "key").read_bytes()


@pytest.mark.slow
def test_sixteen_processes_that_start_cold_end_with_one_key(cache: Cache, folder: Path) -> None:
    (folder / "key").unlink()
    folder.rmdir()
    names = [f"{number:02}" for number in range(16)]
    with ExitStack() as stack:
        started = [stack.enter_context(running(sys.executable, "-c", COLD, name)) for name in names]
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
        for process in started:
            assert process.stdin is not None
            process.stdin.write(b"go\n")
            process.stdin.flush()
        outputs = [process.communicate(timeout=PATIENCE)[0].decode().strip() for process in started]
    assert outputs == [f"{name} True" for name in names]
    found = opened()
    assert [found.get("rules", digest(n.encode())) for n in names] == [
        n.encode() * 1000 for n in names
    ]
    assert found.get("rules", digest(b"shared")) == b"shared" * 1000
    # A compilation that an earlier test left running may add entries of another kind.
    files = [
        file.name for file in folder.iterdir() if file.name.startswith(("key", "new.", "rules-"))
    ]
    assert len(files) == 18
