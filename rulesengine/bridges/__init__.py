"""Games as environments of other projects, under the names that users import."""
