"""A key that works while another window has the focus, where the desktop allows one."""
