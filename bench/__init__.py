"""Benchmarks of Tidegate beside other servers. Start with bench/README.md."""
