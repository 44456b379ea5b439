"""Training: loss, learning rate over time, the loop, checkpoints, and where it runs.

trainer = Trainer(model.to(device()), Batches(pairs, max_tokens=1600, vocabulary=vocabulary), held_out=held_out)
trainer.train(2000, show=LivePlot())  # or show=LastCheckpoints(folder), then load_average(last.paths, model)
save_weights("model.safetensors", model, {"command": "…"})
"""
