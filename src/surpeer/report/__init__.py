"""Ring 3: Ranking or Decisions -> a report that people can look at.

content    what the report says: plain values, no HTML (columns, predictions, summary, data_quality, origin)
redact     what an audience may see of it
document   the same as one JSON document
page       the document in one HTML file (templates)
charts     one declarative chart each, by name; picture: a chart with its data, as SVG, PNG or in a notebook
"""
