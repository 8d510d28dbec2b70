"""How sure a selection is: stability over subsamples, and models that are nearly as good."""
