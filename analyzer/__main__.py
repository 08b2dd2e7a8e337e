"""`python -m analyzer` is the program `tienlen`."""

from analyzer.cli import main

if __name__ == "__main__":
    main()
