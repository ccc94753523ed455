"""Documents, marks and sleeps, on this repository and on samples that break the rules."""

import pytest

from tidy import texts, tree

ROOT = tree.repository()


def test_names_in_the_documents_exist():
    assert texts.names(ROOT) == []


def test_nothing_is_marked_unfinished_and_no_machine_is_named():
    assert texts.marks(ROOT) == []


def test_no_test_sleeps():
    assert texts.sleeps(ROOT) == []


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "docs/a.md", "docs/adr/b.md"])
@pytest.mark.parametrize("name", ["core/io/gone.h", "http/gone.cpp", "attic/gone.h", "tests/gone.toml", "core/gone/"])
def test_a_name_that_does_not_exist_is_found(plant, document, name):
    root = plant({"core/http/x.h": "", "tests/x.py": "", document: f"one\nsee `{name}` there\n"})
    assert texts.names(root) == [f"{document}:2: there is no {name}"]


@pytest.mark.parametrize(
    "text",
    [
        "`core/io/driver.h` and, from core, `io/driver.h`",
        "the directory `core/io/`",
        "`build/release/config.json` is made by the build",
        "a user's `conf.d/shop.toml` and `/etc/tidegate/tidegate.toml`",
        "`text/html`, `GET /index.html`, `name.toml`",
        "```\n`core/not/there.h` in a block\n```",
        "[a link](../README.md), [a place](#here), [the web](https://example.com/x.h)",
    ],
)
def test_names_that_exist_or_are_not_ours_pass(plant, text):
    root = plant({"README.md": "", "core/io/driver.h": "", "docs/a.md": text + "\n"})
    assert texts.names(root) == []


def test_a_link_that_leads_nowhere_is_found(plant):
    root = plant({"docs/a.md": "[a](gone.md#part)\n"})
    assert texts.names(root) == ["docs/a.md:1: the link to gone.md leads nowhere"]


# The bad words in halves, or these lines would be found themselves.
@pytest.mark.parametrize("word", ["TO" "DO", "FIX" "ME", "XX" "X"])
def test_a_mark_is_found(plant, word):
    root = plant({"core/x.cpp": f"int a;\n// {word}: later\n"})
    assert texts.marks(root) == [f"core/x.cpp:2: unfinished: {word}"]


@pytest.mark.parametrize("path", ["/ho" "me/ann/tidegate", "/wo" "rk/main", "/Us" "ers/ann"])
def test_a_path_of_a_machine_is_found(plant, path):
    root = plant({"docs/x.md": f"cd {path}\n"})
    assert len(texts.marks(root)) == 1


def test_what_only_looks_like_a_mark_passes(plant):
    root = plant({"x.txt": "mkstemp XXXXXX, mastodons, https://example.com/wo" "rk/x, ~/ho" "me/x, a/wo" "rk/b\n"})
    (root / "x.bin").write_bytes(b"\0TO" b"DO")
    assert texts.marks(root) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tests/e2e/test_x.py", "import time\ntime.sleep(1)\n"),
        ("tests/e2e/test_x.py", "from time import sleep\nsleep (0.1)\n"),
        ("tests/e2e/test_x.py", "import asyncio\nawait asyncio.sleep(1)\n"),
        ("tests/unit/io/x_test.cpp", "\nstd::this_thread::sleep_for(1ms);\n"),
        ("tests/unit/io/x_test.cpp", "\nusleep(10);\n"),
        ("tests/lib/other.py", "import time\ntime.sleep(1)\n"),
    ],
)
def test_a_sleep_is_found(plant, name, text):
    assert [line.split(": ")[0] for line in texts.sleeps(plant({name: text}))] == [f"{name}:2"]


def test_the_polling_helper_and_words_about_sleeping_pass(plant):
    root = plant(
        {
            "tests/lib/wait.py": "import time\ntime.sleep(0.01)\n",
            "tests/e2e/test_x.py": '# time.sleep(1)\ntext = "time.sleep(1)"\nsleep = 3\nsleeper(1)\n',
            "tests/unit/x_test.cpp": '// sleep_for(1)\nauto s = "usleep(1)"; overslept(1);\n',
        }
    )
    assert texts.sleeps(root) == []
