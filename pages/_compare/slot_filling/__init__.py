"""What the comparison shows of rules for slots. What both tasks share stands in the other folders."""
