"""What an effect, or a size, has to be: minimum detectable effects and sample sizes."""
