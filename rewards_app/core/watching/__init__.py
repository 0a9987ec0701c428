"""What whoever operates the app is told of it: lines, traces, figures and storms of refusals."""
