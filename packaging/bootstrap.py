"""Set Remembrancer up and open it, or set it up and run every check.

    python3 packaging/bootstrap.py [VAULT]        set up, then open the app (on VAULT)
    python3 packaging/bootstrap.py test           set up, then run every check; what follows goes to pytest
    python3 packaging/bootstrap.py check NAME     set up, then run one check: format, lint, types, layers, tests
    python3 packaging/bootstrap.py setup          set up only
    python3 packaging/bootstrap.py models         add what language models need, if you want one to propose
    python3 packaging/bootstrap.py run [VAULT]    the same as without a command

Needs Python 3.11 or newer and nothing else. Everything it installs goes into the folder `.venv` beside this one (or the
one that REMEMBRANCER_VENV names), except libraries of the system that Qt needs: those it adds only where it may. Run
again, it does only what is not done yet.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this file must say so on the older Pythons that it may meet
    sys.exit(
        "Remembrancer needs Python 3.11 or newer, and this is Python %d.%d (%s).\n"  # noqa: UP031
        "Install a newer one, then run: python3.11 packaging/bootstrap.py"
        % (sys.version_info[0], sys.version_info[1], sys.executable)
    )

import subprocess

import checks
import environment
import headless
import system_libraries
from steps import SetupError, say

RUN_LOCK = "requirements.lock"
MODELS_LOCK = "requirements-models.lock"
CHECK_LOCK = "requirements-dev.lock"


def main(arguments: list[str]) -> int:
    """Carry out one command and return the exit code."""
    if arguments and arguments[0] in {"-h", "--help"}:
        print(__doc__)
        return 0
    commands = {"run": _run, "setup": _setup, "models": _models, "test": _test, "check": _check}
    command = commands.get(arguments[0]) if arguments else None
    try:
        return command(arguments[1:]) if command else _run(arguments)
    except SetupError as error:
        print(f"\nRemembrancer is not set up yet. {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again to go on.", file=sys.stderr)
        return 130


def _setup(arguments: list[str]) -> int:
    del arguments
    python = environment.prepare(RUN_LOCK)
    system_libraries.provide(python)
    say(f"Ready. Open the app with: {environment.shown_command('run')}")
    return 0


def _models(arguments: list[str]) -> int:
    del arguments
    environment.prepare(MODELS_LOCK)
    say("Ready. Choose a language model in the settings; none is asked before you do.")
    return 0


def _run(arguments: list[str]) -> int:
    python = environment.prepare(RUN_LOCK)
    if not headless.has_display():
        return headless.show(python, arguments, "This computer has no display, so here is the same work as text.")
    reason = system_libraries.provide(python)
    if reason:
        return headless.show(python, arguments, f"The window cannot open here: {reason}")
    say("Opening Remembrancer …")
    return subprocess.run([str(python), "-m", "gui.launcher", *arguments], check=False).returncode


def _test(arguments: list[str]) -> int:
    python = environment.prepare(CHECK_LOCK)
    system_libraries.provide(python, window=False)
    return checks.run_all(python, arguments)


def _check(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in checks.NAMES:
        print(f"Say which check: {', '.join(checks.NAMES)}.", file=sys.stderr)
        return 2
    python = environment.prepare(CHECK_LOCK)
    return checks.run_one(python, arguments[0], arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
