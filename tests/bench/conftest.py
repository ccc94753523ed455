"""Makes the package `bench` of the repository importable, before the directory of these tests that has the same name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
