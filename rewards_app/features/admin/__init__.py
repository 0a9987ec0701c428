"""What admins see and decide: one page with a tab for each area."""
