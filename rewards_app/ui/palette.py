"""Every colour of the product: the one place where they are defined, for pages and for paper."""

DARK = {
    "bg": "#0B0618",
    "panel": "#150C2B",
    "raised": "#1E1240",
    "line": "#33225C",
    "edge": "#7D6FA6",
    "text": "#F4F0FF",
    "quiet": "#B3A6D6",
    "purple": "#8B5CF6",
    "purple-strong": "#7C3AED",
    "lilac": "#C4B5FD",
    "cyan": "#22D3EE",
    "gold": "#FBBF24",
    "good": "#34D399",
    "danger": "#FB7185",
    "on-purple": "#FFFFFF",
    "shade": "rgb(4 2 12 / 0.72)",
}
LIGHT = {
    "bg": "#F8F6FF",
    "panel": "#FFFFFF",
    "raised": "#F0EBFF",
    "line": "#DCD2F5",
    "edge": "#877AAB",
    "text": "#1A1033",
    "quiet": "#5B4B80",
    "purple": "#7C3AED",
    "purple-strong": "#6D28D9",
    "lilac": "#6D28D9",
    "cyan": "#0E7490",
    "gold": "#92600A",
    "good": "#047857",
    "danger": "#BE123C",
    "on-purple": "#FFFFFF",
    "shade": "rgb(26 16 51 / 0.48)",
}
# The wash behind a page: stronger where it is dark (at most 16%), faint on white (at most 9%).
WASH = {"dark": ("16%", "8%"), "light": ("9%", "6%")}
# What the sign and the coin are painted with, in both themes alike.
PAINT = {
    "mark-purple": "#8B5CF6",
    "mark-cyan": "#22D3EE",
    "mark-gold": "#FBBF24",
    "coin-light": "#FFE9A8",
    "coin-face": "#FBBF24",
    "coin-dark": "#B7791F",
    "coin-rim": "rgb(146 96 10 / 0.35)",
    "scene": "#120826",
}
