"""A cache of bytes in a directory of the user; a damaged entry is a miss.

An entry is a file: its MAC under a random key in the same directory, then the data. The MAC covers
the name of the entry, so that entries cannot be exchanged. See decision 095.
"""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import sleep
from typing import NamedTuple

try:  # as `random` does: `hashlib` would load OpenSSL, which takes 3 ms
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

MAX_ENTRY = 16 * 1024 * 1024
MAX_TOTAL = 128 * 1024 * 1024

_KEY, _LOCK = "key", "lock."
_MAC = _DIGEST = 32
_OWN_ONLY = 0o077
_PRIVATE, _MOST_NESTED = "private", 3  # a private directory may have got an unsafe mode itself
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_SAFE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # prevents blocking on a pipe
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _SAFE
_ABANDONED = 3600.0  # seconds after which a temporary file is considered abandoned
_POLL, _MOST_POLLS = 0.05, 1200  # seconds between two attempts to get a lock; attempts


class Info(NamedTuple):
    """The size of a cache: the number of entries and of the bytes of their files."""

    directory: str
    entries: int
    bytes: int


def digest(*parts: bytes) -> bytes:
    """Return the 32-byte BLAKE2b hash of a list of byte strings; their boundaries count."""
    hashed = blake2b(digest_size=_DIGEST)
    for part in parts:
        hashed.update(len(part).to_bytes(8, "little"))
        hashed.update(part)
    return hashed.digest()


def directory() -> str:
    """Return the path of the cache directory, or an empty text if there is none.

    `RULESENGINE_CACHE` overrides it; an empty value disables the cache. The default is
    `rulesengine` in the cache directory of the system, preferably `XDG_CACHE_HOME`.
    """
    chosen = os.environ.get("RULESENGINE_CACHE")
    if chosen is not None:
        return chosen.rstrip(os.sep) if os.path.isabs(chosen) else ""
    caches = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(caches):
        caches = os.path.join(_home(), "Library/Caches" if sys.platform == "darwin" else ".cache")
    return os.path.join(caches, "rulesengine") if os.path.isabs(caches) else ""


def _home() -> str:
    """Return the home directory of the user; an empty `HOME` counts as not set."""
    if os.environ.get("HOME") != "":
        return os.path.expanduser("~")
    try:
        import pwd  # imported here: no system that names a home directory needs it

        return pwd.getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError):
        return ""


def is_switched_off() -> bool:
    """True if the user has disabled the cache."""
    return os.environ.get("RULESENGINE_CACHE") == ""


def _reason_without_directory() -> str:
    """Return the reason why there is no directory."""
    chosen = os.environ.get("RULESENGINE_CACHE")
    if chosen is None:
        return "the system names no folder for caches"
    return f"RULESENGINE_CACHE is no absolute path: `{chosen}`" if chosen else "it is switched off"


class Cache:
    """A directory that only the user can access; no method raises an OSError."""

    __slots__ = ("_key", "directory")

    def __init__(self, directory: str, key: bytes) -> None:
        self.directory = directory
        self._key = key

    @classmethod
    def open(cls) -> "Cache | None":
        """Return the cache of the user, created if necessary; None if it would not be safe."""
        cache = cls.find()
        return cache if isinstance(cache, Cache) else None

    @classmethod
    def find(cls) -> "Cache | str":
        """Return the cache of the user, or the reason why there is none.

        If other users have access to the directory, the cache is in a private directory inside it.
        """
        path = directory()
        if not path:
            return _reason_without_directory()
        if not hasattr(os, "geteuid"):
            return "this system does not report the owner of a file"
        try:
            for _ in range(_MOST_NESTED):
                try:
                    return cls._opened(path)
                except _OpenModeError:
                    path = os.path.join(path, _PRIVATE)
            return cls._opened(path)
        except _UnsafeError as error:
            return f"{path}: {error}"
        except (OSError, ValueError) as error:
            return f"{path}: {(getattr(error, 'strerror', '') or 'is no name of a file').lower()}"

    @classmethod
    def _opened(cls, path: str) -> "Cache":
        """Return the cache in a directory, created if necessary. Raises _UnsafeError, OSError."""
        os.makedirs(path, 0o700, exist_ok=True)
        with _entered(path) as folder:
            return cls(path, _read_key(folder) or _make_key(folder))

    def get(self, kind: str, key: bytes) -> bytes | None:
        """Return the data of an entry; None if there is none or its MAC is wrong."""
        with suppress(OSError), _entered(self.directory) as folder:
            entry = _read(folder, _name(kind, key), _MAC + MAX_ENTRY)
            # The comparison need not take constant time: no attacker who can time it lacks access.
            if entry is not None and entry[:_MAC] == self._mac(kind, key, entry[_MAC:]):
                return entry[_MAC:]
        return None

    def has(self, kind: str, key: bytes) -> bool:
        """True if there is an entry, valid or not."""
        with suppress(OSError), _entered(self.directory) as folder:
            os.stat(_name(kind, key), dir_fd=folder, follow_symlinks=False)
            return True
        return False

    @contextmanager
    def lock(self, key: bytes) -> Iterator[None]:
        """Lock a key for all threads and processes that use this directory.

        Keys share 256 locks. Where no lock is possible, or if its owner has had it for a minute,
        continue without.
        """
        file = self._lock_file(key)
        if file is None:
            yield
            return
        try:
            _lock(file)
            yield
        finally:
            _unlock(file)

    def _lock_file(self, key: bytes) -> int | None:
        with suppress(OSError), _entered(self.directory) as folder:
            name = f"{_LOCK}{key[0]:02x}"
            return os.open(name, os.O_RDWR | os.O_CREAT | _NO_WAIT | _SAFE, 0o600, dir_fd=folder)
        return None

    def put(self, kind: str, key: bytes, data: bytes) -> None:
        """Store data under a kind (lower-case letters) and a digest; do nothing if that fails."""
        name = _name(kind, key)
        if len(data) > MAX_ENTRY:
            return
        with suppress(OSError), _entered(self.directory) as folder:
            with _written(folder, self._mac(kind, key, data) + data) as temporary:
                os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            if key[0] < 16:  # a scan of all files is done once in sixteen writes
                _trim(folder)

    def info(self) -> Info:
        """Return the number and size of the entries."""
        sizes: list[int] = []
        with suppress(OSError), _entered(self.directory) as folder:
            sizes = [size for name, size, _ in _files(folder) if _is_entry(name)]
        return Info(self.directory, len(sizes), sum(sizes))

    def clear(self) -> int:
        """Remove all entries and the key; return the number of entries removed."""
        count = 0
        with suppress(OSError), _entered(self.directory) as folder:
            for name, _, _ in _files(folder):
                count += _removed(folder, name) and _is_entry(name)
        return count

    def _mac(self, kind: str, key: bytes, data: bytes) -> bytes:
        # Keyed BLAKE2b is a MAC by itself (RFC 7693).
        name = _name(kind, key).encode()
        return blake2b(digest(name, data), key=self._key, digest_size=_MAC).digest()


class _UnsafeError(OSError):
    """A directory that other users can access."""


class _OpenModeError(_UnsafeError):
    """A directory of the user with a mode that gives access to others."""


def _name(kind: str, key: bytes) -> str:
    if not (kind.isascii() and kind.isalpha() and kind.islower() and len(key) == _DIGEST):
        raise ValueError("an entry has a kind in small letters and a key of 32 bytes")
    return f"{kind}-{key.hex()}"


def _is_entry(name: str) -> bool:
    kind, _, key = name.partition("-")
    return kind.isalpha() and len(key) == 2 * _DIGEST


@contextmanager
def _entered(path: str) -> Iterator[int]:
    """Yield a descriptor of the directory after checks of owner and mode.

    All other operations use the descriptor. Raises _UnsafeError.
    """
    folder = os.open(path, _FOLDER)
    try:
        status = os.fstat(folder)
        if status.st_uid != os.geteuid():
            raise _UnsafeError("belongs to somebody else")
        if status.st_mode & _OWN_ONLY:
            raise _OpenModeError(f"is open to others (mode {stat.S_IMODE(status.st_mode):o})")
        yield folder
    finally:
        os.close(folder)


def _read(folder: int, name: str, most: int) -> bytes | None:
    """Return the bytes of a regular file of the user; None if it is none or too large."""
    with suppress(OSError):
        file = os.open(name, os.O_RDONLY | _NO_WAIT | _SAFE, dir_fd=folder)
        with os.fdopen(file, "rb", buffering=0) as stream:
            status = os.fstat(file)
            own = status.st_uid == os.geteuid() and not status.st_mode & _OWN_ONLY
            if own and stat.S_ISREG(status.st_mode) and status.st_size <= most:
                return stream.read(status.st_size)
    return None


@contextmanager
def _written(folder: int, data: bytes) -> Iterator[str]:
    """Yield the name of a temporary file with this data, removed at the end unless renamed."""
    name = f"new.{os.getpid()}.{os.urandom(8).hex()}"
    file = os.open(name, _NEW | _SAFE, 0o600, dir_fd=folder)
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(data)
        yield name
    finally:
        _removed(folder, name)


def _lock(file: int) -> None:
    """Lock a file by polling; an interrupt ends the wait at once. See decision 094."""
    with suppress(ImportError):
        import fcntl

        for _ in range(_MOST_POLLS):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                sleep(_POLL)
            except OSError:  # a file system without locks
                return


def _unlock(file: int) -> None:
    """Unlock and close a file; a forked process may have a copy of the descriptor."""
    with suppress(ImportError, OSError):
        import fcntl

        fcntl.flock(file, fcntl.LOCK_UN)
    os.close(file)


def _read_key(folder: int) -> bytes | None:
    key = _read(folder, _KEY, _MAC)
    return key if key is not None and len(key) == _MAC else None


def _make_key(folder: int) -> bytes:
    """Create a key, or return that of a concurrent process: the link succeeds once."""
    for _ in range(2):
        with _written(folder, os.urandom(_MAC)) as name, suppress(FileExistsError):
            os.link(name, _KEY, src_dir_fd=folder, dst_dir_fd=folder)
        key = _read_key(folder)
        if key is not None:
            return key
        _removed(folder, _KEY)  # a damaged key
    raise _UnsafeError("its key cannot be read")


def _files(folder: int) -> list[tuple[str, int, float]]:
    """Return name, size and time of the files that belong to the cache by their names."""
    entries = []
    with os.scandir(folder) as files:
        for file in files:
            is_ours = file.name == _KEY or file.name.startswith(("new.", _LOCK))
            if is_ours or _is_entry(file.name):
                with suppress(OSError):
                    status = file.stat(follow_symlinks=False)
                    entries.append((file.name, status.st_size, status.st_mtime))
    return entries


def _trim(folder: int) -> None:
    """Remove the oldest entries down to the limit, and abandoned temporary files."""
    files = sorted(_files(folder), key=lambda file: file[2], reverse=True)
    now = max((time for _, _, time in files), default=0.0)
    total = 0
    for name, size, time in files:
        total += size if _is_entry(name) else 0
        left = name.startswith("new.") and time < now - _ABANDONED
        if left or (total > MAX_TOTAL and _is_entry(name)):
            _removed(folder, name)


def _removed(folder: int, name: str) -> bool:
    with suppress(OSError):
        os.unlink(name, dir_fd=folder)
        return True
    return False
