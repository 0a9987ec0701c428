"""WatchCoins: a rewards web app for gamers."""
