"""What a rule says but its writer hardly means: found on tokens, trees and whole files. Errors stand with the
parser."""
