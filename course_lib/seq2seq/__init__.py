"""Translation models: what all answer to (`protocol`), without attention (`encoder_decoder`) and with (`attentive`)."""
