"""The readers under the rules: comments, strings and includes of C++."""

import subprocess

from tidy import tree


def test_code_only_blanks_comments_and_literals_and_keeps_places():
    text = 'int a = 1\'000; // new\n/* new\n new */ auto s = "new // \\" new"; char c = \'"\'; f(u8\'"\', R"x(new " )" )x", b);\n'
    code = tree.code_only(text)
    assert "new" not in code
    assert len(code) == len(text) and code.count("\n") == text.count("\n")
    assert "int a = 1'000;" in code and ", b);" in code


def test_includes_are_found_with_their_lines_and_not_in_comments(plant):
    root = plant({"a.cpp": '// #include "no.h"\n#include "x/y.h"\n  #  include <event2/event.h>\n/*\n#include <no.h>\n*/\n'})
    found = tree.includes(root / "a.cpp")
    assert [(one.line, one.name, one.quoted) for one in found] == [(2, "x/y.h", True), (3, "event2/event.h", False)]


def test_sources_lists_only_cpp_below_the_places(plant):
    root = plant({"core/a/x.h": "", "core/a/y.cpp": "", "core/a/z.txt": "", "other/w.h": ""})
    assert [path.as_posix() for path in tree.sources(root, "core")] == ["core/a/x.h", "core/a/y.cpp"]


def test_tracked_asks_git_where_there_is_one(plant):
    root = plant({"known.txt": "", "unknown.txt": "", "gone.txt": ""})
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "known.txt", "gone.txt"], cwd=root, check=True)
    (root / "gone.txt").unlink()
    assert [path.as_posix() for path in tree.tracked(root)] == ["known.txt"]


def test_text_of_leaves_binary_files_alone(plant):
    root = plant({"text": "words"})
    (root / "nul").write_bytes(b"a\0b")
    (root / "latin").write_bytes(b"\xff\xfe")
    assert tree.text_of(root / "text") == "words"
    assert tree.text_of(root / "nul") is None and tree.text_of(root / "latin") is None
