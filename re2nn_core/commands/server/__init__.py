"""Commands about the server and its database: app, bench, backup, restore, verify."""
