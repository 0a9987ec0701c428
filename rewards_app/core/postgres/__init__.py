"""The database as a server: where it is, who may do what, its schema, months and replica."""
