"""Companies that advertise: their application, campaigns, ads, figures and money."""
