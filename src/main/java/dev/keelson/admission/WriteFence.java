package dev.keelson.admission;

/**
 * A condition of an admitted write: it may be stored only as long as a key of the server's own data
 * is as it was when the write was admitted. Who changes the key so knows that every write which was
 * admitted before either is stored already or is admitted again. Used by one thread.
 */
public interface WriteFence {

  /** The name of the key, below those of the server's own data. */
  String key();

  /** The revision that the key must have; 0 if it must not exist. */
  long revision();

  /**
   * Admits the write again, after the key changed to {@code revision}, which it must have from now
   * on; may block.
   *
   * @throws dev.keelson.api.ApiException if the write is not admitted any more
   */
  void raised(long revision);
}
