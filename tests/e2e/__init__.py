"""The binary from outside: started on port 0, asked by its own commands and by real clients."""
