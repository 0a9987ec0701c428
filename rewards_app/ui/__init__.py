"""The look of the product: theme and stateless components that know no feature."""
