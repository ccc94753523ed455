"""Bytes that one idle keep-alive connection costs in a server. Entry: run.py."""
