"""What a reader gets to see: tables, flat records and plots of results."""
