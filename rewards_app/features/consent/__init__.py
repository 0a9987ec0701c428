"""What people allow us to keep in their browser and to note about them."""
