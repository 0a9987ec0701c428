"""Make this checkout importable in its own virtual environment, and give it its `rewards` command.

An editable install without building anything: no build tool has to be fetched for it.
"""

import sys
import sysconfig
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
SCRIPT = """#!{python}
import gc

# What is imported stays: there is nothing to find in it.
gc.disable()

from rewards_app.cli import main

gc.freeze()
gc.enable()
main()
"""

Path(sysconfig.get_path("purelib"), "rewards_app.pth").write_text(f"{PROJECT}\n")
command = Path(sys.executable).parent / "rewards"
command.write_text(SCRIPT.format(python=sys.executable))
command.chmod(0o755)
