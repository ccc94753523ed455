"""The strict rooms and the length of files, on this repository and on samples that break the rules."""

import warnings

import pytest

from tidy import language, rooms, tree

ROOT = tree.repository()
STRICT = rooms.load()["strict"]["rooms"]


def test_the_strict_rooms_are_strict():
    assert language.banned(ROOT, STRICT) == []


def test_files_are_short():
    errors, long = language.length(ROOT, language.load_long_files())
    for line in long:
        warnings.warn(line, stacklevel=1)
    assert errors == []


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("std::shared_ptr<int> p;", "shared ownership"),
        ("auto p = std::make_shared<int>(1);", "shared ownership"),
        ("std::function<void()> f;", "std::function"),
        ("std::move_only_function<void()> f;", "std::function"),
        ("auto* p = new int;", "naked new"),
        ("auto* p = new int[3];", "naked new"),
        ("auto* p = new (std::nothrow) int;", "naked new"),
        ("auto* p = ::new int;", "naked new"),
        ("p.reset(new int);", "naked new"),
        ("std::unique_ptr<int> p(new int);", "naked new"),
        ("std::unique_ptr<int> p; int* q = new (std::nothrow) int;", "naked new"),
        ("delete p;", "naked delete"),
        ("delete[] p;", "naked delete"),
        ("throw Error{};", "throw"),
    ],
)
@pytest.mark.parametrize("room", STRICT)
def test_a_banned_word_is_found(plant, room, code, what):
    root = plant({f"core/{room}/x.cpp": f"// first\n{code}\n"})
    assert language.banned(root, STRICT) == [f"core/{room}/x.cpp:2: {what}"]


@pytest.mark.parametrize(
    "code",
    [
        "X(const X&) = delete;",
        "X(const X&) =\n    delete;",
        "::new (static_cast<void*>(place)) T();",
        "new (place) T();",
        "void* operator new(std::size_t size, Arena& arena);",
        "void operator delete(void* frame, std::size_t size);",
        "#include <new>",
        "// a new request may throw",
        'text = "new delete throw std::function";',
        "renew(); thrown = deleted;",
        "std::make_unique<X>();",
        "std::unique_ptr<Field[]> larger(new (std::nothrow) Field[wanted]);",
    ],
)
def test_what_only_looks_banned_passes(plant, code):
    assert language.banned(plant({"core/http/x.cpp": code + "\n"}), STRICT) == []


def test_other_rooms_may(plant):
    assert language.banned(plant({"core/config/x.cpp": "throw 1;\n"}), STRICT) == []


def lines(count: int) -> str:
    return "x\n" * count


def test_length_at_the_limits(plant):
    root = plant(
        {
            "core/a/aim.cpp": lines(language.AIM_LINES),
            "core/a/warned.cpp": lines(language.AIM_LINES + 1),
            "core/a/limit.h": lines(language.LONG_LINES),
            "platform/a/over.cpp": lines(language.LONG_LINES + 1),
        }
    )
    errors, long = language.length(root, {})
    assert [line.split(":")[0] for line in errors] == ["platform/a/over.cpp"]
    assert [line.split(":")[0] for line in long] == ["core/a/limit.h", "core/a/warned.cpp"]


def test_the_allow_list_needs_a_use_and_a_reason(plant):
    root = plant({"core/a/over.cpp": lines(language.LONG_LINES + 1), "core/a/short.cpp": lines(1)})
    assert language.length(root, {"core/a/over.cpp": "a table"})[0] == []
    assert len(language.length(root, {"core/a/over.cpp": " "})[0]) == 1
    stale = language.length(root, {"core/a/over.cpp": "a table", "core/a/short.cpp": "was long", "core/gone.cpp": "?"})[0]
    assert len(stale) == 2
