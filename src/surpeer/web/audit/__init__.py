"""Who saw, changed or exported what. Rows are only ever added; the database itself refuses anything else."""
