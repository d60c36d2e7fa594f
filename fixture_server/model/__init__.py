"""The real model: its turns as they come from a listed host, metered and recorded, or as they were recorded."""
