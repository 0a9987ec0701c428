"""Whether what companies pay covers what players earn."""
