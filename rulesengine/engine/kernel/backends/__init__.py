"""What makes the code of a module run: what each of these back ends gives, and which there are."""
