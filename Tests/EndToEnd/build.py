"""Where the binaries are."""

import os
import pathlib

BUILD = pathlib.Path(os.environ.get("FLEET_TOKEN_BUILD", pathlib.Path(__file__).parents[2] / ".build" / "debug"))
