package jdiff.runtime.pipeline;

import jdiff.runtime.model.autoencoder.Autoencoder;
import jdiff.runtime.model.qwenimage.QwenImageTransformer;

/** What makes a picture of an encoded prompt. */
record QwenImageNets(QwenImageTransformer transformer, Autoencoder vae) {}
