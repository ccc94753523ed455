"""Requests a second and CPU time a request, peers side by side. Entry: run.py."""
