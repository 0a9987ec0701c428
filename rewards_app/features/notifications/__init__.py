"""What the app tells a person: in the app, and by mail where they want it."""
