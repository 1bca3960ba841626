package dev.keelson.storage.object;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.security.SecureRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A random key that all servers of one store share; created on first use, and cached. */
public final class SharedSecret implements Supplier<byte[]> {

  private static final int LENGTH = 32;

  private final RevisionedStore store;
  private final Bytes key;
  private volatile byte @Nullable [] known;

  /**
   * Not yet read.
   *
   * @param key its key in the store
   */
  public SharedSecret(RevisionedStore store, Bytes key) {
    this.store = store;
    this.key = key;
  }

  /** The secret; throws what the store throws. */
  @Override
  public byte[] get() {
    byte[] secret = known;
    while (secret == null) {
      Entry entry = store.get(key, RevisionedStore.NEWEST).entry();
      secret = entry == null ? make() : entry.value().array();
      known = secret;
    }
    return secret;
  }

  /** Stores a new secret; null if another server was faster. */
  private byte @Nullable [] make() {
    byte[] secret = new byte[LENGTH];
    new SecureRandom().nextBytes(secret);
    WriteOutcome outcome = store.write(Write.put(key, Bytes.wrap(secret), Write.ABSENT));
    return outcome instanceof WriteOutcome.Applied ? secret : null;
  }
}
