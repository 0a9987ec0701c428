"""What people may ask of us about their data: to see it, to take it along, to have it erased."""
