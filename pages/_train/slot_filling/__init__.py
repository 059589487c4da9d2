"""The page Fine-tune for projects whose texts carry spans."""
