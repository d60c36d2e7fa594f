"""The scripted model: speaks the providers' protocols, calls the tools that it is given, and answers from what they
return. It needs no key and knows the conversation alone."""
