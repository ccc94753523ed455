"""What the Python tests share: the server under test as an object, and bounded waits."""
