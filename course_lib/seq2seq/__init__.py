"""Translation models: what all answer to (`protocol`), without attention (`encoder_decoder`) and with (`attentive`).

protocol.py         what search, training and plots know of any model
encoder_decoder.py  the source in one vector; attentive.py: a look at all of it before each word
decoder.py          what the recurrent decoders share; readout.py: from a state to the next word
"""
