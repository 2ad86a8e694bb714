"""Makes the tables of solved endings of Nine Men's Morris."""
