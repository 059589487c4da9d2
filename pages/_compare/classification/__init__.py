"""What the comparison shows of rules for labels of whole texts. What both tasks share stands in the other folders."""
