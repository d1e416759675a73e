"""PTX as C: the code of a GPU runs on this machine's processor, one lane after the other.

It covers the instructions that LLVM emits for kernels, by the definitions of NVIDIA's manual
"Parallel Thread Execution ISA". An unknown instruction raises LookupError. All address spaces are
the memory of the process, so `cvta` does nothing. Atomic operations are plain ones, since lanes run
one after the other.
"""

import re
from collections.abc import Iterator
from itertools import count

_TYPES = {"pred": "uint8_t", "b16": "uint16_t", "b32": "uint32_t", "b64": "uint64_t"}
_SIZES = {"8": 1, "16": 2, "32": 4, "64": 8}
_COMPARED = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_INFIX = {"and": "&", "or": "|", "xor": "^", "add": "+", "sub": "-"}
_SPECIAL = {"%tid.x": "lane", "%ctaid.x": "0", "%ntid.x": "1"}

HEAD = """#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define AT(p) ((uint8_t *)(uintptr_t)(p))
static uint32_t lane;
uint64_t executed;
static uint64_t carry;
#define LOAD(type) static inline type ld_##type(const void *p) \\
  { type v; memcpy(&v, p, sizeof v); return v; }
LOAD(uint8_t) LOAD(uint16_t) LOAD(uint32_t) LOAD(uint64_t)
#define SHIFTS(n) \\
  static inline uint##n##_t shl##n(uint##n##_t a, uint32_t b) { return b < n ? a << b : 0; } \\
  static inline uint##n##_t shr##n(uint##n##_t a, uint32_t b) { return b < n ? a >> b : 0; } \\
  static inline int##n##_t sar##n(int##n##_t a, uint32_t b) { return a >> (b < n ? b : n - 1); } \\
  static inline uint##n##_t bfe##n(uint##n##_t a, uint32_t b, uint32_t c) \\
    { b &= 255; c &= 255; a = shr##n(a, b); return c < n ? a & (((uint##n##_t)1 << c) - 1) : a; } \\
  static inline uint##n##_t sbfe##n(int##n##_t a, uint32_t b, uint32_t c) { \\
    b &= 255; c &= 255; if (!c) return 0; \\
    uint32_t top = b + c - 1 < n - 1 ? b + c - 1 : n - 1; \\
    uint##n##_t sign = (uint##n##_t)0 - ((a >> top) & 1); \\
    uint##n##_t low = bfe##n(a, b, c); uint32_t kept = b < n ? top - b + 1 : 0; \\
    return kept >= n || kept == 0 ? (kept ? low : sign) : (low | sign << kept); } \\
  static inline uint##n##_t brev##n(uint##n##_t a) \\
    { uint##n##_t r = 0; for (int i = 0; i < n; i++) r = r << 1 | (a >> i & 1); return r; }
SHIFTS(32) SHIFTS(64)
static inline uint16_t shl16(uint16_t a, uint32_t b) { return b < 16 ? a << b : 0; }
static inline uint16_t shr16(uint16_t a, uint32_t b) { return b < 16 ? a >> b : 0; }
static inline int16_t sar16(int16_t a, uint32_t b) { return a >> (b < 16 ? b : 15); }
static inline uint32_t shf_l(uint32_t a, uint32_t b, uint32_t n)
  { return (uint32_t)((((uint64_t)b << 32 | a) << n) >> 32); }
static inline uint32_t shf_r(uint32_t a, uint32_t b, uint32_t n)
  { return (uint32_t)(((uint64_t)b << 32 | a) >> n); }
static inline uint32_t prmt(uint32_t a, uint32_t b, uint32_t s) {
  uint64_t from = (uint64_t)b << 32 | a; uint32_t r = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t k = s >> 4 * i & 15, byte = from >> 8 * (k & 7) & 255;
    if (k & 8) byte = byte & 128 ? 255 : 0;
    r |= byte << 8 * i; }
  return r; }
"""


def c_of(ptx: str, *kernels: str) -> str:
    """Return C code with a function `run_KERNEL(arguments, lane)` for each of the kernels.

    Arguments are 64-bit words. The variable `executed` counts the executed instructions.
    """
    writer = _Writer()
    for kind, text in _statements(ptx):
        writer.take(kind, text)
    runs = map(_run_text, kernels)
    return "\n".join([HEAD, *writer.declared, *writer.globals, *writer.lines, *runs])


def _run_text(kernel: str) -> str:
    return f"""
void run_{kernel}(uint64_t *arguments, uint32_t number) {{
  uint8_t *params[32];
  for (int i = 0; i < 32; i++) params[i] = (uint8_t *)(arguments + i);
  lane = number;
  {_name(kernel)}(0, params);
}}
"""


def _statements(ptx: str) -> Iterator[tuple[str, str]]:
    """Yield the heads of functions, blocks, labels and statements of a text."""
    text = ""
    for raw in ptx.splitlines():
        line = raw.split("//")[0].strip()
        if not line:
            continue
        if re.match(r"\.(visible \.)?(func|entry)\b", text):
            if line in ("{", ";"):
                yield ("function" if line == "{" else "declaration"), text
                text = ""
            else:
                text += f" {line}"
        elif line in ("{", "}"):
            yield line, ""
        elif re.fullmatch(r"[\w$]+:", line):
            yield "label", line[:-1]
        else:
            text = f"{text} {line}".strip()
            if text.startswith((".version", ".target", ".address_size")):
                text = ""
            elif text.endswith(";"):
                yield "statement", text[:-1].strip()
                text = ""


def _name(name: str) -> str:
    return "x_" + re.sub(r"\W", "_", name.replace("$", "S_"))


class _Writer:
    """The C text of a module; `targets` are the labels of the tables of indirect branches."""

    def __init__(self) -> None:
        self.declared: list[str] = []
        self.globals: list[str] = []
        self.lines: list[str] = []
        self.targets: dict[str, list[str]] = {}
        self.params: dict[str, str] = {}
        self.depth = 0
        self.places = count()

    def take(self, kind: str, text: str) -> None:
        match kind:
            case "function" | "declaration":
                self._function(kind, text)
            case "{" | "}":
                self.lines.append(kind)
                self.depth += 1 if kind == "{" else -1
            case "label":
                self.lines.append(f"{_name(text)}: ;")
            case _:
                self._statement(text)

    def _function(self, kind: str, text: str) -> None:
        found = re.fullmatch(
            r"\.(?:visible )?\.?(?:func|entry)\s*(?:\((?P<ret>[^)]*)\))?\s*(?P<name>[\w$]+)\s*"
            r"(?:\((?P<params>.*)\))?(?:\s*\.\w+)*",
            text,
        )
        if found is None:
            raise LookupError(text)
        head = f"static void {_name(found['name'])}(uint8_t *ret, uint8_t **params)"
        self.declared.append(f"{head};")
        if kind == "declaration":
            return
        params = [part.split()[-1] for part in (found["params"] or "").split(",") if part.strip()]
        self.params = {re.sub(r"\[.*", "", p): f"params[{i}]" for i, p in enumerate(params)}
        if found["ret"]:
            self.params[re.sub(r"\[.*", "", found["ret"].split()[-1])] = "ret"
        self.lines += [head, "{"]
        self.depth = 1

    def _statement(self, text: str) -> None:
        if text.startswith((".visible", ".global", ".const")) and not self.depth:
            self._global(text)
        elif text.startswith(".reg"):
            self._registers(text)
        elif text.startswith((".param", ".local")):
            self._memory(text)
        elif ".branchtargets" in text:
            label, _, targets = text.partition(":")
            self.targets[label] = re.findall(r"[\w$]+", targets.replace(".branchtargets", ""))
        elif not text.startswith(".pragma"):
            self._instruction(text)

    def _global(self, text: str) -> None:
        found = re.fullmatch(
            r"(?:\.visible )?\.(?:global|const)(?: \.align (?P<align>\d+))? \.[bus](?P<bits>\d+) "
            r"(?P<name>[\w$]+)(?:\[(?P<size>\d+)\])?(?: = (?P<value>.*))?",
            text,
        )
        if found is None:
            raise LookupError(text[:200])
        size, value = found["size"] or "1", found["value"] or "{0}"
        align, type = found["align"] or "8", f"uint{found['bits']}_t"
        value = value if value.startswith("{") else f"{{{value}}}"
        head = f"static {type} {_name(found['name'])}[{size}]"
        self.globals.append(f"{head} __attribute__((aligned({align}))) = {value};")

    def _registers(self, text: str) -> None:
        _, type, *names = text.replace(",", " ").split()
        for name in names:
            ranged = re.fullmatch(r"%(\w+)<(\d+)>", name)
            stem, many = (ranged[1], int(ranged[2])) if ranged else (name[1:], 0)
            c_names = [f"r_{stem}{i}" for i in range(many)] if ranged else [f"r_{stem}"]
            self.lines.append(f"{_TYPES[type[1:]]} {', '.join(f'{n} = 0' for n in c_names)};")

    def _memory(self, text: str) -> None:
        bits, name = re.search(r"\.b(\d+)\s+([\w$]+)", text).groups()  # type: ignore[union-attr]
        many = re.search(r"\[(\d+)\]", text)
        size = int(bits) // 8 * (int(many[1]) if many else 1)
        self.lines.append(f"uint8_t {_name(name)}[{size}] __attribute__((aligned(16))) = {{0}};")

    # instructions

    def _instruction(self, text: str) -> None:
        guard = re.match(r"@(!?)%(\w+)\s+", text)
        start = ""
        if guard:
            start, text = f"if ({guard[1]}r_{guard[2]}) ", text[guard.end() :]
        name, *more = text.split(None, 1)
        rest = "".join(more)
        words = [self._operand(word.strip()) for word in _split(rest)]
        self.lines.append(f"executed++; {start}{{ {self._c(name.split('.'), words, rest)} }}")

    def _operand(self, word: str) -> str:
        if word in _SPECIAL:
            return _SPECIAL[word]
        if word.startswith("%"):
            return f"r_{word[1:]}"
        if re.fullmatch(r"-?\d+|0x[0-9a-fA-F]+", word):
            number = int(word, 0) & 2**64 - 1
            return f"{number}ull"
        if word.startswith("["):
            return self._address(word[1:-1])
        if word.startswith(("{", "(")):
            return word
        return self.params.get(word) or _name(word)

    def _address(self, text: str) -> str:
        base, sign, offset = re.fullmatch(  # type: ignore[union-attr]
            r"([%\w$.]+)\s*(?:([+-]+)(\d+))?", text
        ).groups()
        by = f" {'-' if '-' in (sign or '') else '+'} {offset}" if offset else ""
        place = f"AT({self._operand(base)})" if base[0] == "%" else self._operand(base)
        return f"((uint8_t *)({place}){by})"

    def _c(self, name: list[str], w: list[str], rest: str) -> str:
        op, kinds = name[0], name[1:]
        type = kinds[-1] if kinds else ""
        bits = type[1:] if type[1:].isdigit() else ""
        unsigned, signed = f"(uint{bits}_t)", f"(int{bits}_t)"
        cast = signed if type.startswith("s") else unsigned
        match op:
            case "ret":
                return "return;"
            case "exit":  # of code that LLVM proves unreachable
                return "abort();"
            case "bra":
                return f"goto {w[0]};"
            case "brx":
                table = self.targets[rest.split(",")[1].strip()]
                cases = " ".join(f"case {i}: goto {_name(t)};" for i, t in enumerate(table))
                return f"switch ({w[0]}) {{ {cases} }}"
            case "call":
                return self._call(rest)
            case "ld":
                return self._load(kinds, bits, w)
            case "st":
                return self._store(kinds, bits, w)
            case "mov" | "cvta" if w[0].startswith("{"):
                low, high = (self._operand(x.strip()) for x in w[0][1:-1].split(","))
                return f"{low} = (uint32_t){w[1]}; {high} = (uint32_t)({w[1]} >> 32);"
            case "mov" | "cvta" if w[1].startswith("{"):
                low, high = (self._operand(x.strip()) for x in w[1][1:-1].split(","))
                return f"{w[0]} = (uint64_t){high} << 32 | {low};"
            case "mov" if type == "pred":
                return f"{w[0]} = {w[1]} != 0;"
            case "mov" | "cvta":
                return f"{w[0]} = (uint64_t){w[1]};"
            case "add" | "sub" if "cc" in kinds:
                both = f"(unsigned __int128){unsigned}{w[1]} {_INFIX[op]} {unsigned}{w[2]}"
                return f"unsigned __int128 v = {both}; {w[0]} = v; carry = v >> {bits} & 1;"
            case "addc" | "subc":
                sign = "+" if op == "addc" else "-"
                both = f"(unsigned __int128){unsigned}{w[1]} {sign} {unsigned}{w[2]} {sign} carry"
                return f"unsigned __int128 v = {both}; {w[0]} = v; carry = v >> {bits} & 1;"
            case "and" | "or" | "xor" | "add" | "sub":
                return f"{w[0]} = {w[1]} {_INFIX[op]} {w[2]};"
            case "not":
                return f"{w[0]} = {'!' if type == 'pred' else '~'}{w[1]};"
            case "neg":
                return f"{w[0]} = -{w[1]};"
            case "abs":
                return f"{w[0]} = {signed}{w[1]} < 0 ? -{w[1]} : {w[1]};"
            case "mul" | "mad":
                return self._product(kinds, type, w)
            case "div" | "rem":
                return f"{w[0]} = {cast}{w[1]} {'/' if op == 'div' else '%'} {cast}{w[2]};"
            case "min" | "max":
                sign = "<" if op == "min" else ">"
                return f"{w[0]} = {cast}{w[1]} {sign} {cast}{w[2]} ? {w[1]} : {w[2]};"
            case "shl" | "shr":
                way = "sar" if type.startswith("s") else op
                return f"{w[0]} = {way}{bits}({w[1]}, {w[2]});"
            case "bfe":
                return (
                    f"{w[0]} = {'s' if type.startswith('s') else ''}bfe{bits}({', '.join(w[1:])});"
                )
            case "shf":
                amount = f"{w[3]} & 31"
                if kinds[1] == "clamp":
                    amount = f"({w[3]}) > 32 ? 32 : ({w[3]})"
                return f"{w[0]} = shf_{kinds[0]}({w[1]}, {w[2]}, {amount});"
            case "prmt":
                return f"{w[0]} = prmt({', '.join(w[1:])});"
            case "popc":
                return f"{w[0]} = __builtin_popcountll({unsigned}{w[1]});"
            case "clz":
                lead = 64 - int(bits)
                return f"{w[0]} = {w[1]} ? __builtin_clzll({unsigned}{w[1]}) - {lead} : {bits};"
            case "brev":
                return f"{w[0]} = brev{bits}({w[1]});"
            case "selp":
                return f"{w[0]} = {w[3]} ? {w[1]} : {w[2]};"
            case "setp":
                if len(w) != 3 or kinds[0] not in (*_COMPARED, "lo", "ls", "hi", "hs"):
                    raise LookupError(".".join(name))
                return f"{w[0]} = {cast}{w[1]} {_COMPARED[kinds[0]]} {cast}{w[2]};"
            case "cvt":
                from_bits = type[1:]
                inner = f"({'' if type[0] == 's' else 'u'}int{from_bits}_t){w[1]}"
                outer = f"({'' if kinds[-2][0] == 's' else 'u'}int{kinds[-2][1:]}_t)"
                return f"{w[0]} = {outer}{inner};"
            case "atom" | "red":
                return self._atomic(kinds, bits, w, returns=op == "atom")
        raise LookupError(".".join(name))

    def _product(self, kinds: list[str], type: str, w: list[str]) -> str:
        bits, sign = int(type[1:]), "" if type[0] == "s" else "u"
        more = f" + {w[3]}" if len(w) > 3 else ""
        match kinds[0]:
            case "lo":
                return f"{w[0]} = (uint{bits}_t){w[1]} * (uint{bits}_t){w[2]}{more};"
            case "wide":
                wide = f"({sign}int{2 * bits}_t)({sign}int{bits}_t)"
                return f"{w[0]} = {wide}{w[1]} * {wide}{w[2]}{more};"
            case "hi":
                kind = "unsigned __int128" if sign else "__int128"
                product = f"({kind})({sign}int{bits}_t){w[1]} * ({kind})({sign}int{bits}_t){w[2]}"
                return f"{w[0]} = (uint{bits}_t)(({product}) >> {bits}){more};"
        raise LookupError(f"mul.{kinds[0]}")

    def _load(self, kinds: list[str], bits: str, w: list[str]) -> str:
        to = (
            [self._operand(x.strip()) for x in w[0].strip("{}").split(",")]
            if "{" in w[0]
            else w[:1]
        )
        sign = f"(int{bits}_t)" if kinds[-1].startswith("s") else ""
        size = _SIZES[bits]
        loads = [f"{sign}ld_uint{bits}_t({w[1]} + {size * i})" for i in range(len(to))]
        names = [f"v{i}" for i in range(len(to))]
        first = " ".join(f"uint64_t {n} = {load};" for n, load in zip(names, loads, strict=True))
        return first + " " + " ".join(f"{t} = {n};" for t, n in zip(to, names, strict=True))

    def _store(self, kinds: list[str], bits: str, w: list[str]) -> str:
        values = w[1:]
        if "{" in w[1]:
            values = [self._operand(x.strip()) for x in w[1].strip("{}").split(",")]
        size = _SIZES[bits]
        return " ".join(
            f"{{ uint{bits}_t v = {value}; memcpy({w[0]} + {size * i}, &v, {size}); }}"
            for i, value in enumerate(values)
        )

    def _atomic(self, kinds: list[str], bits: str, w: list[str], *, returns: bool) -> str:
        action = next(k for k in kinds if k in ("add", "or", "max"))
        at, *values = w[1:] if returns else w
        new = {
            "add": f"old + {values[0]}",
            "or": f"old | {values[0]}",
            "max": f"old > {values[0]} ? old : {values[0]}",
        }[action]
        result = f"{w[0]} = old;" if returns else ""
        return (
            f"uint{bits}_t old = ld_uint{bits}_t({at}), v = {new};"
            f" memcpy({at}, &v, {_SIZES[bits]}); {result}"
        )

    def _call(self, rest: str) -> str:
        found = re.fullmatch(
            r"(?:\((?P<ret>[^)]*)\),\s*)?(?P<name>[\w$]+)(?:,\s*\((?P<params>[^)]*)\))?",
            rest.strip(),
        )
        if found is None:
            raise LookupError(rest)
        params = [_name(p.strip()) for p in (found["params"] or "").split(",") if p.strip()]
        given = f"(uint8_t *[]){{ {', '.join(params)} }}" if params else "0"
        ret = _name(found["ret"].strip()) if found["ret"] else "0"
        return f"{_name(found['name'])}({ret}, {given});"


def _split(text: str) -> list[str]:
    """Split operands at commas outside brackets."""
    parts, depth, part = [], 0, ""
    for sign in text:
        depth += (sign in "[{(") - (sign in "]})")
        if sign == "," and not depth:
            parts.append(part)
            part = ""
        else:
            part += sign
    return [*parts, part] if part.strip() else parts
