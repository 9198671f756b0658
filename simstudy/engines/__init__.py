"""The three ways to the law of what a replication leaves behind: exact, counts and full."""
