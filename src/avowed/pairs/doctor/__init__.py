"""What is wrong or thin in a delivery, and what to do: pure checks, each giving findings."""
