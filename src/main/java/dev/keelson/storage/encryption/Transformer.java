package dev.keelson.storage.encryption;

import dev.keelson.storage.Bytes;

/**
 * Transforms values between their plain form and the form at rest. Safe for use by several threads;
 * may block if it uses a remote key service.
 */
public interface Transformer {

  /**
   * The plain form of a stored value.
   *
   * @param value the plain bytes
   * @param stale whether the stored form should be replaced at the next update, even if the value
   *     does not change
   */
  record Plain(Bytes value, boolean stale) {}

  /**
   * Transforms a stored value to its plain form.
   *
   * @param authenticated data that was bound to the value when it was written: its key in the store
   * @throws TransformationException if the value is damaged, forged or has an unknown key
   */
  Plain fromStorage(Bytes stored, Bytes authenticated);

  /**
   * Transforms a plain value to the form to store.
   *
   * @param authenticated data to bind to the value: its key in the store
   * @throws TransformationException if the value cannot be encrypted
   */
  Bytes toStorage(Bytes plain, Bytes authenticated);
}
