"""What people see: a failing case, the end of a run, JUnit. Reports read records and never reach a system."""
