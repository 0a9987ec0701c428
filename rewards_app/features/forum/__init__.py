"""The forum: topics, replies, likes, and the people who keep it civil."""
