"""House rules as tests: layering, confinement, banned words, file length, names in the docs, marks, sleeps, ./dev.

Each rule is a function over a directory tree that returns what it found, one line a finding; an empty list is good.
Its tests run it on this repository, and on small bad trees to show that it does find what it is for.
"""
