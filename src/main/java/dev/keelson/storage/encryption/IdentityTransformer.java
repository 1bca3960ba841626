package dev.keelson.storage.encryption;

import dev.keelson.storage.Bytes;

/** Stores values as they are, and refuses to read encrypted ones. */
public enum IdentityTransformer implements Transformer {
  INSTANCE;

  /** The prefix of everything that is encrypted; JSON and protobuf begin otherwise. */
  private static final Bytes ENCRYPTED = Bytes.utf8("k8s:enc:");

  @Override
  public Plain fromStorage(Bytes stored, Bytes authenticated) {
    if (stored.startsWith(ENCRYPTED)) {
      throw new TransformationException("identity transformer tried to read encrypted data");
    }
    return new Plain(stored, false);
  }

  @Override
  public Bytes toStorage(Bytes plain, Bytes authenticated) {
    return plain;
  }
}
