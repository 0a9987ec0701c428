"""Eight languages: `t()` for pages, `text()` for what the server writes itself."""
