"""Hypothesis is an extra."""

import subprocess
import sys


def test_without_hypothesis_the_message_says_how_to_install_it():
    code = (
        "import sys; sys.modules['hypothesis'] = None; sys.modules['hypothesis.strategies'] = None\n"
        "from simstudy.errors import RequestError\n"
        "try:\n    import simstudy.testing\n"
        "except RequestError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'simstudy[test]'" in done.stdout
