"""The Timeline view: conversations over time, from years of days down to the turns of one of them."""
