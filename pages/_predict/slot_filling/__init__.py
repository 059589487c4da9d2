"""The page Predict for projects whose texts carry spans."""
