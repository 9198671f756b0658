"""Makes ``python -m simstudy.power`` a command; the function is `simstudy.power_curve`."""
