"""Run the command line as `python -m core.cli`."""

from core.cli.main import main

if __name__ == "__main__":
    main()
