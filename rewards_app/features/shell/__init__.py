"""The frame around every page, with what it shows of the person and of the others."""
