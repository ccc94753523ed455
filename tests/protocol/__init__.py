"""HTTP/1.1 over raw sockets: what the server answers to exact bytes, and what the connection is afterwards."""
