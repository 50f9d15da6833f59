"""The same reduction by paper on different engines, for more reviews than fit into memory.

rows       checked reviews -> whole numbers, and which of them are needed
sums       whole numbers -> sums by paper: one narwhals expression for polars, DuckDB and Spark
finishing  sums by paper -> scores, in batches, the same call everywhere
"""
